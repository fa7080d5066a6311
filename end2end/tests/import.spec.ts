// A file of people on its way in: its columns are matched, what would happen is counted, and that is what then happens. With and
// without scripts.
import { readFile } from 'node:fs/promises';

import { expect, type Page } from '@playwright/test';

import { read } from '../support/api';
import { pick, tick } from '../support/mouse';
import { completed, hydrated, outcomes } from '../support/pages';
import { test } from '../support/queue';
import { signIn } from '../support/session';

interface Person {
  schoolId: string;
  name: string;
  homeCampus: string;
}

for (const scripts of [true, false]) {
  test.describe(scripts ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled: scripts });
    const ready = async (page: Page) => void (scripts && (await hydrated(page)));
    const field = (page: Page, column: string) => page.getByLabel(`Docket field for ${column}`, { exact: true });

    /** With scripts each choice is counted by itself. */
    const counted = async (page: Page) => {
      if (!scripts) await page.getByRole('button', { name: 'Count again' }).click();
    };

    /** Chooses a file and goes on. */
    const upload = async (page: Page, text: string) => {
      await page.goto('/admin/import');
      await ready(page);
      const file = { name: 'fall.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
      await page.getByLabel('CSV file').setInputFiles(file);
      await page.getByRole('button', { name: 'Continue' }).click();
      await expect(page.getByRole('heading', { name: 'Match columns' })).toBeVisible();
      await ready(page);
    };

    test('columns are matched, what would happen is counted, and that happens', async ({ page }) => {
      const [key, name] = scripts ? ['PRE-1', 'Registry roster'] : ['PRE-2', 'Registry roster without scripts'];
      await signIn(page, 'admin');
      const { items } = await read<{ items: Person[] }>(page.request, '/api/1/people', { limit: '1', q: `G1-000${scripts ? 12 : 13}` });
      const [known] = items;
      const header = `Student_No,Surname,Forename,Whereabouts ${key},Tutor code`;
      const last = known.name.split(', ')[0];
      const file = `${header}\n${known.schoolId},${last},Renata,Elsewhere ${key},T-1\n${key},Abara,Chidinma,Elsewhere ${key},T-2\n,Nobody,Nils,,T-3\n`;
      await upload(page, file);
      await expect(page.getByText(/3 lines, 5 columns, \d+ bytes\. Separated by commas, UTF-8/)).toBeVisible();
      await expect(field(page, 'Student_No').locator('option:checked')).toHaveText('School ID');
      await expect(field(page, 'Forename').locator('option:checked')).toHaveText('First name');
      await expect(field(page, 'Tutor code').locator('option:checked')).toHaveText('Do not import');

      // Two columns for one field: it is said beside the second one, and what was chosen stays.
      await pick(field(page, `Whereabouts ${key}`), 'Home campus');
      await pick(field(page, 'Tutor code'), 'Home campus');
      await counted(page);
      await expect(page.getByText('Home campus is matched to')).toBeVisible();
      if (scripts) await expect(field(page, 'Tutor code'), 'whoever matches one column after the other stays where they are').toBeFocused();
      await expect(field(page, 'Tutor code').locator('option:checked')).toHaveText('Home campus');
      await expect(page.getByRole('button', { name: /^Import/ })).toHaveCount(0);
      await ready(page);
      await pick(field(page, 'Tutor code'), 'Do not import');
      await counted(page);
      const sum = page.getByRole('table', { name: 'Lines by what the import does with them' });
      await expect(sum.getByRole('row')).toHaveText([/Lines/, /^1new person/, /^1person changed/, /^0unchanged/, /^1unreadable/, /^3lines/]);
      await expect(page.getByText(`Home campus: ${known.homeCampus} → Elsewhere ${key}`)).toBeVisible();
      await expect(page.getByText('Line 4: Student_No: the school ID is missing')).toBeVisible();

      await ready(page);
      await page.getByRole('button', { name: 'Show lines: 1 person changed' }).click();
      await expect(page.getByRole('heading', { name: 'People changed' })).toBeVisible();
      await ready(page);
      await expect(page.getByLabel('Name of this matching')).toBeHidden();
      await tick(page.getByLabel('Save this matching'));
      await page.getByRole('button', { name: 'Import 2 people' }).click();
      await expect(page.getByText('Name the matching, or clear “Save this matching”.')).toBeVisible();
      await ready(page);
      await page.getByLabel('Name of this matching').fill(name);
      await page.getByRole('button', { name: 'Import 2 people' }).click();
      await completed(page);
      await expect.poll(() => outcomes(page)).toEqual({ All: 3, Done: 2, Skipped: 0, Failed: 0, Unreadable: 1 });
      await expect(page.getByText('1 person added, 1 person changed, 1 unreadable line')).toBeVisible();
      await expect(page.getByRole('heading', { name: 'Lines', exact: true })).toBeVisible();
      await expect(page.getByRole('link', { name: 'Show it' })).toBeVisible();

      // The same columns once more: the matching is used by itself, and there is nothing left to do.
      await upload(page, file.split('\n').slice(0, 3).join('\n'));
      await expect(page.getByLabel('Start from').locator('option:checked')).toHaveText(name);
      await expect(field(page, `Whereabouts ${key}`).locator('option:checked')).toHaveText('Home campus');
      await expect(page.getByText('Nothing would change, so there is nothing to import.')).toBeVisible();
      await page.getByRole('button', { name: 'Cancel and delete the file' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Import people' })).toBeVisible();
      await expect(page.getByLabel('CSV file')).toBeVisible();
      await expect(page.getByRole('link', { name: 'fall.csv' })).toHaveCount(0);
    });

    test('a file with semicolons is read as such, its lines are turned over, and the unreadable ones taken away', async ({ page }) => {
      const key = scripts ? 'SEMI-1' : 'SEMI-2';
      await signIn(page, 'admin');
      const lines = Array.from({ length: 7 }, (_, n) => `${key}-${n};Holm ${n};`);
      await upload(page, ['id;Surname;E-mail', ...lines, `${key}-0;Holm again;`, `${key}-9;=1+1;nowhere`, ''].join('\n'));
      const separator = page.getByLabel('Separator');
      await expect(separator.locator('option:checked')).toHaveText('Semicolons');
      await expect(page.getByText(/Separated by semicolons, UTF-8/)).toBeVisible();
      await expect(separator).toBeHidden();
      const sum = page.getByRole('table', { name: 'Lines by what the import does with them' });
      await expect(sum.getByRole('row', { name: /^1 ?repeated/ })).toBeVisible();
      await expect(sum.getByRole('row', { name: /^1 ?unreadable/ })).toBeVisible();

      const read = page.getByRole('table', { name: 'Lines of the file with what the import would do' });
      await expect(read).toContainText('Holm 4');
      await expect(read).not.toContainText('Holm 5');
      await page.getByRole('button', { name: 'Next lines' }).click();
      await expect(read).toContainText('Holm 6');
      await expect(read).toContainText(`“${key}-0” is already in line 2`);
      await expect(read).not.toContainText('Holm 4');
      await expect(page.getByRole('button', { name: 'Next lines' })).toHaveCount(0);
      await page.getByRole('button', { name: 'Show the first lines' }).click();
      await expect(read).toContainText('Holm 4');

      const taken = async () => {
        const download = page.waitForEvent('download');
        await page.getByRole('link', { name: 'Download the unreadable lines' }).click();
        return readFile(await (await download).path(), 'utf8');
      };
      const wrong = `"10","E-mail: “nowhere” is not an email address","${key}-9","'=1+1","nowhere"`;
      await expect.poll(taken).toContain(wrong);

      // By commas it is one column, and what was matched is found out anew.
      await ready(page);
      await page.getByText('Read it differently').click();
      await pick(separator, 'Commas');
      await page.getByRole('button', { name: 'Read again' }).click();
      await expect(page.getByText(/Separated by commas \(your choice\)/)).toBeVisible();
      await expect(page.getByText('No column is matched to School ID')).toBeVisible();
      await ready(page);
      await pick(separator, 'Semicolons');
      await page.getByRole('button', { name: 'Read again' }).click();
      await expect(field(page, 'Surname').locator('option:checked')).toHaveText('Last name');
      await ready(page);
      await page.getByRole('button', { name: 'Import 7 people' }).click();
      await completed(page);
      await expect.poll(() => outcomes(page)).toMatchObject({ All: 9, Skipped: 1, Unreadable: 1 });
      await expect.poll(taken).toContain(wrong);
    });

    test('a reason is chosen beside a value that means a status that needs one', async ({ page }) => {
      const key = scripts ? 'WHY-1' : 'WHY-2';
      await signIn(page, 'admin');
      await upload(page, `id,Surname,Result\n${key},Holm,Fail\n`);
      await pick(field(page, 'Result'), 'Program status');
      await counted(page);
      await expect(page.getByText('“Fail” is not a known value. Match it under “Result”')).toBeVisible();
      await expect(page.getByText('No line can be imported.')).toBeVisible();
      await ready(page);
      await expect(page.getByLabel('Reason for Fail')).toBeHidden();
      await pick(page.getByLabel('What Fail means'), 'Non-participating');
      await expect(page.getByLabel('Reason for Fail'), 'before anything is counted').toBeVisible();
      await counted(page);
      await expect(page.getByText('Choose the reason of this status.')).toBeVisible();
      await expect(page.getByRole('listitem').getByText('Non-participating needs a reason. Choose one beside the value')).toBeVisible();
      await ready(page);
      await pick(page.getByLabel('Reason for Fail'), 'Health');
      await counted(page);
      await ready(page);
      const back = page.url();
      await page.getByRole('button', { name: 'Import 1 person' }).click();
      await completed(page);
      await expect.poll(() => outcomes(page)).toMatchObject({ All: 1 });
      await page.goto(back);
      await page.getByRole('link', { name: 'See the task' }).click();
      await completed(page);
    });

    test('a fresh file is not greeted with a mistake that nobody made', async ({ page }) => {
      await signIn(page, 'admin');
      await upload(page, `id,Surname,Status\n${scripts ? 'CALM-1' : 'CALM-2'},Holm,Non-participating\n`);
      const reason = page.getByLabel('Reason for Non-participating');
      await expect(page.getByText('Choose the reason of this status.')).toBeVisible();
      await expect(reason).not.toHaveAttribute('aria-invalid');
      await expect(reason).not.toBeFocused();
      await expect(page.getByText('1 of 1 value matched, 1 needs a reason')).toBeVisible();
      await expect(page.getByText('1 to check')).toBeVisible();
      await ready(page);
      await counted(page);
      if (!scripts) await expect(reason).toHaveAttribute('aria-invalid', 'true');
      await page.getByRole('button', { name: 'Cancel and delete the file' }).click();
      await expect(page.getByLabel('CSV file')).toBeVisible();
    });

    test('what empty cells take away is said before it happens', async ({ page }) => {
      await signIn(page, 'admin');
      const { items } = await read<{ items: (Person & { primaryEmail: string })[] }>(page.request, '/api/1/people', { limit: '1', q: 'G1-00014' });
      const [known] = items;
      const [last, first] = known.name.split(', ');
      await upload(page, `id,Surname,Forename,E-mail,Status\n${known.schoolId},${last},${first},,Inactive\n`);
      const read1 = page.getByRole('table', { name: 'Lines of the file with what the import would do' });
      const told = read1.getByRole('listitem');
      await expect(told.first()).toHaveText(/^Program status: .+ → Inactive$/);
      await expect(told.filter({ hasText: 'Primary email is emptied' })).toContainText(`it was ${known.primaryEmail}`);
      const warning = page.getByRole('region', { name: 'Empty cells delete what Docket has' });
      await expect(warning).toContainText('Primary email of 1 person, line 2');
      await page.getByRole('button', { name: 'Cancel and delete the file' }).click();
      await expect(page.getByLabel('CSV file')).toBeVisible();
    });

    test('a matching begins anew with guesses, and a saved one is deleted', async ({ page }) => {
      const name = scripts ? 'Alumni office' : 'Alumni office without scripts';
      await signIn(page, 'admin');
      await upload(page, `id,Surname,Code ${name}\n${scripts ? 'PRE-3' : 'PRE-4'},Ahlgren,x\n`);
      await pick(field(page, `Code ${name}`), 'Extra field');
      await counted(page);
      await expect(page.getByText('Your choice')).toBeVisible();
      await ready(page);
      await tick(page.getByLabel('Save this matching'));
      await page.getByLabel('Name of this matching').fill(name);
      await page.getByRole('button', { name: 'Import 1 person' }).click();
      await completed(page);

      // By what is kept under its own name people are found.
      await page.goto('/people?scope=all');
      await ready(page);
      await page.getByText('Other fields').click();
      await page.getByLabel(`Code ${name}`, { exact: true }).fill('x');
      await page.getByLabel(`Code ${name}`, { exact: true }).press('Enter');
      await expect(page.getByRole('row', { name: /Ahlgren/ })).toHaveCount(1);
      await expect(page.locator('#results tbody tr')).toHaveCount(1);

      await upload(page, `id,Surname,Code ${name}\nPRE-5,Ahlgren,x\n`);
      await expect(field(page, `Code ${name}`).locator('option:checked')).toHaveText('Extra field');
      await pick(page.getByLabel('Start from'), 'Guesses from names and values');
      await page.getByRole('button', { name: 'Use', exact: true }).click();
      await expect(field(page, `Code ${name}`).locator('option:checked')).toHaveText('Do not import');
      await expect(page.getByRole('button', { name: 'Delete this matching' })).toHaveCount(0);
      await ready(page);
      await pick(page.getByLabel('Start from'), name);
      await page.getByRole('button', { name: 'Use', exact: true }).click();
      await expect(field(page, `Code ${name}`).locator('option:checked')).toHaveText('Extra field');
      // What was chosen and not counted yet is kept.
      await ready(page);
      await pick(field(page, `Code ${name}`), 'Declared major');
      await page.getByRole('button', { name: 'Delete this matching' }).click();
      await expect(field(page, `Code ${name}`).locator('option:checked')).toHaveText('Declared major');
      await expect(page.getByLabel('Start from').locator('option', { hasText: name })).toHaveCount(0);
      await page.getByRole('button', { name: 'Cancel and delete the file' }).click();
      await expect(page.getByLabel('CSV file')).toBeVisible();
    });
  });
}
