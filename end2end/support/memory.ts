// What a provider of a test remembers. It outlives the provider, which is made anew with other keys.
import type { Adapter, AdapterPayload } from 'oidc-provider';

type Kept = Map<string, AdapterPayload>;

class Remembered implements Adapter {
  constructor(
    private readonly kind: string,
    private readonly kept: Kept,
  ) {}

  private key(id: string): string {
    return `${this.kind}:${id}`;
  }

  private async where(is: (payload: AdapterPayload) => boolean): Promise<AdapterPayload | undefined> {
    return [...this.kept].find(([key, payload]) => key.startsWith(this.key('')) && is(payload))?.[1];
  }

  async upsert(id: string, payload: AdapterPayload): Promise<void> {
    this.kept.set(this.key(id), payload);
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    return this.kept.get(this.key(id));
  }

  async findByUserCode(code: string): Promise<AdapterPayload | undefined> {
    return this.where((payload) => payload.userCode === code);
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.where((payload) => payload.uid === uid);
  }

  async consume(id: string): Promise<void> {
    const payload = this.kept.get(this.key(id));
    if (payload) payload.consumed = Math.floor(Date.now() / 1000);
  }

  async destroy(id: string): Promise<void> {
    this.kept.delete(this.key(id));
  }

  async revokeByGrantId(grant: string): Promise<void> {
    for (const [key, payload] of this.kept) if (payload.grantId === grant) this.kept.delete(key);
  }
}

/** A memory to begin with. */
export function memory(): (kind: string) => Adapter {
  const kept: Kept = new Map();
  return (kind) => new Remembered(kind, kept);
}
