import type { Page } from 'playwright-core';
import type { RecordsService } from '../../../src/admin/records/records.service';
import { PETS_ADMIN } from '../../../src/pets/pets.admin';
import { ShelterModule } from '../../support/shelter/shelter.module';
import type { TestService } from '../../support/service/service';
import { expectFit, openConsolePage, WIDTHS } from './console-page';
import { HOSTILE, RecordsConsole } from './records-console';

let opened: RecordsConsole;
let service: TestService;
let records: RecordsService;

beforeAll(async () => {
  opened = await RecordsConsole.open({ ShelterModule });
  ({ service, records } = opened);
  await add(HOSTILE, 'available');
  await add('a long name '.repeat(30), 'pending');
  await add('unbroken'.repeat(25), 'sold');
  await add('كلب صغير 🐕‍🦺', 'sold');
});
afterAll(() => opened.close());

const add = (name: string, status?: string) => opened.add(name, status);

it.each([1024, 1440])('A long name stays in its column at a width of %i px', async (width) => {
  const options = { viewport: { width, height: 900 } };
  const { page } = await openConsolePage(opened.browser, service, service.key, options);
  await page.goto(`${service.managementUrl}/admin/records/pets?sort-by=-name`);
  await expectFit(page, `records-list-${width}`);
  await page.context().close();
});

describe.each(WIDTHS)('The pages of records at a width of %i px', (width) => {
  let page: Page;
  let id: bigint;

  beforeAll(async () => {
    id = await add(HOSTILE, 'available');
    await records.update(PETS_ADMIN, id, { status: 'pending' as never });
    await records.update(PETS_ADMIN, id, { name: `${HOSTILE}!`, categoryId: 9007199254740993n });
    await records.remove(PETS_ADMIN, id);
    await records.restore(PETS_ADMIN, id);
    const options = { viewport: { width, height: width === 380 ? 800 : 1080 } };
    ({ page } = await openConsolePage(opened.browser, service, service.key, options));
  });
  afterAll(() => page.context().close());

  it.each([
    ['list', () => '?sort-by=name'],
    ['list-page', async () => nextOf('')],
    ['list-filtered', () => '?status=sold&added-from=2020-01-01&removed-records=with'],
    ['bulk-chosen', () => '/bulk?chosen-id=3,4'],
    ['list-none', () => '?name=unmatched'],
    ['list-faults', () => '?status=gone&categoryId=x&added-to=2020&nmae=x'],
    ['record', () => `/${id}`],
    ['new', () => '/new'],
    ['edit', () => `/${id}/edit`],
    ['edit-long', async () => `/${await add('first line\nsecond line', 'sold')}/edit`],
    ['remove', () => `/${id}/remove`],
    ['bulk', () => '/bulk?status=sold'],
    ['bulk-question', () => '/bulk?status=sold&set-status=available'],
    ['bulk-none', () => '/bulk?name=unmatched'],
    ['list-columns', () => '?columns=name,status&sort-by=name'],
    ['views', () => '/views'],
    ['view-new', () => '/views/new?status=sold&sort-by=name'],
    ['import', () => '/import'],
  ])('are accessible and fit the screen: %s', async (name, path) => {
    await page.goto(`${service.managementUrl}/admin/records/pets${await path()}`);
    await expectFit(page, `records-${name}-${width}`);
  });

  it.each([
    ['record', '/records/guests/1'],
    ['action', '/records/guests/actions/adopt?chosen-id=1'],
    ['action-many', '/records/guests/actions/praise?chosen-id=1,2,3,61'],
    ['overview', '/overview'],
  ])('are accessible and fit the screen with additions of a module: %s', async (name, path) => {
    await page.goto(`${service.managementUrl}/admin${path}`);
    await expectFit(page, `module-${name}-${width}`);
  });

  it('are accessible with chosen rows, and show a record on the first screen of a telephone', async () => {
    await page.goto(`${service.managementUrl}/admin/records/pets`);
    const first = page.locator('tbody > tr').first();
    const { y = 0, height = 0 } = (await first.boundingBox()) ?? {};
    expect(y + height).toBeLessThan(width === 380 ? 667 : 1080);
    await first.getByRole('checkbox').check();
    await page.locator('tbody > tr').nth(2).getByRole('checkbox').check();
    await expectFit(page, `records-list-chosen-${width}`);
  });

  it('are accessible and fit the screen with the choice of columns and a saved view', async () => {
    const list = `${service.managementUrl}/admin/records/pets`;
    // What is saved as a view is not offered to be saved again, so each width has a list of its own.
    await page.goto(`${list}?status=sold&added-to=${2000 + width}-01-01`);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByLabel('Category id').last().uncheck();
    await expectFit(page, `records-columns-${width}`);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Save view' }).click();
    await page.getByLabel('Name').fill(`Sold, seen at ${width} px`);
    await page.getByLabel('All operators').check();
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.locator('.views [aria-current]').waitFor();
    await expectFit(page, `records-list-view-${width}`);
    await page.goto(`${list}/views`);
    await expectFit(page, `records-views-saved-${width}`);
  });

  it('are accessible and fit the screen with search results, in a dialog and as a page', async () => {
    await page.goto(`${service.managementUrl}/admin/records/pets`);
    await page.keyboard.press('/');
    await page.getByRole('searchbox', { name: 'Find anything' }).fill('r');
    await page.locator('dialog .found a').first().waitFor();
    await expectFit(page, `find-dialog-${width}`);
    await page.goto(`${service.managementUrl}/admin/find?q=r`);
    await expectFit(page, `find-${width}`);
    await page.goto(`${service.managementUrl}/admin/find?q=nothing`);
    await expectFit(page, `find-nothing-${width}`);
  });

  it('are accessible and fit the screen for refused, removed and contested records', async () => {
    await page.goto(`${service.managementUrl}/admin/records/pets/new`);
    await page.getByLabel('Category id').fill('seven');
    await page.getByRole('button', { name: 'Add pet' }).click();
    await page.getByRole('alert').waitFor();
    await expectFit(page, `records-new-refused-${width}`);
    await page.goto(`${service.managementUrl}/admin/records/pets/${id}/edit`);
    await page.getByLabel('Name').fill('Mine');
    await records.update(PETS_ADMIN, id, { status: 'sold' as never });
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('alert').waitFor();
    await expectFit(page, `records-edit-contested-${width}`);
    await records.remove(PETS_ADMIN, id);
    await page.goto(`${service.managementUrl}/admin/records/pets/${id}`);
    await expectFit(page, `records-record-removed-${width}`);
  });

  async function nextOf(query: string): Promise<string> {
    await page.goto(`${service.managementUrl}/admin/records/pets${query}`);
    const path = await page.getByRole('link', { name: 'Next' }).getAttribute('href');
    return (path ?? '').replace('/admin/records/pets', '');
  }
});
