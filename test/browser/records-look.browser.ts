import type { Page } from 'playwright-core';
import type { RecordsService } from '../../src/admin/records/records.service';
import { PETS_ADMIN } from '../../src/pets/pets.admin';
import type { TestService } from '../support/service';
import { expectFit, LOOKS, openConsolePage } from './console-page';
import { HOSTILE, RecordsConsole } from './records-console';

let opened: RecordsConsole;
let service: TestService;
let records: RecordsService;

beforeAll(async () => {
  opened = await RecordsConsole.open();
  ({ service, records } = opened);
  await add(HOSTILE, 'available');
  await add('a long name '.repeat(30), 'pending');
  await add('unbroken'.repeat(25), 'sold');
  await add('كلب صغير 🐕‍🦺', 'sold');
});
afterAll(() => opened.close());

const add = (name: string, status?: string) => opened.add(name, status);

describe.each(LOOKS)('At %i px in the %s theme', (width, colorScheme) => {
  let page: Page;
  let id: bigint;

  beforeAll(async () => {
    id = await add(HOSTILE, 'available');
    await records.update(PETS_ADMIN, id, { status: 'pending' as never });
    await records.update(PETS_ADMIN, id, { name: `${HOSTILE}!`, categoryId: 9007199254740993n });
    await records.remove(PETS_ADMIN, id);
    await records.restore(PETS_ADMIN, id);
    const options = { viewport: { width, height: width === 380 ? 800 : 1080 }, colorScheme };
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
  ])('%s is accessible and as wide as the screen', async (name, path) => {
    await page.goto(`${service.managementUrl}/admin/records/pets${await path()}`);
    await expectFit(page, `records-${name}-${width}-${colorScheme}`);
  });

  it('the list with chosen rows is accessible, and on a telephone its first screen has a record', async () => {
    await page.goto(`${service.managementUrl}/admin/records/pets`);
    const first = page.locator('tbody > tr').first();
    const { y = 0, height = 0 } = (await first.boundingBox()) ?? {};
    expect(y + height).toBeLessThan(width === 380 ? 667 : 1080);
    await first.getByRole('checkbox').check();
    await page.locator('tbody > tr').nth(2).getByRole('checkbox').check();
    await expectFit(page, `records-list-chosen-${width}-${colorScheme}`);
  });

  it('what is refused, removed or contested is accessible and as wide as the screen', async () => {
    await page.goto(`${service.managementUrl}/admin/records/pets/new`);
    await page.getByLabel('Category id').fill('seven');
    await page.getByRole('button', { name: 'Add pet' }).click();
    await page.getByRole('alert').waitFor();
    await expectFit(page, `records-new-refused-${width}-${colorScheme}`);
    await page.goto(`${service.managementUrl}/admin/records/pets/${id}/edit`);
    await page.getByLabel('Name').fill('Mine');
    await records.update(PETS_ADMIN, id, { status: 'sold' as never });
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('alert').waitFor();
    await expectFit(page, `records-edit-contested-${width}-${colorScheme}`);
    await records.remove(PETS_ADMIN, id);
    await page.goto(`${service.managementUrl}/admin/records/pets/${id}`);
    await expectFit(page, `records-record-removed-${width}-${colorScheme}`);
  });

  async function nextOf(query: string): Promise<string> {
    await page.goto(`${service.managementUrl}/admin/records/pets${query}`);
    const path = await page.getByRole('link', { name: 'Next' }).getAttribute('href');
    return (path ?? '').replace('/admin/records/pets', '');
  }
});
