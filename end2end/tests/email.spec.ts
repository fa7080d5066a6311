// Email, from the people to the mailbox and back to the page of a person, with and without scripts.
import { expect, type Locator, type Page } from '@playwright/test';

import { check } from '../support/axe';
import { tabTo } from '../support/keyboard';
import { test } from '../support/mail';
import { pick, tick, untick } from '../support/mouse';
import { completed, hydrated, numbers, outcomes, selectionBar, task } from '../support/pages';
import { block, reachable, type Person } from '../support/people';
import type { Server } from '../support/server';
import { signIn } from '../support/session';

// Each test has a server of its own, so that none has to wait for another.
test.describe.configure({ mode: 'parallel' });

const subject = (page: Page) => page.getByRole('textbox', { name: 'Subject' });
const message = (page: Page) => page.getByRole('textbox', { name: 'Message' });
const letter = (page: Page) => page.getByRole('article', { name: 'Email' });
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
/** The state of the task, with the countdown that scripts put in its place. */
const badge = (page: Page) => task(page).locator('.badge');

const family = (person: Person) => person.name.split(', ')[0];
const given = (person: Person) => person.name.split(', ')[1];
const byName = (people: Person[]) => people.map(({ name }) => name).sort();

/** Signs in as the manager of this server. */
async function enter(page: Page, docket: Server): Promise<void> {
  await signIn(page, 'manager', docket.passwords.manager);
}

/** Two people of a block who can be written to, and if wanted one who cannot. */
async function some(page: Page, hundred: number, unreachable = false): Promise<Person[]> {
  const found = await reachable(page.request, block(hundred));
  const people = [...found.with.slice(0, 2), ...(unreachable ? found.without.slice(0, 1) : [])];
  expect(people).toHaveLength(unreachable ? 3 : 2);
  return people;
}

/** Ticks these people on their list, and goes to write to them. */
async function writeTo(page: Page, hundred: number, people: Person[], scripts = true): Promise<void> {
  await page.goto(`/people?q=${block(hundred)}`);
  if (scripts) await hydrated(page);
  for (const { name } of people) await tick(page.getByRole('row', { name }).getByRole('checkbox'));
  if (!scripts) await button(page, 'Update selection').click();
  await expect(selectionBar(page).getByRole('status')).toHaveText(`${people.length} selected`);
  await selectionBar(page).getByRole('link', { name: 'Email…' }).click();
  await expect(page.getByRole('heading', { level: 1, name: `Email ${people.length} people` })).toBeVisible();
}

/** Checks what was written, looks at the sum, and sends it to `count` people. */
async function send(page: Page, count: number): Promise<void> {
  await button(page, /^Check \d+ people$/).click();
  await expect(page.getByRole('heading', { name: 'What will happen' })).toBeVisible();
  await page.getByRole('textbox', { name: `Type ${count} to confirm` }).fill(String(count));
  await button(page, `Send to ${count} people`).click();
  await expect(page).toHaveURL(/\/tasks\//);
}

/** The same where nothing can be sent, and every page says so. */
async function submitUnsent(page: Page, count: number): Promise<void> {
  await button(page, /^Check \d+ people$/).click();
  const sums = page.getByRole('table', { name: /the lines add up to the total/ });
  await expect(sums).toContainText('will fail: email is not set up');
  await expect(page.getByText('Email is not set up on this server')).toBeVisible();
  await expect(button(page, /^Send/)).toHaveCount(0);
  await page.getByRole('textbox', { name: `Type ${count} to confirm` }).fill(String(count));
  await button(page, 'Submit without sending').click();
  await expect(page).toHaveURL(/\/tasks\//);
}

/** How a badge counts down. */
async function left(held: Locator): Promise<number> {
  const words = await held.locator('[data-until]').getAttribute('data-left');
  return Number(/^Held, (\d+) s left$/.exec(words ?? '')?.[1]);
}

/** Asks to be sent tests and answers at this address, and follows the link that is sent there. */
async function giveAddress(page: Page, address: string, sink: { taken(): { plain: string }[] }): Promise<void> {
  const before = sink.taken().length;
  await page.goto('/settings');
  await page.getByLabel('Your email address').fill(address);
  await button(page, 'Save').click();
  await expect(page.getByText('Check your email')).toBeVisible();
  await expect.poll(() => sink.taken().length).toBe(before + 1);
  const link = /\/settings\?verify=[\w-]+/.exec(sink.taken()[before].plain)?.[0] ?? '';
  await page.goto(link);
  await button(page, 'Use this address').click();
  await expect(page.getByText('Your address is confirmed')).toBeVisible();
}

test.describe('while it is held for long enough to watch', () => {
  test.use({ settings: { DOCKET__MAIL__HOLD: '20s' } });

  test('an email is written, looked at, checked, held, sent, and remembered', async ({ page, docket, sink }) => {
    await enter(page, docket);
    const people = await some(page, 1, true);
    const [one, other, nobody] = people;
    await writeTo(page, 1, people);

    await subject(page).fill('Four slots for {last name}');
    await message(page).fill('Dear , please choose one.\n\n- Monday\n- Tuesday');
    await message(page).evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(5, 5));
    await button(page, 'First name').click();
    await expect(message(page)).toBeFocused();
    await page.keyboard.type(' {last name}');
    const written = 'Dear {first name | there} {last name}, please choose one.\n\n- Monday\n- Tuesday';
    await expect(message(page)).toHaveValue(written);

    const whose = page.getByLabel('Person whose email is shown');
    await pick(whose, one.name);
    await expect(letter(page).locator('[data-letter-subject]')).toHaveText(`Four slots for ${family(one)}`);
    await expect(letter(page).locator('mark').last()).toHaveText(family(one));
    await expect(letter(page).getByRole('listitem')).toHaveText(['Monday', 'Tuesday']);
    await expect(letter(page)).toContainText(one.primaryEmail!);
    await expect(page.getByText(/^Draft saved \d\d:\d\d/)).toBeVisible();
    await pick(whose, other.name);
    await expect(letter(page)).toContainText(other.primaryEmail!);

    // Nothing but time saves what is typed last.
    await message(page).press('ControlOrMeta+End');
    const state = page.locator('[data-draft-state]');
    await state.evaluate((said) => (said.textContent = ''));
    await page.keyboard.type('\n\nAs typed last');
    await expect(state).toHaveText(/^Draft saved \d/);
    await page.reload();
    await hydrated(page);
    await expect(subject(page)).toHaveValue('Four slots for {last name}');
    await expect(message(page)).toHaveValue(`${written}\n\nAs typed last`);

    await button(page, 'Check 3 people').click();
    const sums = page.getByRole('table', { name: /the lines add up to the total/ });
    await expect.poll(() => numbers(sums.locator('tbody tr:not(.none) td:first-child'))).toEqual([2, 1]);
    await expect(sums).toContainText('will get an email');
    await expect(sums).toContainText('skipped: no primary email');
    const sample = page.getByRole('table', { name: 'Sample of people' }).locator('tbody').getByRole('rowheader');
    await expect.poll(async () => (await sample.allTextContents()).sort()).toEqual(byName([one, other]));
    await page.getByRole('textbox', { name: 'Type 2 to confirm' }).fill('2');
    await button(page, 'Send to 2 people').click();

    await expect(page).toHaveURL(/\/tasks\//);
    await expect(task(page)).toHaveAttribute('data-task-status', 'QUEUED');
    await expect(badge(page)).toContainText('Held until');
    await expect.poll(() => left(badge(page)), { intervals: [100] }).toBeGreaterThan(1);
    // at once: whatever it says by now.
    const seen = await left(badge(page));
    await expect.poll(() => left(badge(page)), { intervals: [100] }).toBeLessThan(seen);
    expect(sink.taken()).toEqual([]);
    await completed(page);
    await expect.poll(() => outcomes(page)).toMatchObject({ All: 3, Done: 2, Skipped: 1, Failed: 0 });

    const taken = sink.taken();
    expect(taken.map(({ to }) => to)).toHaveLength(2);
    for (const person of [one, other]) {
      const [own] = taken.filter(({ to }) => to.join() === person.primaryEmail);
      expect(own.headers.subject).toBe(`Four slots for ${family(person)}`);
      const [greeting, ...rest] = own.plain.split(', please');
      expect(rest).toEqual([' choose one.\n\n- Monday\n- Tuesday\n\nAs typed last']);
      expect(greeting).toMatch(new RegExp(`^Dear .+ ${family(person)}$`));
      expect(given(person)).toContain(greeting.slice('Dear '.length, -family(person).length - 1));
      expect(own.html).toContain('<li>Monday</li><li>Tuesday</li>');
      expect(own.headers.from).toBe('"Katrin Lund via Northfield College" <docket@northfield.example>');
    }

    await page.getByRole('link', { name: one.name }).click();
    await expect(page.getByRole('heading', { level: 1, name: one.name })).toBeVisible();
    const messages = page.getByRole('region', { name: 'Emails', exact: true });
    await messages.getByText('Emails', { exact: true }).click();
    await expect(messages.getByRole('row', { name: /^Four slots for/ })).toContainText('Sent');
    await expect(messages).toContainText(one.primaryEmail!);
    await expect(page.getByRole('region', { name: 'Timeline' })).toContainText('Emailed: Four slots for');
    await page.goBack();
    await page.getByRole('link', { name: nobody.name }).click();
    await expect(page.getByRole('heading', { level: 1, name: nobody.name })).toBeVisible();
    await expect(messages).toHaveCount(0);
  });
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false, settings: { DOCKET__MAIL__HOLD: '10s' } });

  test('an email is written, looked at, checked, held, sent, and remembered', async ({ page, docket, sink }) => {
    await enter(page, docket);
    const people = await some(page, 2, true);
    const [one, other, nobody] = people;
    await writeTo(page, 2, people, false);
    await expect(button(page, 'First name')).toBeHidden();

    await subject(page).fill('Four slots for {last name}');
    await message(page).fill('Dear {first name | there} {last name}, please choose one.');
    await pick(page.getByLabel('Person whose email is shown'), other.name);
    await button(page, 'Show').click();
    await expect(letter(page)).toContainText(`Four slots for ${family(other)}`);
    await expect(letter(page)).toContainText(other.primaryEmail!);
    await pick(page.getByLabel('Person whose email is shown'), nobody.name);
    await button(page, 'Show').click();
    await expect(letter(page)).toContainText(`Four slots for ${family(nobody)}`);
    await expect(letter(page)).toContainText('no address');

    await message(page).fill('Dear {first name | there} {last name}, please choose two.');
    await send(page, 2);
    // Nothing is clicked: the page is loaded again by itself.
    await expect(badge(page)).toContainText('Held until');
    await completed(page);
    await expect.poll(() => outcomes(page)).toMatchObject({ All: 3, Done: 2, Skipped: 1, Failed: 0 });
    const taken = sink.taken();
    expect(taken.map(({ to }) => to.join()).sort()).toEqual([one, other].map((person) => person.primaryEmail).sort());
    for (const { headers, plain } of taken) {
      const last = headers.subject.replace('Four slots for ', '');
      expect([one, other].map(family)).toContain(last);
      expect(plain).toMatch(new RegExp(`^Dear .+ ${last}, please choose two\\.$`));
    }

    await page.getByRole('link', { name: one.name }).click();
    await expect(page.getByRole('region', { name: 'Emails', exact: true })).toContainText(one.primaryEmail!);
    await expect(page.getByRole('region', { name: 'Timeline' })).toContainText('Emailed: Four slots for');
  });

  test('a draft is saved by its button', async ({ page, docket }) => {
    await enter(page, docket);
    const people = await some(page, 2);
    await writeTo(page, 2, people, false);
    await message(page).fill('Half a thou');
    await button(page, 'Save draft').click();
    await expect(page.getByText('Draft saved', { exact: true })).toBeVisible();
    await writeTo(page, 2, people, false);
    await expect(message(page)).toHaveValue('Half a thou');
  });
});

test.describe('within a long hold', () => {
  test.use({ settings: { DOCKET__MAIL__HOLD: '60s' } });

  test('an email is cancelled, and nothing of it leaves', async ({ page, docket, sink }) => {
    await enter(page, docket);
    const people = await some(page, 3);
    await writeTo(page, 3, people);
    await subject(page).fill('Sent too soon');
    await message(page).fill('Come, {first name, now.');
    await button(page, 'Check 2 people').click();
    await expect(page.getByText('“{first name, now.” will be sent exactly as written.')).toBeVisible();
    await expect(page.getByText('Held for 60 seconds', { exact: true })).toBeVisible();
    await page.getByRole('textbox', { name: 'Type 2 to confirm' }).fill('2');
    await button(page, 'Send to 2 people').click();
    await expect(page).toHaveURL(/\/tasks\//);
    await hydrated(page);
    await expect.poll(() => left(badge(page))).toBeGreaterThan(30);
    const hold = page.getByRole('region', { name: /^Sends in/ });
    await expect(hold.getByRole('heading')).toHaveText(/^Sends in [345]\d s$/);
    await expect(hold, 'an email changes nobody').toContainText('If you cancel now, nobody is emailed.');
    await expect(page.getByRole('link', { name: 'Cancel…' })).toHaveCount(0);
    await expect(letter(page), 'what is held can be read').toContainText('Come, {first name, now.');
    await hold.getByRole('button', { name: 'Cancel email' }).click();
    await expect(task(page)).toHaveAttribute('data-task-status', 'ABANDONED');
    await expect(badge(page)).toHaveText('Cancelled');
    await expect.poll(() => outcomes(page)).toMatchObject({ Done: 0, Failed: 0 });
    expect(sink.taken()).toEqual([]);
  });

  for (const scripts of [true, false]) {
    test.describe(scripts ? 'with scripts' : 'without scripts', () => {
      test.use({ javaScriptEnabled: scripts });

      test('an email is sent before its hold is over', async ({ page, docket, sink }) => {
        await enter(page, docket);
        const people = await some(page, 12);
        await writeTo(page, 12, people, scripts);
        await subject(page).fill('Right away');
        await message(page).fill('Dear {first name}, come now.');
        await send(page, 2);
        const hold = page.getByRole('region', { name: /^Sends in/ });
        await expect(hold).toContainText('2 people will get it at');
        expect(sink.taken()).toEqual([]);
        await hold.getByRole('button', { name: 'Send now' }).click();
        await completed(page);
        await expect(hold).toHaveCount(0);
        await expect.poll(() => sink.taken().length).toBe(2);
        await expect(page.getByText('Hold ended by')).toBeVisible();
      });
    });
  }
});

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

  await button(page, 'Discard draft').click();
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
  await other.getByRole('link', { name: 'Cancel' }).click();
  await expect(subject(other)).toHaveValue('Written there');
  await other.getByText('Templates (1)').click();
  await button(other, 'Use').click();
  await expect(subject(other)).toHaveValue('Written here');
});

test('what is typed just before somebody leaves is kept', async ({ page, docket }) => {
  await enter(page, docket);
  const people = await some(page, 4);
  await writeTo(page, 4, people);
  await subject(page).fill('Typed in a hurry');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'My tasks' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'My tasks' })).toBeVisible();
  await writeTo(page, 4, people);
  await expect(subject(page)).toHaveValue('Typed in a hurry');
});

test('one copy of the whole email goes to the address that is given', async ({ page, docket, sink }) => {
  await enter(page, docket);
  await writeTo(page, 7, await some(page, 7, true));
  await subject(page).fill('Open day');
  await message(page).fill('Dear {first name},\n\ncome.');
  await page.getByLabel('Copy to').fill('head@northfield.example');
  const counts = page.getByRole('region', { name: 'Who gets it' }).locator('table:visible');
  await expect(counts).toHaveAttribute('data-who', 'PRIMARY');
  await expect(counts.getByRole('row', { name: 'get an email' })).toHaveText(/^2/);
  await tick(page.getByRole('radio', { name: /^Secondary email/ }));
  await expect(counts, 'the counts are of the addresses that are chosen').toHaveAttribute('data-who', 'SECONDARY');
  await tick(page.getByRole('radio', { name: /^Primary email/ }));
  await send(page, 2);
  await completed(page);
  const [copy, ...more] = sink.taken().filter(({ to }) => to.join() === 'head@northfield.example');
  expect(more).toEqual([]);
  expect(sink.taken()).toHaveLength(3);
  expect(copy.headers.subject).toBe('Copy: Open day');
  expect(copy.plain).toMatch(/Dear \{first name\},\n\ncome\.$/);
  expect(copy.plain).toContain('the copy of an email');
});

test('a note that a message came back is kept, on the smallest screen as well', async ({ page, docket }) => {
  await enter(page, docket);
  const people = await some(page, 5);
  await writeTo(page, 5, people);
  await subject(page).fill('Open day');
  await send(page, 2);
  await completed(page);
  await page.getByRole('link', { name: people[0].name }).click();
  const messages = page.getByRole('region', { name: 'Emails', exact: true });
  const why = messages.getByLabel('Why it bounced');
  await page.setViewportSize({ width: 375, height: 900 });
  await messages.getByText('Emails', { exact: true }).click();
  await messages.getByText('Add bounce…').click();
  await expect(why).toBeInViewport({ ratio: 1 });
  await why.fill('Mailbox full');
  await messages.getByRole('button', { name: 'Save' }).click();
  await expect(messages.getByText('Mailbox full')).toBeVisible();
  await expect(messages.getByText('noted by Katrin Lund')).toBeVisible();
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
      await page.getByLabel('Start').fill('2099-05-31T09:30');
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
      await expect(page.getByLabel('Start')).toHaveValue('2099-05-31T09:30');

      await message(page).fill('Hello {first name},\n\n<b>see</b> you & yours.');
      await page.getByLabel('Copy to').fill('head@northfield.example');
      await button(page, 'Check 2 people').click();
      await expect(page.getByRole('heading', { name: 'What will happen' })).toBeVisible();
      await page.getByRole('link', { name: 'Cancel' }).click();
      await expect(message(page)).toHaveValue('Hello {first name},\n\n<b>see</b> you & yours.');
      await expect(letter(page)).toContainText('<b>see</b> you & yours.');
      await expect(page.getByLabel('Copy to')).toHaveValue('head@northfield.example');
      await expect(page.getByLabel('Reason')).toHaveValue('Spring term');
      await expect(page.getByLabel('Start')).toHaveValue('2099-05-31T09:30');
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
      await button(page, 'Discard draft').click();
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

test.describe('without a mail server', () => {
  test.use({ settings: { DOCKET__MAIL__SMTP_URL: '', DOCKET__MAIL__HOLD: '0s' } });

  test('everybody sees at once that no email leaves, and what to do before it is sent again', async ({ page, docket, sink }) => {
    await enter(page, docket);
    await writeTo(page, 9, await some(page, 9));
    await expect(page.getByText('Email is not set up on this server')).toBeVisible();
    await expect(page.getByText('Ask an administrator to set up email.')).toBeVisible();
    await subject(page).fill('Into the void');
    await submitUnsent(page, 2);
    await completed(page);
    await expect(badge(page)).toContainText('problems');
    await expect.poll(() => outcomes(page)).toMatchObject({ All: 2, Done: 0, Failed: 2 });
    const rows = page.getByRole('table', { name: /what became of them/ }).locator('tbody tr');
    await expect(rows.filter({ hasText: 'email is not set up' })).toHaveCount(2);
    expect(sink.taken()).toEqual([]);

    // The cause is told once, and nothing is offered that would fail again.
    const cause = page.getByRole('heading', { name: '2 people failed: email is not set up' });
    await expect(cause).toBeVisible();
    await expect(page.getByText('Ask an administrator to set up email. Then a button to resend it appears here.')).toBeVisible();
    await expect(button(page, /^Resend/)).toHaveCount(0);
  });
});

test.describe('without a mail server, while it is held', () => {
  test.use({ settings: { DOCKET__MAIL__SMTP_URL: '', DOCKET__MAIL__HOLD: '60s' } });

  test('an email that cannot be sent is kept as a draft, and what is submitted anyway promises nothing', async ({ page, docket }) => {
    await enter(page, docket);
    await writeTo(page, 14, await some(page, 14));
    await subject(page).fill('For later');
    await button(page, 'Check 2 people').click();
    await page.getByRole('link', { name: 'Keep as draft' }).click();
    await expect(page.getByText('Draft saved', { exact: true })).toBeVisible();
    await expect(subject(page)).toHaveValue('For later');
    await expect(button(page, 'Send a test to me'), 'it would fail').toHaveCount(0);
    await hydrated(page);

    await submitUnsent(page, 2);
    await hydrated(page);
    const hold = page.getByRole('region', { name: /^Fails in/ });
    await expect(hold).toContainText('2 people will be listed as failed at');
    await expect.poll(() => left(badge(page))).toBeGreaterThan(20);
    await expect(button(page, /^Send/)).toHaveCount(0);
    await hold.getByRole('button', { name: 'Cancel email' }).click();
    await expect(badge(page)).toHaveText('Cancelled');
  });
});

test('with the keyboard alone, from the composer to an email that is sent', async ({ page, docket, sink }) => {
  await enter(page, docket);
  const people = await some(page, 10);
  await writeTo(page, 10, people);
  // One can write at once.
  await expect(subject(page)).toBeFocused();
  await page.keyboard.type('By hand');
  await tabTo(page, message(page));
  await page.keyboard.type('Come.');
  await expect(message(page), 'below the greeting').toHaveValue(/^Hello \{first name \| there\},\n\nCome\.\n\nKatrin Lund$/);
  await expect(letter(page), 'as it is typed').toContainText('Come.');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('Dear ');
  await tabTo(page, button(page, 'Last name'));
  await page.keyboard.press('Enter');
  await expect(message(page)).toBeFocused();
  await expect(message(page)).toHaveValue('Dear {last name}');
  await tabTo(page, page.getByRole('checkbox', { name: 'Write a journal entry' }));
  await page.keyboard.press('Space');
  await tabTo(page, button(page, 'Check 2 people'));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'What will happen' })).toBeVisible();
  await hydrated(page);
  await tabTo(page, page.getByRole('textbox', { name: 'Type 2 to confirm' }));
  await page.keyboard.type('2');
  await tabTo(page, button(page, 'Send to 2 people'));
  await page.keyboard.press('Enter');
  await completed(page);
  expect(sink.taken().map(({ plain }) => plain).sort()).toEqual(people.map((person) => `Dear ${family(person)}`).sort());
});

test.describe('for every eye', () => {
  // Colours on their way from one to the other are nobody's colours.
  test.use({ contextOptions: { reducedMotion: 'reduce' }, settings: { DOCKET__MAIL__HOLD: '60s' } });

  test('writing, mistakes, the check, and a task that is held', async ({ page, docket }) => {
    await enter(page, docket);
    await writeTo(page, 11, await some(page, 11));
    await check(page);
    await page.locator('summary', { hasText: 'Templates' }).click();
    await message(page).fill('{frist name}');
    await page.getByLabel('Copy to').fill('head@northfield');
    await subject(page).fill('x'.repeat(201));
    await button(page, 'Check 2 people').click();
    await expect(page.getByRole('alert')).toBeVisible();
    await hydrated(page);
    await check(page);

    await subject(page).fill('Slots');
    await message(page).fill('Dear {first name},\n\n- *one*\n- https://northfield.example/slots');
    await page.getByLabel('Copy to').fill('');
    await button(page, 'Check 2 people').click();
    await expect(page.getByRole('heading', { name: 'What will happen' })).toBeVisible();
    await hydrated(page);
    await check(page);
    await page.getByRole('textbox', { name: 'Type 2 to confirm' }).fill('2');
    await button(page, 'Send to 2 people').click();
    await expect(task(page)).toHaveAttribute('data-task-status', 'QUEUED');
    await hydrated(page);
    await expect.poll(() => left(badge(page))).toBeGreaterThan(1);
    await check(page);
  });

  test.describe('at its end', () => {
    test.use({ settings: { DOCKET__MAIL__HOLD: '0s' } });

    test('a task that has ended, a person who was written to, and the settings', async ({ page, docket, sink }) => {
      await enter(page, docket);
      await giveAddress(page, 'lund@northfield.example', sink);
      await hydrated(page);
      await check(page);
      const people = await some(page, 8, true);
      await writeTo(page, 8, people);
      await subject(page).fill('Slots');
      await send(page, 2);
      await completed(page);
      await check(page);
      await page.getByRole('link', { name: people[0].name }).click();
      const messages = page.getByRole('region', { name: 'Emails', exact: true });
      await messages.getByText('Emails', { exact: true }).click();
      await messages.getByText('Add bounce…').click();
      await check(page);
      await messages.getByLabel('Why it bounced').fill('Mailbox full');
      await messages.getByRole('button', { name: 'Save' }).click();
      await expect(messages).toContainText('noted by Katrin Lund');
      await hydrated(page);
      await check(page);
    });

    test.describe('without a mail server', () => {
      test.use({ settings: { DOCKET__MAIL__SMTP_URL: '', DOCKET__MAIL__HOLD: '0s' } });

      test('the warning, and an email that did not leave', async ({ page, docket }) => {
        await enter(page, docket);
        await writeTo(page, 13, await some(page, 13));
        await subject(page).fill('Slots');
        await check(page);
        await submitUnsent(page, 2);
        await completed(page);
        await expect(page.getByRole('heading', { name: '2 people failed: email is not set up' })).toBeVisible();
        await check(page);
      });
    });
  });
});
