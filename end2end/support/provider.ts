// The sign-in of a college, for tests: a whole provider of OpenID Connect on a free port of this machine, with people of its own, and a
// page on which they sign in. Its keys can be exchanged, and its people lose their groups.
import { createServer, type IncomingMessage, type Server as HttpServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';

import { exportJWK, generateKeyPair } from 'jose';
import Provider, { type Configuration, type JWKS } from 'oidc-provider';

import { memory } from './memory';

export interface CollegePerson {
  username: string;
  given: string;
  family: string;
  email?: string;
  /** Whether the college has made sure of it. */
  verified?: boolean;
  groups: string[];
}

export interface ClientAddresses {
  redirect: string;
  ended?: string;
}

export const clientId = 'docket';
export const clientSecret = 'a secret of the tests, as long as a secret is';

/** A provider that runs. */
export class College {
  readonly people = new Map<string, CollegePerson>();
  private readonly memory = memory();
  private provider!: Provider;

  private constructor(
    private readonly server: HttpServer,
    readonly issuer: string,
    private readonly client: ClientAddresses,
  ) {}

  static async start(port: number, client: ClientAddresses): Promise<College> {
    const server = createServer();
    const college = new College(server, `http://127.0.0.1:${port}`, client);
    server.on('request', (request, response) => void college.answer(request, response));
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    await college.exchangeKeys();
    return college;
  }

  /** Signs with another key from now on; the former one is gone. */
  async exchangeKeys(): Promise<void> {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    const key = await exportJWK(privateKey);
    this.provider = this.make({ keys: [{ ...key, use: 'sig', alg: 'RS256', kid: `key-${Date.now()}` }] } as JWKS);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private make(jwks: JWKS): Provider {
    const configuration: Configuration = {
      adapter: this.memory,
      // Docket is on this machine, where a provider calls nobody otherwise.
      fetch: (url, { dispatcher, ...options }: RequestInit & { dispatcher?: unknown } = {}) => fetch(url, options),
      jwks,
      clients: [
        {
          client_id: clientId,
          client_secret: clientSecret,
          redirect_uris: [this.client.redirect],
          grant_types: ['authorization_code', 'refresh_token'],
          ...(this.client.ended && { backchannel_logout_uri: this.client.ended, backchannel_logout_session_required: true }),
        },
      ],
      claims: {
        openid: ['sub'],
        profile: ['preferred_username', 'given_name', 'family_name'],
        email: ['email', 'email_verified'],
        groups: ['groups'],
      },
      scopes: ['openid', 'offline_access', 'profile', 'email', 'groups'],
      cookies: { keys: ['a key of the tests'] },
      features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
      interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
      issueRefreshToken: () => true,
      rotateRefreshToken: true,
      ttl: { AccessToken: 60, AuthorizationCode: 60, IdToken: 60, Interaction: 600, Grant: 3600, RefreshToken: 3600, Session: 3600 },
      pkce: { required: () => true },
      findAccount: (_, id) => {
        const person = this.people.get(id);
        if (!person) return undefined;
        const { username, given, family, email, verified, groups } = person;
        const claims = { preferred_username: username, given_name: given, family_name: family, email, email_verified: verified, groups };
        return { accountId: id, claims: () => ({ sub: id, ...claims }) };
      },
      loadExistingGrant: async (context) => {
        const { client, session } = context.oidc;
        const grant = new this.provider.Grant({ clientId: client!.clientId, accountId: session!.accountId });
        grant.addOIDCScope('openid profile email groups offline_access');
        await grant.save();
        return grant;
      },
    };
    return new Provider(this.issuer, configuration);
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!request.url!.startsWith('/interaction/')) return void (await this.provider.callback()(request, response));
    if (request.method === 'GET') {
      response.setHeader('content-type', 'text/html');
      response.end(`<!doctype html><html lang="en"><title>Northfield</title><h1>Northfield College</h1>
        <form method="post"><label>Your college ID <input name="id"></label><button>Sign in at Northfield</button></form>`);
      return;
    }
    const body: Buffer[] = [];
    for await (const part of request) body.push(part as Buffer);
    const id = new URLSearchParams(Buffer.concat(body).toString()).get('id')!;
    await this.provider.interactionFinished(request, response, { login: { accountId: id } }, { mergeWithLastSubmission: false });
  }
}
