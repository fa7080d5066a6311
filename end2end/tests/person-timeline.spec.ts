// What happened to one person, as one list on their page, with and without scripts.
import { expect } from '@playwright/test';

import { block, changeable } from '../support/people';
import { change, test } from '../support/queue';
import { signIn } from '../support/session';

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('what happened to a person is one list, and one sort of it by itself', async ({ page }) => {
      await signIn(page, 'manager');
      const from = javaScriptEnabled ? 'ACTIVE' : 'NO_SHOW';
      const [id] = await changeable(page.request, block(1), 'INACTIVE', 1, from);
      const taskId = await change(page.request, [id], 'INACTIVE');
      await page.goto(`/people/${id}`);
      const timeline = page.getByRole('region', { name: 'Timeline' });
      const latest = timeline.getByRole('listitem').filter({ hasText: 'by Katrin Lund' }).first();
      await expect(latest).toContainText('became Inactive');
      await expect(timeline.getByText('Added to Docket')).toBeVisible();
      await timeline.getByRole('link', { name: 'Status', exact: true }).click();
      await expect(page).toHaveURL(`/people/${id}?only=status`);
      await expect(timeline.getByRole('heading', { name: 'Timeline: Status' })).toBeVisible();
      await expect(timeline.getByText('Added to Docket')).toHaveCount(0);
      await expect(latest).toContainText('became Inactive');
      await latest.getByRole('link', { name: 'Task' }).click();
      await expect(page).toHaveURL(`/tasks/${taskId}`);
      await page.goBack();
      await timeline.getByRole('link', { name: 'Coach', exact: true }).click();
      await expect(timeline.getByText('No change of coach on record.')).toBeVisible();
    });
  });
}
