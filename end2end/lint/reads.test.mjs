// What the linter finds, and what it leaves alone: each example is a file that it is run on, as it is set up for the tests.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

const inTest = (code) => `test('t', async ({ page }) => {\n${code}\n});`;
const reads = [
  ...['innerText()', "getAttribute('value')", 'textContent()', 'inputValue()', 'count()', 'boundingBox()', 'allInnerTexts()'],
  ...['isVisible()', 'isHidden()', 'isEnabled()', 'isDisabled()', 'isEditable()', 'isChecked()', 'allTextContents()'],
  ...['evaluateAll((all) => all.length)', 'evaluate((one: Element) => one.id)'],
];
const everyRow = "page.evaluate(() => [...document.querySelectorAll('tbody tr')].every((row) => row.getAttribute('open')))";
const names = 'const names = (page: Page): Promise<string[]> => rows(page).allTextContents();\n';
const listed = "import { listed as found } from '../support/admin';\n";

const READS_ONCE = [
  ...reads.flatMap((read) => [
    inTest(`const x = await l.${read};\nexpect(x).toBe(1);`),
    inTest(`expect(\n  tidy(await l.${read}),\n).toBe(1);`),
    inTest(`if (await l.${read}) await l.click();`),
  ]),
  inTest('expect((await l.all()).length).toBe(1);'),
  inTest(`const all = await ${everyRow};\nexpect(all).toBe(true);`),
  inTest("expect(new URL(page.url()).pathname).toBe('/');"),
  inTest('await expect.poll(() => done).toBe(await l.count());'),
  inTest('// at once:\nconst x = await l.count();'),
  inTest('// at once: this one.\nconst x = 1;\nconst y = await l.count();'),
  names + inTest('expect(await names(page)).toEqual([]);'),
  inTest('const a = async () => l.innerText();\nconst b = async () => [await a()];\nexpect(await b()).toEqual([1]);'),
  "export const other = (page: Page) => page.locator('b').textContent();",
  listed + inTest('expect(await found(page)).toBe(1);'),
  listed + inTest('const all = await Promise.all(pages.map(found));'),
];

const WAITS = [
  ...reads.flatMap((read) => [
    inTest(`await expect.poll(async () => tidy(await l.${read})).toBe(1);`),
    inTest(`await expect(async () => {\n  const x = await l.${read};\n  expect(tidy(x)).toBe(1);\n}).toPass();`),
    inTest(`// at once: it never changes.\nconst x = await l.${read};\nexpect(tidy(x)).toBe(1);`),
  ]),
  inTest(`await expect.poll(() => ${everyRow}).toBe(true);`),
  inTest('await expect(rows).toHaveCount(3);\nconst all = await Promise.all([first, second]);'),
  inTest('await page.evaluate(() => (window.stillHere = true));\nawait l.evaluate((form) => form.remove());'),
  inTest("await page.addInitScript(() => {\n  window.first = document.body.getAttribute('class');\n});"),
  inTest('await other.goto(page.url());'),
  names + inTest('await expect.poll(() => names(page)).toEqual([]);'),
  inTest("const shown = async () => (await l.innerText()).trim();\nawait expect.poll(shown).toBe('x');"),
  inTest("const middle = (box) => box.getAttribute('x');\nawait expect(async () => click(await l.evaluate(middle))).toPass();"),
  "export const listed = (page: Page) => page.locator('b').textContent();",
  listed + inTest('await expect.poll(() => found(page)).toBe(1);'),
];

const OF_OTHERS = {
  'eslint(no-restricted-properties)': inTest('await page.waitForTimeout(500);'),
  'typescript(no-floating-promises)': 'const click = async (): Promise<void> => {};\nclick();',
  'playwright(prefer-web-first-assertions)': inTest("// at once: no.\nexpect(await page.locator('b').isVisible()).toBe(true);"),
  'playwright(missing-playwright-await)': inTest("expect(page.locator('b')).toBeVisible();"),
  'playwright(valid-expect)': inTest('expect(1);'),
  'playwright(no-focused-test)': "test.only('t', async () => {});",
};

/** What is found in each of these, as the names of rules. */
function found(examples) {
  const folder = mkdtempSync(join(tmpdir(), 'docket-lint-'));
  try {
    for (const [at, code] of examples.entries()) {
      writeFileSync(join(folder, `${at}.spec.ts`), `import { expect, test } from '@playwright/test';\n${code}\n`);
    }
    const here = join(import.meta.dirname, '..');
    const words = ['--config', join(here, '.oxlintrc.json'), '--format', 'json', folder];
    const { stdout } = spawnSync(join(here, 'node_modules/.bin/oxlint'), words, { cwd: here, encoding: 'utf8' });
    const { diagnostics, number_of_files: files } = JSON.parse(stdout);
    assert.equal(files, examples.length);
    const of = (at) => diagnostics.filter(({ filename }) => filename.endsWith(`/${at}.spec.ts`)).map(({ code }) => code);
    return examples.map((_, at) => of(at));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('what is read once is found', () => {
  for (const [at, rules] of found(READS_ONCE).entries()) {
    assert.ok(rules.includes('docket(reads-wait)'), `nothing is found in\n${READS_ONCE[at]}`);
  }
});

test('what waits, or says why it need not, is left alone', () => {
  for (const [at, rules] of found(WAITS).entries()) assert.deepEqual(rules, [], WAITS[at]);
});

test('the rules of others are at work', () => {
  const wanted = Object.keys(OF_OTHERS);
  for (const [at, rules] of found(Object.values(OF_OTHERS)).entries()) assert.ok(rules.includes(wanted[at]), wanted[at]);
});
