// A provider of OpenID Connect that says whatever a test wants it to: for what no honest one would say.
import { createServer, type Server as HttpServer } from 'node:http';
import { once } from 'node:events';

import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type CryptoKey, type JWTPayload } from 'jose';

import { clientId, clientSecret } from './provider';

/** What is wrong with what it says. */
export interface Lie {
  /** In what it signs, in place of what would be right. */
  claims?: (right: JWTPayload) => JWTPayload;
  /** How it signs: with its key unless told otherwise. */
  signed?: 'by another key' | 'by the secret' | 'by nobody';
  /** The type that the token says it is. */
  type?: string;
}

const now = () => Math.floor(Date.now() / 1000);

export class Forger {
  /** What the next tokens say. */
  lie: Lie = {};
  /** The nonce of the question that was asked last. */
  nonce = '';
  private own!: CryptoKey;
  private other!: CryptoKey;

  private constructor(
    private readonly server: HttpServer,
    readonly issuer: string,
  ) {}

  /** With what it says of itself in place of what would be right. */
  static async start(port: number, instead: Record<string, string> = {}): Promise<Forger> {
    const server = createServer();
    const forger = new Forger(server, `http://127.0.0.1:${port}`);
    const [own, other] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')];
    [forger.own, forger.other] = [own.privateKey, other.privateKey];
    const keys = { keys: [{ ...(await exportJWK(own.publicKey)), kid: 'one', use: 'sig', alg: 'RS256' }] };
    const at = (path: string) => `${forger.issuer}${path}`;
    const metadata = {
      issuer: forger.issuer,
      authorization_endpoint: at('/authorize'),
      token_endpoint: at('/token'),
      jwks_uri: at('/keys'),
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      ...instead,
    };
    server.on('request', async (request, response) => {
      response.setHeader('content-type', 'application/json');
      if (request.url === '/keys') return void response.end(JSON.stringify(keys));
      if (request.url !== '/token') return void response.end(JSON.stringify(metadata));
      const token = await forger.token({ nonce: forger.nonce, preferred_username: 'eve' });
      response.end(JSON.stringify({ access_token: 'a', token_type: 'Bearer', expires_in: 60, id_token: token }));
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return forger;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  /** A token with these claims beside those of every token, as the lie has it. */
  async token(more: JWTPayload): Promise<string> {
    const right = { iss: this.issuer, sub: 's-1', aud: clientId, iat: now(), exp: now() + 60, ...more };
    const { claims = (same) => same, signed, type } = this.lie;
    const payload = claims(right);
    if (signed === 'by nobody') return new UnsecuredJWT(payload).encode();
    const bySecret = signed === 'by the secret';
    const head = { alg: bySecret ? 'HS256' : 'RS256', kid: 'one', ...(type && { typ: type }) };
    const key = signed === 'by another key' ? this.other : this.own;
    return new SignJWT(payload).setProtectedHeader(head).sign(bySecret ? new TextEncoder().encode(clientSecret) : key);
  }
}
