import type { Browser, Page } from 'playwright-core';
import { RecordsService } from '../../src/admin/records/records.service';
import { PETS_ADMIN } from '../../src/pets/pets.admin';
import { startTestService, type TestService } from '../support/service';
import { keepScreenshot, launchChromium } from './browser';
import { openConsolePage, overflowOf, violationsOn } from './console-page';

const HOSTILE = `<b onclick=alert(1)>"it's"</b> & co`;

let service: TestService;
let records: RecordsService;
let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
  service = await startTestService('sqlite');
  records = service.app.get(RecordsService, { strict: false });
  const names = ['Rex', 'Luna', 'Milo', 'Coco', 'Nala', 'Otto', 'Ruby', 'Toby', 'Felix', 'Bella'];
  const statuses = ['available', 'pending', 'sold', undefined];
  for (let i = 0; i < 60; i++) {
    await add(`${names[i % names.length]} ${i}`, statuses[i % statuses.length]);
  }
  await add(HOSTILE, 'available');
  await add('a long name '.repeat(30), 'pending');
});
afterAll(async () => {
  await service.stop();
  await browser.close();
});

async function add(name: string, status?: string): Promise<bigint> {
  const { id } = await records.create(PETS_ADMIN, { name, categoryId: 7n, ...(status && { status }) });
  return id;
}

describe.each([
  [1920, 'light'],
  [1920, 'dark'],
  [380, 'light'],
  [380, 'dark'],
] as const)('At %i px in the %s theme', (width, colorScheme) => {
  let page: Page;
  let id: bigint;

  beforeAll(async () => {
    id = await add(HOSTILE, 'available');
    await records.update(PETS_ADMIN, id, { status: 'pending' as never });
    await records.update(PETS_ADMIN, id, { name: `${HOSTILE}!`, categoryId: 9007199254740993n });
    await records.remove(PETS_ADMIN, id);
    await records.restore(PETS_ADMIN, id);
    const options = { viewport: { width, height: width === 380 ? 800 : 1080 }, colorScheme };
    ({ page } = await openConsolePage(browser, service, service.key, options));
  });
  afterAll(() => page.context().close());

  it.each([
    ['list', () => '?sort-by=name'],
    ['list-page', async () => nextOf('')],
    ['list-filtered', () => '?status=sold&added-from=2020-01-01&removed-records=with'],
    ['list-none', () => '?name=nobody'],
    ['list-faults', () => '?status=gone&categoryId=x&added-to=2020&nmae=x'],
    ['record', () => `/${id}`],
    ['new', () => '/new'],
    ['edit', () => `/${id}/edit`],
    ['edit-long', async () => `/${await add('first line\nsecond line', 'sold')}/edit`],
    ['remove', () => `/${id}/remove`],
    ['bulk', () => '/bulk?status=sold'],
    ['bulk-question', () => '/bulk?status=sold&set-status=available'],
    ['bulk-none', () => '/bulk?name=nobody'],
  ])('%s is accessible and as wide as the screen', async (name, path) => {
    await page.goto(`${service.managementUrl}/admin/records/pets${await path()}`);
    await expectFit(name);
  });

  it('what is refused, removed or contested is accessible and as wide as the screen', async () => {
    await page.goto(`${service.managementUrl}/admin/records/pets/new`);
    await page.getByLabel('Category id').fill('seven');
    await page.getByRole('button', { name: 'Add pet' }).click();
    await page.getByRole('alert').waitFor();
    await expectFit('new-refused');
    await page.goto(`${service.managementUrl}/admin/records/pets/${id}/edit`);
    await page.getByLabel('Name').fill('Mine');
    await records.update(PETS_ADMIN, id, { status: 'sold' as never });
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('alert').waitFor();
    await expectFit('edit-contested');
    await records.remove(PETS_ADMIN, id);
    await page.goto(`${service.managementUrl}/admin/records/pets/${id}`);
    await expectFit('record-removed');
  });

  async function nextOf(query: string): Promise<string> {
    await page.goto(`${service.managementUrl}/admin/records/pets${query}`);
    const path = await page.getByRole('link', { name: 'Next' }).getAttribute('href');
    return (path ?? '').replace('/admin/records/pets', '');
  }

  async function expectFit(name: string): Promise<void> {
    await keepScreenshot(page, `records-${name}-${width}-${colorScheme}`, true);
    expect([name, await overflowOf(page)]).toEqual([name, 0]);
    expect([name, await violationsOn(page)]).toEqual([name, []]);
  }
});
