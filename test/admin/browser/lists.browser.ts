import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { makeFolder } from '../../support/folders';
import { until } from '../../support/until';
import { keepScreenshot, violationsOn } from '../../browser/browser';
import { countOn, noticeOn, openConsolePage } from './console-page';
import { RecordsConsole } from './records-console';

let opened: RecordsConsole;

let large: string;

beforeAll(async () => {
  opened = await RecordsConsole.open();
  large = join(makeFolder(), 'large.csv');
  await writeFile(large, Buffer.alloc(20 * 1_048_576, 'x'));
});
afterAll(() => opened.close());

const open = (page: Page, path: string) => page.goto(`${opened.service.managementUrl}${path}`);
const heading = (page: Page) => page.getByRole('heading', { level: 1 }).innerText();
const headings = (page: Page) => page.locator('thead th:not(.row-choice)').allInnerTexts();
const box = (page: Page) => page.getByRole('searchbox', { name: 'Find anything' });

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('An operator %s', (_how, javaScriptEnabled) => {
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    ({ page, complaints } = await openConsolePage(opened.browser, opened.service, opened.service.key, {
      javaScriptEnabled,
    }));
  });
  afterAll(() => page.context().close());
  afterEach(() => expect(complaints.splice(0)).toEqual([]));

  it('can choose the columns of a list, which stay chosen in this browser', async () => {
    await open(page, '/admin/records/pets?status=sold');
    await page.getByRole('button', { name: 'Columns' }).click();
    const choice = page.locator('#columns');
    await choice.getByLabel('Id', { exact: true }).uncheck();
    await choice.getByLabel('Category id').uncheck();
    await choice.getByRole('button', { name: 'Show these columns' }).click();
    await page.getByRole('columnheader', { name: 'Id', exact: true }).waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?status=sold');
    await open(page, '/admin/keys');
    await open(page, '/admin/records/pets');
    expect(await headings(page)).toEqual(['Name', 'Status', 'Added']);
    await page.getByRole('button', { name: 'Columns' }).click();
    await keepScreenshot(page, `columns-${javaScriptEnabled}`);
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByRole('columnheader', { name: 'Id', exact: true }).waitFor();
  });

  it('exports what the filters leave', async () => {
    await open(page, '/admin/records/pets');
    await page.getByLabel('Status').first().selectOption('sold');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL('**/admin/records/pets?*status=sold*');
    await countOn(page, '15 pets').waitFor();
    await page.getByRole('button', { name: 'Export' }).click();
    await page.locator('#export:popover-open', { hasText: '15 pets' }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export as CSV', exact: true }).click();
    const lines = await readFile(await (await download).path(), 'utf8');
    expect(lines.trim().split(/\r?\n/)).toHaveLength(16);
  });

  it('can save a view of a list, open, rename and remove it', async () => {
    await open(page, '/admin/records/pets?status=pending&sort-by=name');
    await page.getByRole('link', { name: 'Save view' }).click();
    await page.getByLabel('Name').fill('To decide');
    await page.getByRole('button', { name: 'Save view' }).click();
    await noticeOn(page).filter({ hasText: 'To decide' }).waitFor();
    await page.getByRole('link', { name: 'Reset' }).click();
    await page.getByRole('link', { name: 'To decide' }).click();
    expect(await page.getByLabel('Status').first().inputValue()).toBe('pending');
    await page.getByRole('link', { name: 'Edit views' }).click();
    await page.getByRole('link', { name: 'Edit To decide' }).click();
    await page.getByLabel('Name').fill('Waiting');
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('button', { name: 'Remove Waiting' }).click();
    await page.locator('.empty').waitFor();
  });

  it('is told when a file is far too large', async () => {
    await open(page, '/admin/records/pets/import');
    await page.getByLabel('File').setInputFiles(large);
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.locator('#field-file-error', { hasText: '2 MiB' }).waitFor();
    expect(await page.getByLabel('File').getAttribute('aria-invalid')).toBe('true');
    // Browsers say themselves that a page came with an error.
    expect(complaints.splice(0)).toEqual([expect.stringContaining('413')]);
  });

  it('can find a pet with the link to the search', async () => {
    await open(page, '/admin/overview');
    await page.getByRole('link', { name: 'Find' }).click();
    await box(page).fill('luna 1');
    await box(page).press('Enter');
    await page.waitForURL('**/admin/find?q=luna+1');
    await page.getByRole('link', { name: 'Luna 11' }).click();
    expect(await heading(page)).toBe('Luna 11');
  });
});

describe('The search with JavaScript', () => {
  it('an operator is told the keys of the keyboard', async () => {
    const { page, complaints } = await openConsolePage(opened.browser, opened.service);
    await open(page, '/admin/keys');
    const keys = page.getByRole('dialog', { name: 'Keyboard' });
    await page.getByLabel('Search').pressSequentially('?');
    expect(await keys.isVisible()).toBe(false);
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('?');
    await keys.waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await keepScreenshot(page, 'keys-of-the-keyboard');
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Keyboard' }).click();
    await keys.getByRole('button', { name: 'Close' }).click();
    await keys.waitFor({ state: 'hidden' });
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('can be used with the keyboard alone on every page', async () => {
    const { page, complaints } = await openConsolePage(opened.browser, opened.service);
    await open(page, '/admin/keys');
    await page.getByLabel('Search').pressSequentially('a/b');
    expect(await page.locator('dialog[open]').count()).toBe(0);
    await page.keyboard.press('Control+k');
    // Results of fewer letters may come before, and are replaced.
    const found = page.waitForResponse((response) => response.url().endsWith('q=luna'));
    await page.keyboard.type('luna');
    await (await found).finished();
    await page.locator('dialog .found a', { hasText: 'Luna' }).first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    const first = await page.locator('dialog .found a').first().innerText();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/admin/records/pets/*');
    expect(first).toContain(await heading(page));
    await page.keyboard.press('/');
    await page.locator('dialog[open]').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog[open]').waitFor({ state: 'hidden' });
    // With the next frame the focus leaves the box, which is not shown any more.
    await until(() => page.evaluate('document.activeElement === document.body'));
    await page.keyboard.press('/');
    await page.keyboard.type('audit');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/admin/audit');
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
