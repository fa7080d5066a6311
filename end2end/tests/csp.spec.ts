// A journey over every page with an eye on what the browser complains about: nothing against the content security
// policy, nothing in the console, no request that fails, and every page comes to life.
import { expect, type Page } from '@playwright/test';

import { tick } from '../support/mouse';
import { completed, hydrated, open, selectionBar, taskId } from '../support/pages';
import { block, statuses } from '../support/people';
import { test } from '../support/queue';
import { passwordOf, signIn } from '../support/session';

function complaints(page: Page): string[] {
  const found: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) found.push(`${page.url()}: ${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => found.push(`${page.url()}: ${error.message}`));
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText;
    // Leaving a page ends its event stream, and what it had not yet received.
    if (why !== 'net::ERR_ABORTED') found.push(`${request.url()}: ${why}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) found.push(`${response.url()}: ${response.status()}`);
  });
  return found;
}

test('a journey without a complaint', async ({ page }) => {
  const found = complaints(page);
  await open(page, '/login');
  await signIn(page, 'manager');
  await hydrated(page);

  const [most, , , few] = await statuses(page.request, block(14));
  await open(page, `/people?q=${block(14)}&programStatus=${most.name}`);
  await tick(page.getByRole('checkbox', { name: /on this page$/ }));
  await expect(page).toHaveURL(/[?&]sel=/);
  // Each page as scripts put it together, and as the server wrote it.
  await page.reload();
  await hydrated(page);
  await selectionBar(page).getByRole('link', { name: 'Set program status…' }).click();
  await tick(page.getByRole('radio', { name: few.label, exact: true }));
  await page.reload();
  await hydrated(page);
  await tick(page.getByRole('radio', { name: few.label, exact: true }));
  await page.getByRole('button', { name: 'Check first' }).click();
  await expect(page.getByRole('heading', { name: 'What will happen' })).toBeVisible();
  await page.reload();
  await hydrated(page);
  await page.getByRole('link', { name: /^Show all/ }).click();
  await expect(page.getByRole('link', { name: 'Back to the check' })).toBeVisible();
  await page.reload();
  await hydrated(page);
  await page.getByRole('link', { name: 'Back to the check' }).click();
  await page.getByRole('link', { name: 'Back', exact: true }).click();
  await tick(page.getByRole('radio', { name: few.label, exact: true }));
  await page.getByRole('button', { name: /^Set [\d,]+ people to/ }).click();
  await expect(page).toHaveURL(/\/tasks\//);
  await completed(page);
  const id = await taskId(page);
  await open(page, `/tasks/${id}?outcome=DONE`);
  await open(page, '/tasks');
  await open(page, '/tasks?scope=all&show=done');
  await page.getByText('Katrin Lund, your account').click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL('/login');
  await hydrated(page);
  expect(found).toEqual([]);
});

test('the page of the API shows its document', async ({ page }) => {
  const found = complaints(page);
  await signIn(page, 'manager');
  await page.goto('/api/1/docs');
  const call = page.getByRole('button', { name: /^post \/api\/1\/people\/watch\b/i }).first();
  await call.click();
  await expect(page.getByText('WatchRequest').or(page.getByText('Idempotency-Key')).first()).toBeVisible();
  expect(found).toEqual([]);
});

test('pages that say no come to life as well', async ({ page }) => {
  const found = complaints(page);
  await signIn(page, 'manager');
  for (const address of ['/no-such-page', `/tasks/${crypto.randomUUID()}`, '/people?campus=Main']) {
    const answer = await page.goto(address);
    await hydrated(page);
    expect(answer!.status()).toBeGreaterThanOrEqual(400);
  }
  // What is left are the refused pages themselves, once from the network and once in the console.
  const others = found.filter((line) => !/: 40[04]$|status of 40[04]/.test(line));
  expect(others).toEqual([]);
});

test('a script from elsewhere does not run', async ({ page }) => {
  await page.goto('/login');
  await page.getByLabel('Username').fill('"><script>window.intruder = 1</script>');
  await page.getByLabel('Password').fill(`not ${passwordOf('manager')}`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByLabel('Username')).toHaveValue('"><script>window.intruder = 1</script>');
  // What it has would have run before what is added to it.
  await page.evaluate(
    () =>
      new Promise<void>((tried) => {
        const script = document.createElement('div');
        script.innerHTML = '<img src="x:" onerror="window.intruder = 1">';
        script.firstElementChild!.addEventListener('error', () => tried());
        document.body.append(script);
      }),
  );
  // at once: what would have run has run.
  expect(await page.evaluate(() => 'intruder' in window)).toBe(false);
});
