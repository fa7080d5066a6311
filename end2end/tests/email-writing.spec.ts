// Writing an email: its drafts, its mistakes, its templates and its tests, with and without scripts.
import { expect, type Page } from '@playwright/test';

import { button, enter, family, giveAddress, letter, message, some, subject, writeTo } from '../support/email';
import { test } from '../support/mail';
import { pick, tick, untick } from '../support/mouse';
import { hydrated, selectionBar } from '../support/pages';

/** Within a year, which is as far ahead as a task can start. */
const START = `${new Date(Date.now() + 90 * 86_400_000).toISOString().slice(0, 10)}T09:30`;

/** Discards the draft, which is asked first. */
async function discard(page: Page): Promise<void> {
  await page.getByText('Discard draft…').click();
  await button(page, 'Discard and leave').click();
}

// Each test has a server of its own, so that none has to wait for another.
test.describe.configure({ mode: 'parallel' });

test('a draft outlives its selection, until it is discarded', async ({ page, docket }) => {
  await enter(page, docket);
  await writeTo(page, 4, await some(page, 4));
  await subject(page).fill('Kept for others');
  await message(page).fill('Hello {first name},\n\nuntil soon.');
  await expect(page.getByText(/^Draft saved \d/)).toBeVisible();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'People' }).click();
  await writeTo(page, 7, await some(page, 7, true));
  await expect(subject(page)).toHaveValue('Kept for others');
  await expect(message(page)).toHaveValue('Hello {first name},\n\nuntil soon.');
  await expect(letter(page)).toContainText('until soon.');
  await expect(page.getByText(/^Your draft from \d\d:\d\d:\d\d was restored$/), 'it was written for others').toBeVisible();
  await button(page, 'Check 3 people').click();
  await page.getByRole('link', { name: 'Back', exact: true }).click();
  await expect(subject(page)).toHaveValue('Kept for others');
  await expect(page.getByText('was restored'), 'it is the same visit').toHaveCount(0);

  // The note's own button leads nowhere else: what is written next is for the same people.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'People' }).click();
  await writeTo(page, 7, await some(page, 7, true));
  await button(page, 'Discard it').click();
  await expect(page.getByText('Draft discarded')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Email 3 people');
  await expect(subject(page)).toHaveValue('');
  await expect(page.getByText('was restored')).toHaveCount(0);

  await subject(page).fill('Written anew');
  await expect(page.getByText(/^Draft saved \d/)).toBeVisible();
  await discard(page);
  await expect(selectionBar(page).getByRole('status')).toHaveText('3 selected');
  await selectionBar(page).getByRole('link', { name: 'Email…' }).click();
  await expect(subject(page)).toHaveValue('');
  await expect(message(page)).toHaveValue(/^Hello \{first name \| there\},\s+Katrin Lund$/);
});

test('a draft goes to where drafts are kept, whatever the markup of its form says', async ({ page, docket }) => {
  await enter(page, docket);
  await writeTo(page, 4, await some(page, 4));
  const posted: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') posted.push(new URL(request.url()).pathname);
  });
  await page.locator('form[data-draft]').evaluate((form) => form.setAttribute('action', '/admin/users/add'));
  await subject(page).fill('Sent astray');
  await expect(page.getByText(/^Draft saved \d/)).toBeVisible();
  expect(posted).toContain('/api/page/actions/email');
  expect(posted.filter((path) => !path.startsWith('/api/page/'))).toEqual([]);
});

test('two pages do not write over each other, and both texts are there in the end', async ({ page, docket, context }) => {
  await enter(page, docket);
  await writeTo(page, 4, await some(page, 4));
  const other = await context.newPage();
  await other.goto(page.url());
  await hydrated(other);
  await subject(page).fill('Written here');
  await expect(page.getByText(/^Draft saved \d/)).toBeVisible();
  await subject(other).fill('Written there');
  await expect(other.getByText(/changed in another window/)).toBeVisible();
  await button(other, 'Check 2 people').click();
  await expect(other.getByRole('heading', { level: 1, name: 'Email: Written there' })).toBeVisible();
  await expect(letter(other)).toContainText('Written there');
  await other.getByRole('link', { name: 'Back', exact: true }).click();
  await expect(subject(other)).toHaveValue('Written there');
  await other.getByText('Templates (1)').click();
  await button(other, 'Use').click();
  await expect(subject(other)).toHaveValue('Written here');
});

test('what is typed just before somebody leaves is kept', async ({ page, docket }) => {
  await enter(page, docket);
  const people = await some(page, 4);
  await writeTo(page, 4, people);
  // Before, a link is left to the browser, which keeps nothing.
  await hydrated(page);
  await subject(page).fill('Typed in a hurry');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'My tasks' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'My tasks' })).toBeVisible();
  await writeTo(page, 4, people);
  await expect(subject(page)).toHaveValue('Typed in a hurry');
});

test('what is being saved when somebody leaves is kept, however slow the line', async ({ page, docket }) => {
  await enter(page, docket);
  const people = await some(page, 4);
  await writeTo(page, 4, people);
  await hydrated(page);
  // A request that ends with its page is not among those that outlive it.
  await page.evaluate(() => {
    const real = window.fetch;
    window.fetch = (to, how) => {
      if (how?.method === 'POST') document.documentElement.dataset.outlives = String(how.keepalive);
      return real(to, how);
    };
  });
  await subject(page).fill('On its way');
  await expect(page.locator('html')).toHaveAttribute('data-outlives', 'true');
});

test('what is typed before the page is alive is kept', async ({ page, docket }) => {
  await enter(page, docket);
  const people = await some(page, 4);
  let arrive = () => {};
  const arrived = new Promise<void>((done) => (arrive = done));
  await writeTo(page, 4, people);
  const address = page.url();
  await page.goto('/tasks');
  await page.route('**/forms.js*', async (route) => {
    await arrived;
    await route.continue();
  });
  await page.goto(address, { waitUntil: 'commit' });
  await subject(page).fill('Typed early');
  arrive();
  await expect(page.getByText(/^Draft saved \d/)).toBeVisible();
  await page.goto('/tasks');
  await writeTo(page, 4, people);
  await expect(subject(page)).toHaveValue('Typed early');
});

for (const scripts of [true, false]) {
  test.describe(scripts ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled: scripts });

    test('a mistake is named where it is, and loses nothing', async ({ page, docket }) => {
      await enter(page, docket);
      const people = await some(page, 6);
      await writeTo(page, 6, people, scripts);
      await subject(page).fill('Please read');
      await message(page).fill('Hello {frist name},\n\n<b>see</b> you & yours.');
      await tick(page.getByRole('radio', { name: 'Primary and secondary email' }));
      await untick(page.getByRole('checkbox', { name: 'Write a journal entry' }));
      await page.getByLabel('Copy to').fill('head@northfield');
      await page.getByLabel('Reason').fill('Spring term');
      await page.getByLabel('Start').fill(START);
      await button(page, 'Check 2 people').click();

      await expect(page.getByRole('alert')).toBeVisible();
      await expect(message(page)).toHaveAccessibleDescription(/There is no field \{frist name\}/);
      await expect(message(page)).toHaveAttribute('aria-invalid', 'true');
      await expect(page.getByLabel('Copy to')).toHaveAccessibleDescription(/“head@northfield” is not an email address/);
      await expect(subject(page)).toHaveValue('Please read');
      await expect(message(page)).toHaveValue('Hello {frist name},\n\n<b>see</b> you & yours.');
      await expect(page.getByRole('radio', { name: 'Primary and secondary email' })).toBeChecked();
      await expect(page.getByRole('checkbox', { name: 'Write a journal entry' })).not.toBeChecked();
      await expect(page.getByLabel('Copy to')).toHaveValue('head@northfield');
      await expect(page.getByLabel('Reason')).toHaveValue('Spring term');
      await expect(page.getByLabel('Start')).toHaveValue(START);

      await message(page).fill('Hello {first name},\n\n<b>see</b> you & yours.');
      await page.getByLabel('Copy to').fill('head@northfield.example');
      await button(page, 'Check 2 people').click();
      await expect(page.getByRole('heading', { name: 'What will happen' })).toBeVisible();
      await page.getByRole('link', { name: 'Back', exact: true }).click();
      await expect(message(page)).toHaveValue('Hello {first name},\n\n<b>see</b> you & yours.');
      await expect(letter(page)).toContainText('<b>see</b> you & yours.');
      await expect(page.getByLabel('Copy to')).toHaveValue('head@northfield.example');
      await expect(page.getByLabel('Reason')).toHaveValue('Spring term');
      await expect(page.getByLabel('Start')).toHaveValue(START);
    });

    test('a start that is over is refused before anything is confirmed', async ({ page, docket }) => {
      await enter(page, docket);
      await writeTo(page, 9, await some(page, 9), scripts);
      await subject(page).fill('Too late');
      await message(page).fill('Hello {first name}');
      await page.getByLabel('Start').fill('2020-01-01T10:00');
      await button(page, 'Check 2 people').click();
      await expect(page.getByRole('alert')).toContainText('Choose a start in the future.');
      await expect(page.getByLabel('Start')).toHaveValue('2020-01-01T10:00');
      await page.getByLabel('Start').fill(START);
      await button(page, 'Check 2 people').click();
      await expect(page.getByRole('heading', { name: 'What will happen' })).toBeVisible();
      await expect(page.getByText(/^Until .+, you can cancel the whole email/)).toBeVisible();
      await expect(page.getByText(/^Held for/)).toHaveCount(0);
    });

    test('a text is saved as a template, used for another email, and deleted', async ({ page, docket }) => {
      await enter(page, docket);
      const people = await some(page, 7);
      await writeTo(page, 7, people, scripts);
      await subject(page).fill('Welcome');
      await message(page).fill('Welcome, {first name}!');
      const templates = page.locator('details', { hasText: 'Templates' });
      await templates.locator('summary').click();
      await templates.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByLabel('Save this text as')).toHaveAccessibleDescription(/Enter a template name/);
      await expect(message(page)).toHaveValue('Welcome, {first name}!');
      await page.getByLabel('Save this text as').fill('First words');
      await templates.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByText('Template saved')).toBeVisible();
      await discard(page);
      // What is being saved is waited for first, so somebody who goes elsewhere at once would find the draft again.
      await expect(selectionBar(page).getByRole('status')).toHaveText(`${people.length} selected`);

      await writeTo(page, 7, people, scripts);
      await expect(subject(page)).toHaveValue('');
      await templates.locator('summary').click();
      await expect(templates.locator('summary')).toHaveText('Templates (1)');
      await pick(page.getByLabel('Template', { exact: true }), 'First words');
      await templates.getByRole('button', { name: 'Use' }).click();
      await expect(page.getByText('Template used')).toBeVisible();
      await expect(subject(page)).toHaveValue('Welcome');
      await expect(message(page)).toHaveValue('Welcome, {first name}!');
      await expect(letter(page)).toContainText(/Welcome, .+!/);

      await templates.locator('summary').click();
      await templates.getByRole('button', { name: 'Delete' }).click();
      await expect(page.getByText('Template deleted')).toBeVisible();
      await expect(templates.locator('summary')).toHaveText('Templates (0)');
      await expect(message(page)).toHaveValue('Welcome, {first name}!');
    });

    test('a test goes to oneself, once there is an address', async ({ page, docket, sink }) => {
      await enter(page, docket);
      const people = await some(page, 8);
      await writeTo(page, 8, people, scripts);
      await subject(page).fill('Slots for {last name}');
      await message(page).fill('Dear {last name}, see you.');
      await button(page, 'Send a test to me').click();
      await expect(page.getByText('No address to send it to')).toBeVisible();
      await expect(page.getByRole('alert')).toContainText('Add your email address in your settings');
      await expect(message(page)).toHaveValue('Dear {last name}, see you.');
      expect(sink.taken()).toEqual([]);

      await giveAddress(page, 'lund@northfield.example', sink);
      await writeTo(page, 8, people, scripts);
      await expect(message(page)).toHaveValue('Dear {last name}, see you.');
      await pick(page.getByLabel('Person whose email is shown'), people[1].name);
      await button(page, 'Send a test to me').click();
      await expect(page.getByText('Test email sent')).toBeVisible();
      await expect(page.getByText('It went to lund@northfield.example.')).toBeVisible();
      const [, test, ...more] = sink.taken();
      expect(more).toEqual([]);
      expect(test.to).toEqual(['lund@northfield.example']);
      expect(test.headers.subject).toBe(`Test: Slots for ${family(people[1])}`);
      expect(test.plain).toBe(`Dear ${family(people[1])}, see you.`);
    });
  });
}
