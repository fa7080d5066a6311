// The pages of an email, for every eye.
import { expect } from '@playwright/test';

import { check } from '../support/axe';
import { badge, button, emailsTo, enter, giveAddress, left, message, send, some, subject, submitUnsent, writeTo } from '../support/email';
import { test } from '../support/mail';
import { completed, hydrated, task } from '../support/pages';

// Each test has a server of its own, so that none has to wait for another.
test.describe.configure({ mode: 'parallel' });

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
      const messages = await emailsTo(page);
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
        await expect(page.getByRole('heading', { name: 'Email is not set up' })).toBeVisible();
        await check(page);
      });
    });
  });
});
