import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { PETS_ADMIN } from '../../../src/pets/pets.admin';
import { StoredRunsRepository } from '../../../src/platform/jobs/stored-runs.repository';
import { type HeldJobs, holdJobs } from '../../support/service/held-jobs';
import { until } from '../../support/until';
import { expectFit, noticeOn, openConsolePage, saidOn, WIDTHS } from './console-page';
import { HOSTILE, RecordsConsole } from './records-console';

// Each look at a page is two, with all of its rules.
let opened: RecordsConsole;
let jobs: HeldJobs;

beforeAll(async () => {
  opened = await RecordsConsole.open();
  jobs = holdJobs(opened.service);
});
afterAll(() => opened.close());

const open = (page: Page, path: string) => page.goto(`${opened.service.managementUrl}/admin/${path}`);

/** Sends a file of pets with this in their names to the preview of its import; two rows are refused. */
async function preview(page: Page, part: string): Promise<void> {
  await open(page, 'records/pets/import');
  const rows = Array.from({ length: 60 }, (_, index) => `${part} ${index},1\n`);
  const buffer = Buffer.from(
    `name,categoryId\n${rows.join('')}Refused,x\n"${HOSTILE.replaceAll('"', '""')}",y\n`,
  );
  await page.getByLabel('File').setInputFiles({ name: `${part}.csv`, mimeType: 'text/csv', buffer });
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('button', { name: 'Add 60 pets' }).waitFor();
}

/** Lets the service undo what it was asked to. */
async function undoImports(): Promise<void> {
  const runs = opened.service.app.get(StoredRunsRepository, { strict: false });
  jobs.release();
  await until(async () => (await runs.list({ state: 'waiting' }, 1)).length === 0);
  jobs = holdJobs(opened.service);
}

describe.each([true, false])('With JavaScript: %p, an operator', (javaScriptEnabled) => {
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    const { browser, service } = opened;
    ({ page, complaints } = await openConsolePage(browser, service, service.key, { javaScriptEnabled }));
  });
  afterEach(() => expect(complaints).toEqual([]));
  afterAll(() => page.context().close());

  it('downloads the refused rows, adds the others, and takes them back', async () => {
    const part = `Wrong ${javaScriptEnabled}`;
    await preview(page, part);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download refused rows' }).click();
    const file = await (await downloading).path();
    expect(readFileSync(file, 'utf8')).toMatch(
      /^refusedLine,refusedBecause,name,categoryId\r\n62,categoryId /,
    );
    // The download left the page as it was.
    await page.getByRole('button', { name: 'Add 60 pets' }).click();
    await noticeOn(page, 'warning')
      .filter({ hasText: /\b60 pets\b.*\b2 rows\b/ })
      .waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await noticeOn(page).waitFor();
    await page.getByRole('link', { name: 'View', exact: true }).click();
    await saidOn(page, 'undoing')
      .filter({ hasText: /\b0 pets\b.*\b60\b/ })
      .waitFor();
    await undoImports();
    await page.reload();
    await saidOn(page, 'undone').filter({ hasText: '60 pets' }).waitFor();
    await open(page, `records/pets?name=${encodeURIComponent(part)}`);
    await page.locator('.empty').waitFor();
  });
});

describe.each(WIDTHS)('The pages of an import at a width of %i px', (width) => {
  let page: Page;
  const part = `Looked at ${width}`;

  beforeAll(async () => {
    const options = { viewport: { width, height: width === 380 ? 800 : 1080 } };
    ({ page } = await openConsolePage(opened.browser, opened.service, opened.service.key, options));
  });
  afterAll(() => page.context().close());

  it('are accessible and fit the screen, from the preview to what its undo left alone', async () => {
    await open(page, 'records/pets/import');
    const large = { name: 'large.csv', mimeType: 'text/csv', buffer: Buffer.alloc(2 * 1_048_576 + 1) };
    await page.getByLabel('File').setInputFiles(large);
    await page.getByRole('button', { name: 'Preview' }).click();
    await expectFit(page, `import-large-${width}`);
    await preview(page, part);
    await expectFit(page, `import-preview-${width}`);
    await page.getByRole('button', { name: 'Add 60 pets' }).click();
    await noticeOn(page, 'warning').waitFor();
    const [first] = await opened.records.search(PETS_ADMIN, {
      filter: { where: { name: { contains: part } } },
      limit: 1,
    });
    await opened.records.update(PETS_ADMIN, first?.values.id as bigint, { categoryId: 9n });
    await page
      .getByLabel(/^Choose Looked at/)
      .first()
      .check();
    await expectFit(page, `import-added-${width}`);
    await open(page, 'audit');
    await expectFit(page, `import-audit-${width}`);
    await page.getByRole('link', { name: '60 pets' }).first().click();
    await page.waitForURL(/\/admin\/audit\/\d+$/);
    await expectFit(page, `import-entry-${width}`);
    await page.getByRole('button', { name: 'Undo' }).click();
    await saidOn(page, 'undoing').waitFor();
    await expectFit(page, `import-undoing-${width}`);
    await undoImports();
    await page.reload();
    await saidOn(page, 'undone')
      .filter({ hasText: /\b59 pets\b.*\b1 pet\b/ })
      .waitFor();
    await expectFit(page, `import-undone-${width}`);
    await open(page, 'audit');
    await page.getByRole('link', { name: '59 pets' }).first().click();
    await page.waitForURL(/\/admin\/audit\/\d+$/);
    await expectFit(page, `import-removals-${width}`);
    await open(page, 'records/pets/actions/remove?chosen-id=1,2');
    await expectFit(page, `remove-chosen-${width}`);
  });
});
