// Schedules, accounts and the audit trail, as administrators handle them. Everything done leaves one entry with who and why.
import { expect, type APIRequestContext, type Browser, type Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';

import { audited, because, notice } from '../support/admin';
import { post, read } from '../support/api';
import { check } from '../support/axe';
import { FIGURE, figure, sinceNow } from '../support/figures';
import { pick, tick } from '../support/mouse';
import { hydrated } from '../support/pages';
import { test } from '../support/queue';
import { signIn } from '../support/session';

const me = async (request: APIRequestContext): Promise<string> => (await read<{ name: string }>(request, '/api/1/me')).name;

/** Who did this for this reason, once and no more. */
async function once(page: Page, reason: string, action: string): Promise<void> {
  const entries = await audited(page.request, reason);
  expect(entries).toMatchObject([{ action, actorName: await me(page.request) }]);
}

interface Colleague {
  username: string;
  password: string;
  /** The page of the account. */
  page: string;
}

/** Adds an account by the form and leaves its page, with the password, open. */
async function add(page: Page, username: string): Promise<Colleague> {
  await page.goto('/admin/users/new');
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Name', { exact: true }).fill('Nell Quist');
  await pick(page.getByLabel('Role', { exact: true }), 'Manager');
  await because(page, `Starts today: ${username}`, 'Add the user');
  const shown = page.getByRole('status').filter({ hasText: `One-time password for Nell Quist (${username})` });
  // at once: it is shown once, and as it is.
  const password = await shown.locator('code').textContent();
  return { username, password: password!, page: new URL(page.url()).pathname };
}

/** Signs somebody in, in a browser of their own. */
async function elsewhere(browser: Browser, { username, password }: Colleague): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto('/login');
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  return page;
}

/** The first sign-in of a colleague, who has to choose a password of their own before anything else. */
async function firstTime(browser: Browser, colleague: Colleague): Promise<Page> {
  const page = await elsewhere(browser, colleague);
  const own = `violet kettle of ${colleague.username}`;
  await expect(page.getByRole('heading', { name: 'Choose a password' })).toBeVisible();
  await page.goto('/tasks');
  await expect(page).toHaveURL(/\/login\?next=%2Ftasks/);
  await page.getByLabel('One-time password').fill(colleague.password);
  await page.getByLabel('New password').fill('docket2026');
  await page.getByRole('button', { name: 'Save password and continue' }).click();
  await expect(page.getByLabel('New password')).toHaveAccessibleDescription(/easy to guess/);
  await page.getByLabel('One-time password').fill(colleague.password);
  await page.getByLabel('New password').fill(own);
  await page.getByRole('button', { name: 'Save password and continue' }).click();
  await expect(page).toHaveURL('/tasks');
  colleague.password = own;
  return page;
}

for (const scripts of [true, false]) {
  test.describe(scripts ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled: scripts });
    const how = scripts ? 'with scripts' : 'without scripts';
    const open = async (page: Page, address: string) => {
      await page.goto(address);
      if (scripts) await hydrated(page);
    };

    test('a schedule runs now, is paused, and goes on', async ({ page }) => {
      await signIn(page, 'admin');
      await open(page, '/admin/schedules');
      const schedule = page.locator('tr[data-schedule=prune-unused]');
      const ran = schedule.locator('[data-last] time');
      // at once: whether it has run yet, and when.
      const before = (await ran.count()) ? await ran.getAttribute('datetime') : '';
      await schedule.getByRole('link', { name: 'Run or pause: Deletes expired selections and previews' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Deletes expired selections and previews' })).toBeVisible();
      await because(page, `Not to wait, ${how}`, 'Run now');
      await expect(notice(page)).toContainText('It will run within seconds');
      await expect(async () => {
        if (!scripts) await page.reload();
        await expect(ran).not.toHaveAttribute('datetime', before ?? '', { timeout: 100 });
      }).toPass();

      for (const [verb, state] of [['Pause', 'Paused'], ['Resume', 'On time']]) {
        await open(page, '/admin/schedules/prune-unused');
        // What can be reversed is not red.
        await expect(page.getByRole('button', { name: verb, exact: true })).not.toHaveClass(/danger/);
        await because(page, ' ', verb);
        await expect(page.getByLabel('Reason')).toHaveAccessibleDescription('Enter a reason.');
        await because(page, `${verb} for maintenance, ${how}`, verb);
        await expect(notice(page)).toContainText(`${verb}d: Deletes expired selections and previews`);
        await expect(schedule).toContainText(state);
        await once(page, `${verb} for maintenance, ${how}`, `schedule.${verb.toLowerCase()}`);
      }
      await once(page, `Not to wait, ${how}`, 'schedule.run');
    });

    test('an account is added, and its password shown once', async ({ page, browser }) => {
      const username = scripts ? 'nell' : 'nell-2';
      await signIn(page, 'admin');
      await open(page, '/admin/users/new');
      await page.getByLabel('Username').fill('manager');
      await page.getByLabel('Name', { exact: true }).fill('Nell Quist');
      await pick(page.getByLabel('Role', { exact: true }), 'Manager');
      await because(page, 'Starts today', 'Add the user');
      await expect(page.getByLabel('Username')).toHaveAttribute('aria-invalid', 'true');
      await expect(page.getByLabel('Username')).toHaveValue('manager');
      await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Nell Quist');
      await expect(page.getByLabel('Role', { exact: true })).toHaveValue('manager');
      await expect(page.getByLabel('Reason')).toHaveValue('Starts today');

      // A name of blanks is none, and a school ID that nobody has may be a slip of the hand.
      await page.getByLabel('Name', { exact: true }).fill(' ');
      await page.getByLabel('Username').fill(`${username}!`);
      await because(page, 'Starts today', 'Add the user');
      await expect(page.getByLabel('Name', { exact: true })).toHaveAccessibleDescription(/Enter the name of this person\./);
      await expect(page.getByLabel('Username')).toHaveAccessibleDescription(/Leave out “!”\./);
      await page.getByLabel('Name', { exact: true }).fill('Nell Quist');
      await page.getByLabel('Username').fill(`${username}-new`);
      await page.getByLabel(/^School ID/).fill(`T-${username}`);
      await expect(page.getByLabel('This school ID is new')).toHaveCount(0);
      await because(page, 'Starts today', 'Add the user');
      await expect(page.getByLabel(/^School ID/)).toHaveAccessibleDescription(/Nobody in Docket has that school ID\./);
      await tick(page.getByLabel('This school ID is new'));
      await because(page, 'Starts today', 'Add the user');
      await expect(page.getByText(`One-time password for Nell Quist (${username}-new)`)).toBeVisible();

      const nell = await add(page, username);
      const copy = page.getByRole('button', { name: 'Copy' });
      if (scripts) {
        await hydrated(page);
        await page.context().grantPermissions(['clipboard-read']);
        await copy.click();
        await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
        await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(nell.password);
      } else await expect(copy).toHaveCount(0);
      await page.reload();
      await expect(page.getByRole('heading', { level: 1, name: 'Nell Quist' })).toBeVisible();
      await expect(page.getByText(nell.password)).toHaveCount(0);
      await expect(page.getByText('One-time password for')).toHaveCount(0);
      await once(page, `Starts today: ${username}`, 'account.add');
      const given = { ...nell };
      const theirs = await firstTime(browser, nell);
      const late = await elsewhere(browser, given);
      await expect(late.getByRole('alert')).toBeVisible();
      await late.context().close();
      await theirs.context().close();

      await open(page, nell.page);
      await pick(page.getByLabel('Role', { exact: true }), 'Coach');
      await because(page, `Back to coaching, ${how}`, 'Save role and permissions');
      await expect(notice(page)).toContainText('Saved');
      await open(page, '/admin/users');
      await expect(page.locator(`tr[data-user=${username}]`)).toContainText('Coach');
      await once(page, `Back to coaching, ${how}`, 'account.change');
    });
  });
}

test(`who is disabled is out within seconds, and in again when enabled ${FIGURE}`, async ({ page, browser }) => {
  await signIn(page, 'admin');
  const olga = await add(page, 'olga');
  const theirs = await firstTime(browser, olga);
  const badge = theirs.locator('[data-live]');
  await expect(badge).toHaveAttribute('data-live', 'on');

  await page.goto(olga.page);
  await because(page, 'Left without a word', 'Disable the account');
  const since = sinceNow();
  await expect(notice(page)).toContainText('The account is disabled');
  await expect(badge).not.toHaveAttribute('data-live', 'on');
  figure('the stream of a disabled account ends', since(), 6_000);
  await expect(theirs.getByRole('heading', { name: 'You were signed out' })).toBeVisible();
  expect((await theirs.request.get('/api/1/me')).status()).toBe(401);
  const refused = await elsewhere(browser, olga);
  await expect(refused.getByRole('alert')).toBeVisible();
  await expect(refused).toHaveURL(/\/login/);
  await once(page, 'Left without a word', 'account.disable');

  await because(page, 'Came back', 'Enable the account');
  await expect(notice(page)).toContainText('The account is enabled');
  const again = await elsewhere(browser, olga);
  await expect(again).toHaveURL(/\/people/);
  await once(page, 'Came back', 'account.enable');
  for (const one of [theirs, refused, again]) await one.context().close();
});

for (const scripts of [true, false]) {
  test.describe(scripts ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled: scripts });

    test('what stands still of somebody who has left is handed over, or closed', async ({ page, browser }) => {
      const how = scripts ? 'with scripts' : 'without scripts';
      await signIn(page, 'admin');
      for (const [name, verb] of [['uma', 'Hand over the task'], ['vic', 'Close the task']] as const) {
        const colleague = await add(page, scripts ? name : `${name}-2`);
        const theirs = await firstTime(browser, colleague);
        const { items } = await read<{ items: { id: string }[] }>(theirs.request, '/api/1/people', { limit: '1', q: 'G1-00012' });
        const triggerDate = new Date(Date.now() + 30 * 86_400_000).toISOString();
        const data = { target: { personIds: [items[0].id] }, programStatus: 'INACTIVE', triggerDate };
        const { id } = await post<{ id: string }>(theirs.request, '/api/1/people/program-status', data);
        await theirs.context().close();

        await page.goto(colleague.page);
        const panel = page.getByRole('region', { name: 'Tasks that stand still' });
        await expect(page.getByRole('heading', { level: 1, name: 'Nell Quist' })).toBeVisible();
        await expect(panel).toHaveCount(0);
        await because(page, `${name} left, ${how}`, 'Disable the account');
        await expect(panel).toContainText('1 task stands still.');
        if (scripts) await check(page);

        if (verb === 'Hand over the task') {
          await panel.getByLabel('New owner').fill('nobody');
          await because(page, `For the spring, ${how}`, verb);
          await expect(panel.getByLabel('New owner')).toHaveAccessibleDescription(/There is no other active account “nobody”\./);
          await expect(panel.getByLabel('New owner')).toHaveValue('nobody');
          await expect(panel.getByLabel('Reason')).toHaveValue(`For the spring, ${how}`);
          if (scripts) await check(page);
          await panel.getByLabel('New owner').fill('manager');
          await because(page, `For the spring, ${how}`, verb);
          await expect(notice(page)).toContainText('The tasks are handed over');
          await once(page, `For the spring, ${how}`, 'tasks.hand-over');
        } else {
          await because(page, `Not needed, ${how}`, verb);
          await expect(notice(page)).toContainText('The tasks are closed');
          await once(page, `Not needed, ${how}`, 'tasks.abandon');
        }
        await expect(panel).toHaveCount(0);
        await page.goto(`/tasks/${id}`);
        const ends = verb === 'Hand over the task' ? `For the spring, ${how}` : `Not needed, ${how}`;
        await expect(page.getByText(new RegExp(`(Handed over|Closed) by .+: ${ends}`))).toBeVisible();
        await expect(page.getByText(/^Submitted by Nell Quist/)).toBeVisible();
      }
    });
  });
}

test('nobody disables their own account', async ({ page }) => {
  await signIn(page, 'admin');
  await page.goto('/admin/users');
  await page.locator('tr[data-user=admin]').getByRole('link').first().click();
  await expect(page.getByRole('link', { name: 'Change your password' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Create a one-time password' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Disable the account' })).toHaveCount(0);
  await pick(page.getByLabel('Role', { exact: true }), 'Coach');
  await because(page, 'Out with me', 'Save role and permissions');
  await expect(page.getByRole('alert')).toContainText('This is the last administrator');
  await expect.poll(() => audited(page.request, 'Out with me')).toEqual([]);
});

test('a token is revoked, and opens nothing any more', async ({ page, browser }) => {
  await signIn(page, 'admin');
  const pim = await add(page, 'pim');
  const theirs = await firstTime(browser, pim);
  await theirs.goto('/settings');
  await theirs.getByLabel('Name of the program').fill('Nightly report');
  await tick(theirs.getByRole('radio', { name: /^Read(?! and)/ }));
  await pick(theirs.getByLabel('Expires after'), '30 days');
  await theirs.getByRole('button', { name: 'Create token' }).click();
  // at once: it is shown once, and as it is.
  const token = await theirs.getByText(/^docket_/).textContent();
  const program = await browser.newContext({ extraHTTPHeaders: { authorization: `Bearer ${token!.trim()}` } });
  expect((await program.request.get('/api/1/me')).status()).toBe(200);
  expect((await program.request.post('/api/1/people/watch', { data: {} })).status()).toBe(403);
  await theirs.reload();
  const row = theirs.getByRole('row', { name: /^Nightly report/ });
  await expect(row).toContainText(/from (127\.0\.0\.1|::1)/);
  await expect(row.getByRole('cell').first()).toHaveText('Read');
  // at once: a token has its end from the beginning.
  const until = await row.locator('td[data-prefix="expires"] time').getAttribute('datetime');
  expect(Math.round((Date.parse(until!) - Date.now()) / 86_400_000)).toBe(30);

  await page.goto(pim.page);
  await tick(page.getByRole('radio', { name: /^Nightly report/ }));
  await because(page, 'It was in a mail', 'Revoke token');
  await expect(notice(page)).toContainText('The token is revoked');
  await expect(page.getByRole('radio', { name: /^Nightly report/ })).toHaveCount(0);
  expect((await program.request.get('/api/1/me')).status()).toBe(401);
  await once(page, 'It was in a mail', 'token.revoke');
  await program.close();
  await theirs.context().close();
});

for (const scripts of [true, false]) {
  test.describe(scripts ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled: scripts });

    test('a setting is found by what it is for', async ({ page }) => {
      await signIn(page, 'admin');
      await page.goto('/admin/settings');
      if (scripts) await hydrated(page);
      const rows = page.getByRole('table').locator('tbody tr');
      const search = page.getByRole('searchbox', { name: 'Search settings' });
      await search.fill('email held');
      if (!scripts) await page.getByRole('button', { name: 'Search' }).click();
      await expect(rows.filter({ visible: true })).toHaveText(/How long an email is held before it is sent\..*DOCKET__MAIL__HOLD/);
      await search.fill('nothing is called so');
      if (!scripts) await page.getByRole('button', { name: 'Search' }).click();
      await expect(page.getByRole('heading', { name: 'No setting matches' })).toBeVisible();
      await page.getByRole('link', { name: 'Show all settings' }).last().click();
      await expect(page.getByRole('heading', { name: 'Set on this server' })).toBeVisible();
      await expect(page.getByRole('heading', { name: 'No setting matches' })).toBeHidden();
    });
  });
}

test('the audit trail is narrowed, and taken away as a file', async ({ page }) => {
  await signIn(page, 'admin');
  const reason = '=HYPERLINK("http://example.org","Click")';
  for (const verb of ['pause', 'resume']) {
    const answer = await page.request.post(`/api/1/admin/kinds/export/${verb}`, { data: { reason } });
    expect(answer.status()).toBe(204);
  }
  await page.goto('/admin/audit');
  await hydrated(page);
  const filters = page.getByRole('search');
  await pick(filters.getByLabel('All actions'), 'Kinds of task');
  await pick(filters.getByLabel('All users'), await me(page.request));
  await filters.getByRole('button', { name: 'Apply' }).click();
  await expect(page).toHaveURL(/action=kind\./);
  const entries = page.getByRole('table').locator('tbody tr');
  await expect(entries.first()).toHaveAttribute('data-action', 'kind.resume');
  await expect
    .poll(() => entries.evaluateAll((rows) => rows.every((row) => row.getAttribute('data-action')!.startsWith('kind.'))))
    .toBe(true);
  await expect(entries.filter({ hasText: reason })).toHaveCount(2);
  await expect(entries.filter({ hasText: reason }).first()).toContainText(await me(page.request));

  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download as CSV' }).click()]);
  expect(download.suggestedFilename()).toBe('audit.csv');
  const text = await readFile(await download.path(), 'utf8');
  const lines = text.trim().split('\r\n');
  const who = ['id', 'date', 'actorId', 'actorName', 'action', 'label', 'objectKind', 'objectId', 'reason'];
  const titles = [...who, 'credential', 'source', 'times', 'detail'];
  expect(lines[0]).toBe(titles.map((title) => `"${title}"`).join(','));
  expect(lines.slice(1).every((line) => line.includes(',"kind.'))).toBe(true);
  expect(lines.filter((line) => line.includes(`"'=HYPERLINK(""http://example.org"",""Click"")"`))).toHaveLength(2);

  // A session that was clicked is a filter that can be taken away, and the others stay.
  await entries.first().getByRole('link', { name: /^Session …/ }).click();
  await page.getByRole('link', { name: /^Remove filter Through: Session …/ }).click();
  await expect(page.getByText(/^Through: /)).toBeHidden();
  await expect(page).not.toHaveURL(/credential=/);

  await page.goto('/admin/audit?action=audit.export');
  await expect(entries).toHaveCount(1);
  const today = new Date().toISOString().slice(0, 10);
  await page.goto(`/admin/audit?since=${today}&until=${today}&action=kind.`);
  await expect(entries.filter({ hasText: reason })).toHaveCount(2);
  await page.goto('/admin/audit?until=2020-01-01');
  await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible();
});
