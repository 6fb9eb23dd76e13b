import type { Browser, Page } from 'playwright-core';
import { Database } from '../../../src/platform/database/database';
import { StoredEvent } from '../../../src/platform/events/stored-event.entity';
import { StoredRun } from '../../../src/platform/jobs/stored-run.entity';
import { RequestLog } from '../../../src/platform/request-log/request-log';
import { ApiKeysService } from '../../../src/auth/api-keys.service';
import { FAILED_EVENT, WAITING_EVENT } from '../../support/service/failed-event';
import { FAILED_RUN } from '../../support/service/stored-run';
import { startTestService, type TestService } from '../../support/service/service';
import { launchChromium } from '../../browser/browser';
import { expectFit, openConsolePage } from './console-page';

const ADDRESS = '2001:db8:85a3:1234:5678:8a2e:370:7334';
const LONG = 'a name that somebody has written who had much to say, and withoutasingleblankatitsverylongend';

let service: TestService;
let browser: Browser;
let page: Page;

/** Opens a page in a window of a width. */
async function open(path: string, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 768 });
  await page.goto(`${service.managementUrl}${path}`);
}

const headings = () => page.locator('thead th:visible').allInnerTexts();

beforeAll(async () => {
  browser = await launchChromium();
  service = await startTestService('sqlite', { TRUST_PROXY: 'loopback' });
  const keys = service.app.get(ApiKeysService);
  const { token } = await keys.create({
    name: LONG,
    owner: LONG,
    scopes: keys.knownScopes,
    expiresAt: new Date(Date.now() + 12 * 86_400_000),
  });
  const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': ADDRESS };
  for (const status of ['available', 'unknown']) {
    await service.post('/v1/pets', { name: LONG.slice(0, 60), categoryId: 2 ** 53 - 1, status }, headers);
  }
  await service.fetch('/v1/pets?limit=0', { headers });
  await service.app.get(RequestLog).write();
  const { dataSource } = service.app.get(Database);
  await dataSource.getRepository(StoredEvent).insert([{ ...FAILED_EVENT }, { ...WAITING_EVENT }]);
  await dataSource.getRepository(StoredRun).insert({ ...FAILED_RUN });
  ({ page } = await openConsolePage(browser, service, token));
});
afterAll(async () => {
  await service.stop();
  await browser.close();
});

describe('A list of the console', () => {
  it.each([
    '/admin/records/pets',
    '/admin/keys?sort=-created',
    '/admin/requests',
    `/admin/requests?address=${ADDRESS}&key=none&code=not_found&slow=1`,
    `/admin/requests?address=${ADDRESS}&sort=-duration`,
    '/admin/audit',
    '/admin/jobs',
    '/admin/reports/usage',
    '/admin/system/settings',
    '/admin/sessions',
  ])('with long values is no wider than a screen of 1024 or 1440 pixels: %s', async (path) => {
    for (const width of [1024, 1440]) {
      await open(path, width);
      await expectFit(page, `narrow${path.replaceAll(/\W+/g, '-')}-${width}`);
    }
  });

  it.each([
    ['/admin/requests', 'Address'],
    ['/admin/keys', 'Created, Expires'],
  ])('%s says on a narrow screen which columns it leaves out: %s', async (path, names) => {
    await open(path, 1024);
    const shown = await headings();
    for (const name of names.split(', ')) expect(shown).not.toContain(name);
    expect(await page.locator('.left-out').innerText()).toContain(`${names}.`);
    await open(path, 1920);
    expect(await headings()).toEqual(expect.arrayContaining(names.split(', ')));
    expect(await page.locator('.left-out').isVisible()).toBe(false);
  });

  it.each([
    [`/admin/requests?address=${ADDRESS}`, 'Address', 'Duration'],
    [`/admin/requests?address=${ADDRESS}&sort=-duration`, 'Duration', 'Key'],
    ['/admin/keys?sort=-expires', 'Expires', 'Owner'],
    ['/admin/records/pets?sort-by=-createdAt', 'Added', 'Status'],
    ['/admin/records/pets?status=available&added-from=2026-01-01', 'Added', 'Category id'],
  ])('%s keeps the column %s in sight on a narrow screen, before %s', async (path, kept, left) => {
    await open(path, 980);
    const shown = await headings();
    expect([shown.includes(kept), shown.includes(left)]).toEqual([true, false]);
  });
});
