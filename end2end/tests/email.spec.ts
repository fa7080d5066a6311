// Email, from the people to the mailbox and back to the page of a person, with and without scripts.
import { expect } from '@playwright/test';

import { badge, button, byName, emailsTo, enter, family, given, left, letter, message, send, some, subject, submitUnsent, writeTo } from '../support/email';
import { tabTo } from '../support/keyboard';
import { test } from '../support/mail';
import { pick, tick } from '../support/mouse';
import { completed, hydrated, numbers, outcomes, task } from '../support/pages';
import { inProse } from '../support/people';
import { signIn } from '../support/session';

// Each test has a server of its own, so that none has to wait for another.
test.describe.configure({ mode: 'parallel' });

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

    await pick(whose, other.name);
    await button(page, 'Check 3 people').click();
    await page.getByRole('link', { name: /^Show all/ }).click();
    await page.getByRole('link', { name: 'Back to the check' }).click();
    await expect(letter(page), 'whom it was shown for is kept').toContainText(other.primaryEmail!);
    await page.getByRole('link', { name: 'Back', exact: true }).click();
    await expect(whose.locator('option:checked'), 'and by the way back').toHaveText(other.name);
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
    await expect.poll(() => outcomes(page)).toMatchObject({ All: 3, Done: 2, Skipped: 1 });

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
    await expect(page.getByRole('heading', { level: 1, name: inProse(one.name) })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Timeline' })).toContainText('Email “Four slots for');
    const messages = await emailsTo(page);
    await expect(messages.getByRole('row', { name: /^Four slots for/ })).toContainText('Sent');
    await expect(messages).toContainText(one.primaryEmail!);
    await page.goBack();
    await page.goBack();
    await page.getByRole('link', { name: nobody.name }).click();
    await expect(page.getByRole('heading', { level: 1, name: inProse(nobody.name) })).toBeVisible();
    await emailsTo(page);
    await expect(page.getByText('No emails on record.')).toBeVisible();
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
    await expect.poll(() => outcomes(page)).toMatchObject({ All: 3, Done: 2, Skipped: 1 });
    const taken = sink.taken();
    expect(taken.map(({ to }) => to.join()).sort()).toEqual([one, other].map((person) => person.primaryEmail).sort());
    for (const { headers, plain } of taken) {
      const last = headers.subject.replace('Four slots for ', '');
      expect([one, other].map(family)).toContain(last);
      expect(plain).toMatch(new RegExp(`^Dear .+ ${last}, please choose two\\.$`));
    }

    await page.getByRole('link', { name: one.name }).click();
    await expect(page.getByRole('region', { name: 'Timeline' })).toContainText('Email “Four slots for');
    await expect(await emailsTo(page)).toContainText(one.primaryEmail!);
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
    await expect.poll(() => outcomes(page)).toMatchObject({ Done: 0 });
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
  await page.setViewportSize({ width: 375, height: 900 });
  const messages = await emailsTo(page);
  const why = messages.getByLabel('Why it bounced');
  await messages.getByText('Add bounce…').click();
  await expect(why).toBeInViewport({ ratio: 1 });
  await why.fill('Mailbox full');
  await messages.getByRole('button', { name: 'Save' }).click();
  await expect(messages.getByText('Mailbox full')).toBeVisible();
  await expect(messages.getByText('noted by Katrin Lund')).toBeVisible();
});

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
    await expect(page.getByRole('region', { name: 'Progress' })).toContainText('Failed for all 2 people; no emails sent');
    const cause = page.getByRole('heading', { name: 'Email is not set up' });
    await expect(cause).toBeVisible();
    await expect(page.getByText('Ask an administrator to set up email. Until then it cannot be resent.')).toBeVisible();
    await expect(button(page, 'Resend to the 2 failed')).toBeDisabled();
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

  test('an administrator sees that a held email will fail, and where to set email up', async ({ page, docket }) => {
    await enter(page, docket);
    await writeTo(page, 15, await some(page, 15));
    await subject(page).fill('In vain');
    await submitUnsent(page, 2);
    const { pathname } = new URL(page.url());
    await page.context().clearCookies();
    await signIn(page, 'admin', docket.passwords.admin);
    await page.goto(`/admin${pathname}`);
    await hydrated(page);
    const why = page.getByRole('region', { name: 'Why is it held?' });
    await expect(why).toContainText(/Held until .*, so that it can be cancelled/);
    await expect(why).toContainText('Email is not set up: all 2 people will fail.');
    await expect(why.getByRole('link', { name: 'See the setting' })).toHaveAttribute('href', '/admin/settings#mail.smtp_url');
    await expect(button(page, 'Close task')).toBeVisible();
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
