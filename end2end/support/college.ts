// Tests about signing in by a college: a server of Docket and a provider for each.
import { expect, test as base, type Page } from '@playwright/test';

import { clientId, clientSecret, College } from './provider';
import { freePort, start, type Server } from './server';

interface Fixtures {
  /** Settings of the provider, after `oidc.north.`, beside those that every test needs. */
  provider: Record<string, string>;
  /** Settings beside the provider's. */
  settings: Record<string, string>;
  college: College;
  docket: Server;
}

export const test = base.extend<Fixtures & { address: string }>({
  provider: [{}, { option: true }],
  settings: [{}, { option: true }],
  address: async ({}, use) => use(`127.0.0.1:${await freePort()}`),
  college: async ({ address }, use) => {
    const of = (what: string) => `http://${address}/login/${what}/north`;
    const college = await College.start(await freePort(), { redirect: of('return'), ended: of('ended') });
    await use(college);
    await college.stop();
  },
  docket: async ({ address, college, provider, settings }, use, info) => {
    const named: Record<string, string> = {
      issuer: college.issuer,
      client_id: clientId,
      client_secret: clientSecret,
      label: 'Northfield College',
      scopes: 'profile email groups offline_access',
      role_claim: 'groups',
      role_administrator: 'it',
      role_manager: 'deans',
      role_coach: 'advisers',
      ...provider,
    };
    const own = Object.entries(named).map(([key, value]) => [`DOCKET__OIDC__NORTH__${key.toUpperCase()}`, value]);
    const server = await start(address, info.outputPath('docket.log'), { ...Object.fromEntries(own), ...settings });
    await use(server);
    await server.stop();
  },
  baseURL: async ({ docket }, use) => use(docket.url),
});

/** Goes from the sign-in page to the college, as whoever has this ID there, and back. */
export async function signInBy(page: Page, id: string, to = '/login'): Promise<void> {
  await page.goto(to);
  await page.getByRole('link', { name: 'Sign in with Northfield College' }).click();
  await atCollege(page, id);
}

/** Signs in at the college, which leads back to Docket. */
export async function atCollege(page: Page, id: string): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Northfield College' })).toBeVisible();
  await page.getByLabel('Your college ID').fill(id);
  await page.getByRole('button', { name: 'Sign in at Northfield' }).click();
}
