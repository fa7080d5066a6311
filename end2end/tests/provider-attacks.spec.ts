// What a dishonest provider, or somebody between it and Docket, could say, and that nobody comes in by it.
import { expect, test, type APIRequestContext } from '@playwright/test';

import { Forger, type Lie } from '../support/forger';
import { clientId, clientSecret } from '../support/provider';
import { freePort, start, type Server } from '../support/server';

test.describe.configure({ mode: 'serial' });

const event = { 'http://schemas.openid.net/event/backchannel-logout': {} };
const hour = 3_600;

let [north, south, strict, plain, misnamed]: Forger[] = [];
let docket: Server;

test.beforeAll(async ({}, info) => {
  [north, south, strict] = [await Forger.start(await freePort()), await Forger.start(await freePort()), await Forger.start(await freePort())];
  plain = await Forger.start(await freePort(), { token_endpoint: 'http://login.example/token' });
  misnamed = await Forger.start(await freePort(), { issuer: 'http://127.0.0.1:1' });
  const of = (name: string, { issuer }: Forger) => ({
    [`DOCKET__OIDC__${name}__ISSUER`]: issuer,
    [`DOCKET__OIDC__${name}__CLIENT_ID`]: clientId,
    [`DOCKET__OIDC__${name}__CLIENT_SECRET`]: clientSecret,
    [`DOCKET__OIDC__${name}__CREATE_ACCOUNTS`]: 'true',
  });
  const settings = {
    ...of('NORTH', north),
    ...of('SOUTH', south),
    ...of('STRICT', strict),
    ...of('PLAIN', plain),
    ...of('FALSE', misnamed),
    DOCKET__OIDC__STRICT__ACR: 'mfa phr',
    DOCKET__OIDC__STRICT__PROMPT: 'select_account',
  };
  docket = await start(`127.0.0.1:${await freePort()}`, info.outputPath('docket.log'), settings);
});

test.afterAll(async () => {
  await Promise.all([docket?.stop(), ...[north, south, strict, plain, misnamed].map((forger) => forger?.stop())]);
});

test.beforeEach(() => {
  north.lie = south.lie = strict.lie = {};
});

const to = async (request: APIRequestContext, path: string) =>
  (await request.get(docket.url + path, { maxRedirects: 0 })).headers()['location'];

/** Asks a provider; what the address of its answer needs. */
async function ask(request: APIRequestContext, name = 'north', query = ''): Promise<URLSearchParams> {
  const { searchParams } = new URL(await to(request, `/login/with/${name}${query}`));
  expect(searchParams.get('code_challenge_method')).toBe('S256');
  north.nonce = south.nonce = strict.nonce = searchParams.get('nonce')!;
  return searchParams;
}

const answer = (asked: URLSearchParams, name = 'north', more = '') =>
  `/login/return/${name}?code=c&state=${asked.get('state')}${more}`;

test('an honest one is believed', async ({ request }) => {
  expect(await to(request, answer(await ask(request)))).toBe('/people');
});

const lies: [string, Lie][] = [
  ['a nonce of another question', { claims: (right) => ({ ...right, nonce: 'another' }) }],
  ['no nonce', { claims: ({ nonce, ...right }) => right }],
  ['an expired token', { claims: (right) => ({ ...right, exp: right.iat! - hour }) }],
  ['a token of tomorrow', { claims: (right) => ({ ...right, iat: right.iat! + 24 * hour, exp: right.iat! + 25 * hour }) }],
  ['a token for somebody else', { claims: (right) => ({ ...right, aud: 'another' }) }],
  ['a token for Docket and somebody else', { claims: (right) => ({ ...right, aud: [clientId, 'another'] }) }],
  ['a token of another issuer', { claims: (right) => ({ ...right, iss: 'http://127.0.0.1:1' }) }],
  ['an access token that was exchanged', { claims: (right) => ({ ...right, at_hash: 'AAAAAAAAAAAAAAAAAAAAAA' }) }],
  ['a signature by another key', { signed: 'by another key' }],
  ['a signature by the secret that both share', { signed: 'by the secret' }],
  ['no signature', { signed: 'by nobody' }],
];
for (const [what, lie] of lies) {
  test(`nobody comes in by ${what}`, async ({ request }) => {
    north.lie = lie;
    expect(await to(request, answer(await ask(request)))).toBe('/login?failed=unbelievable');
    expect((await request.get(`${docket.url}/api/1/me`)).status()).toBe(401);
  });
}

test('an answer counts for its own question alone, and once', async ({ request, playwright }) => {
  const asked = await ask(request);
  expect(await to(request, answer(new URLSearchParams('state=x')))).toBe('/login?failed=not-asked');
  // A wrong one has used the question up.
  expect(await to(request, answer(asked))).toBe('/login?failed=not-asked');
  const again = await ask(request);
  const thief = await playwright.request.newContext();
  expect(await to(thief, answer(again))).toBe('/login?failed=not-asked');
  await thief.dispose();
  expect(await to(request, answer(again))).toBe('/people');
});

test('the answer of one provider is none at the address of another', async ({ request }) => {
  const asked = await ask(request, 'north');
  expect(await to(request, answer(asked, 'south'))).toBe('/login?failed=not-asked');
  const again = await ask(request, 'north');
  expect(await to(request, answer(again, 'north', `&iss=${encodeURIComponent(south.issuer)}`))).toBe('/login?failed=not-asked');
});

test('the same subject of two providers is two people', async ({ request, playwright }) => {
  expect(await to(request, answer(await ask(request, 'north')))).toBe('/people');
  const other = await playwright.request.newContext();
  // Their usernames would be the same.
  expect(await to(other, answer(await ask(other, 'south'), 'south'))).toBe('/login?failed=no-account');
  await other.dispose();
});

test('no address leads anywhere else after the sign-in', async ({ request }) => {
  for (const next of ['//evil.example', 'https://evil.example', '/\\evil.example']) {
    expect(await to(request, answer(await ask(request, 'north', `?next=${encodeURIComponent(next)}`)))).toBe('/people');
  }
  // One that is too long for a cookie is left behind; the sign-in is not.
  const long = encodeURIComponent(`/people?q=${'x'.repeat(3_000)}`);
  expect(await to(request, answer(await ask(request, 'north', `?next=${long}`)))).toBe('/people');
  expect(await to(request, answer(await ask(request, 'north', '?next=/tasks')))).toBe('/tasks');
});

test('a provider is asked nothing where it names itself otherwise, or an address without encryption', async ({ request }) => {
  for (const name of ['plain', 'false']) {
    expect(await to(request, `/login/with/${name}`)).toBe('/login?failed=provider-away');
  }
  expect(await to(request, '/login/with/nobody')).toBe('/login?failed=provider-unknown');
});

test('who came by a weaker way than is asked for does not come in', async ({ request }) => {
  const asked = await ask(request, 'strict', '?login_hint=eve%40college.example');
  expect(asked.get('acr_values')).toBe('mfa phr');
  expect(asked.get('prompt')).toBe('select_account');
  expect(asked.get('login_hint')).toBe('eve@college.example');
  const as = (acr: string): Lie => ({ claims: (right) => ({ ...right, acr, preferred_username: 'mallory' }) });
  strict.lie = as('pwd');
  expect(await to(request, answer(asked, 'strict'))).toBe('/login?failed=unbelievable');
  strict.lie = as('phr');
  expect(await to(request, answer(await ask(request, 'strict'), 'strict'))).toBe('/people');
});

test('who shows once more who they are is the same, and shows it now', async ({ request }) => {
  expect(await to(request, answer(await ask(request)))).toBe('/people');
  const now = Math.floor(Date.now() / 1000);
  const again = async (claims: Record<string, unknown>) => {
    const asked = await ask(request, 'north', '?again=1&next=/settings');
    expect([asked.get('prompt'), asked.get('max_age')]).toEqual(['login', '0']);
    north.lie = { claims: (right) => ({ ...right, ...claims }) };
    return to(request, answer(asked));
  };
  expect(await again({})).toContain('/login?failed=unbelievable');
  expect(await again({ auth_time: now - hour })).toContain('/login?failed=unbelievable');
  expect(await again({ auth_time: now, sub: 's-2' })).toContain('/login?failed=unbelievable');
  expect(await again({ auth_time: now })).toBe('/settings');
});

const ends: [string, Lie, boolean][] = [
  ['an honest word', {}, true],
  ['a signature by another key', { signed: 'by another key' }, false],
  ['a signature by the secret', { signed: 'by the secret' }, false],
  ['no signature', { signed: 'by nobody' }, false],
  ['a word to somebody else', { claims: (right) => ({ ...right, aud: 'another' }) }, false],
  ['an old word', { claims: (right) => ({ ...right, iat: right.iat! - hour, exp: right.iat! + hour }) }, false],
  ['a token of a sign-in', { claims: ({ events, ...right }) => ({ ...right, nonce: 'n' }) }, false],
  ['a token of another type', { type: 'at+jwt' }, false],
  ['a word by another issuer', { claims: (right) => ({ ...right, iss: 'http://127.0.0.1:1' }) }, false],
  ['a word about nobody', { claims: ({ sub, ...right }) => right }, false],
];
for (const [what, lie, isBelieved] of ends) {
  test(`${what} ends ${isBelieved ? 'a session' : 'none'}`, async ({ request }) => {
    expect(await to(request, answer(await ask(request)))).toBe('/people');
    north.lie = lie;
    const told = await request.post(`${docket.url}/login/ended/north`, {
      form: { logout_token: await north.token({ events: event, jti: 'j' }) },
    });
    expect(told.status()).toBe(isBelieved ? 200 : 400);
    expect((await request.get(`${docket.url}/api/1/me`)).status()).toBe(isBelieved ? 401 : 200);
  });
}

test('a browser ends the session that the provider names, and no other', async ({ request }) => {
  north.lie = { claims: (right) => ({ ...right, sid: 'a session' }) };
  expect(await to(request, answer(await ask(request)))).toBe('/people');
  const ended = async (issuer: string, name: string) => {
    const query = `iss=${encodeURIComponent(issuer)}&sid=${encodeURIComponent(name)}`;
    expect((await request.get(`${docket.url}/login/ended/north?${query}`)).status()).toBe(204);
    return (await request.get(`${docket.url}/api/1/me`)).status();
  };
  expect(await ended(south.issuer, 'a session')).toBe(200);
  expect(await ended(north.issuer, 'another one')).toBe(200);
  expect(await ended(north.issuer, '')).toBe(200);
  expect(await ended(north.issuer, 'a session')).toBe(401);
});
