import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { TrafficMinute } from '../../../src/admin/statistics/traffic-minute.entity';
import { KeyUsage } from '../../../src/auth/usage/key-usage';
import { Database } from '../../../src/platform/database/database';
import { StoredEvent } from '../../../src/platform/events/stored-event.entity';
import { ScheduledJob } from '../../../src/platform/jobs/scheduled-job.entity';
import { MINUTE_MS } from '../../../src/platform/values/calendar';
import { RequestLog } from '../../../src/platform/request-log/request-log';
import { startTestService, type TestService } from '../../support/service/service';
import { launchChromium, type WatchedPage } from '../../browser/browser';
import { expectFit, openConsolePage, WIDTHS } from './console-page';

const PAGES = {
  overview: '/admin/overview?range=24h',
  system: '/admin/system',
  settings: '/admin/system/settings',
  migrations: '/admin/system/migrations',
  deprecations: '/admin/reports',
  jobs: '/admin/jobs',
  usage: '/admin/reports/usage',
  help: '/admin/help',
  answer: '/admin/help#import-a-spreadsheet',
};

const RUN = { startedAt: new Date(), finishedAt: new Date() };

const JOBS = [
  { name: 'Reports.sendMonthly', schedule: '0 3 1 * * Europe/Berlin', dueAt: new Date('2036-01-31'), ...RUN },
  {
    name: 'Stock.count',
    schedule: '0 * * * * UTC',
    dueAt: new Date('2036-01-31'),
    error: 'Error: no shelf',
    ...RUN,
  },
];

const EVENTS = [null, new Date()].map((failedAt) => ({
  event: 'PetCreated',
  handler: 'WelcomeMails.send(PetCreated)',
  consumer: 'WelcomeMails',
  subject: 'pets/7',
  payload: '{}',
  publishedAt: new Date(),
  attempts: 15,
  dueAt: new Date(),
  error: 'Error: connect ECONNREFUSED 127.0.0.1:25',
  failedAt,
}));

let browser: Browser;
let empty: TestService;
let full: TestService;

beforeAll(async () => {
  browser = await launchChromium();
  empty = await startTestService('sqlite');
  full = await startTestService('sqlite');
  await fill(full);
});
afterAll(async () => {
  await empty.stop();
  await full.stop();
  await browser.close();
});

/** Pets, calls of a deprecated operation, a day of traffic that lacks an hour, and jobs. */
async function fill(service: TestService): Promise<void> {
  for (const status of ['available', 'available', 'available', 'pending', 'sold']) {
    await service.post('/v1/pets', { name: 'Rex', categoryId: 1, status });
  }
  for (let i = 0; i < 20; i++) await service.fetch('/v1/pets/1');
  await service.fetch('/v1/pets?limit=0');
  await service.app.get(KeyUsage).flush();
  await service.app.get(RequestLog).write();
  const now = Math.floor(Date.now() / MINUTE_MS);
  const measured = Array.from({ length: 1_440 }, (_, ago) => ago).filter((ago) => ago < 120 || ago >= 180);
  const rows = measured.map((ago) => minuteOf(now - ago));
  const database = service.app.get(Database);
  await database.dataSource.getRepository(TrafficMinute).insert(rows);
  await database.dataSource.getRepository(ScheduledJob).insert(JOBS);
  await database.dataSource.getRepository(StoredEvent).insert(EVENTS);
}

function minuteOf(minute: number): TrafficMinute {
  const requests = Math.round(600 + 400 * Math.sin(minute / 229));
  const [serverErrors, clientErrors] = [minute % 97 === 0 ? 6 : 0, Math.round(requests / 40)];
  const [slow, fast] = [Math.round(requests / 30), Math.round(requests / 2)];
  return {
    minute,
    processId: 'gone',
    requests,
    succeeded: requests - serverErrors - clientErrors,
    clientErrors,
    serverErrors,
    within1Ms: fast,
    within2500Us: requests - fast - slow,
    within5Ms: 0,
    within10Ms: 0,
    within25Ms: slow,
    within50Ms: 0,
    within100Ms: 0,
    within250Ms: 0,
    within500Ms: 0,
    within1S: 0,
    within2500Ms: 0,
    within5S: 0,
  };
}

describe.each([
  ['without data', () => empty],
  ['with data', () => full],
])('Pages about the service, %s,', (what, service) => {
  describe.each(WIDTHS)('%i pixels wide,', (width) => {
    let opened: WatchedPage;
    beforeAll(async () => {
      const options = { viewport: { width, height: 900 } };
      opened = await openConsolePage(browser, service(), service().key, options);
    });
    afterAll(() => opened.page.context().close());

    it.each(Object.entries(PAGES))('are accessible and fit the screen: %s', async (name, path) => {
      const { page, complaints } = opened;
      await page.goto(`${service().managementUrl}${path}`);
      await expectFit(page, `${name}-${what.replace(' ', '-')}-${width}`);
      expect(complaints.splice(0)).toEqual([]);
    });
  });
});

describe("A key's page", () => {
  it.each([1920, 1280, 1024])(
    'shows what the key called without scrolling, %i pixels wide',
    async (width) => {
      const { page } = await openConsolePage(browser, full, full.key, { viewport: { width, height: 900 } });
      await page.goto(`${full.managementUrl}/admin/keys`);
      await page.getByRole('link', { name: 'test', exact: true }).click();
      const table = page.getByRole('region', { name: 'Calls by operation' });
      await table.waitFor();
      await page.locator('#refusals').waitFor();
      await expectFit(page, `key-${width}`);
      expect(await table.getByRole('rowheader').allInnerTexts()).toEqual(['getPet', 'createPet', 'listPets']);
      const scrolled = `[...document.querySelectorAll('.table-scroll')].filter((each) => each.scrollWidth > each.clientWidth).length`;
      expect(await page.evaluate<number>(scrolled)).toBe(0);
      await page.context().close();
    },
  );
});

describe('The overview', () => {
  const tile = (page: Page, label: string) =>
    page.locator('.tile', { hasText: label }).locator('.tile-value').first();

  /** The overview, with time in the hands of the test. */
  async function open(service: TestService): Promise<Page> {
    const { page } = await openConsolePage(browser, service);
    await page.clock.install();
    await page.goto(`${service.managementUrl}/admin/overview`);
    return page;
  }

  it('refreshes itself, except for what the person is reading', async () => {
    const service = await startTestService('sqlite');
    await service.post('/v1/pets', { name: 'Rex', categoryId: 1 });
    const page = await open(service);
    const before = await page.locator('.refreshed time').innerText();
    await page.getByText('Show the values').first().click();
    await page.clock.runFor(31_000);
    expect(await page.locator('details[open]').count()).toBe(1);
    expect(await page.locator('.refreshed time').innerText()).toBe(before);

    await page.getByText('Show the values').first().click();
    // The page tells the second it was made in.
    await pause(1_100);
    const refreshed = page.waitForResponse((response) => response.url().endsWith('/admin/overview'));
    await page.clock.runFor(31_000);
    expect((await refreshed).request().headers()['x-background']).toBe('true');
    await page.locator('.refreshed time', { hasNotText: before }).waitFor();
    expect(await tile(page, 'Pets').innerText()).toBe('1');
    await page.context().close();
    await service.stop();
  });

  it('keeps its content and says so when it cannot be refreshed', async () => {
    const page = await open(full);
    await page.route('**/admin/overview', (route) => route.fulfill({ status: 503, body: 'away' }));
    await page.clock.runFor(31_000);
    await page.locator('[data-refresh-fault]').waitFor();
    expect(await tile(page, 'Pets').innerText()).toBe('5');
    await page.context().close();
  });

  it.each(['light', 'dark'] as const)(
    'marks unmeasured time in both charts in the colour of the legend, in a %s colour scheme',
    async (colorScheme) => {
      const { page } = await openConsolePage(browser, full, full.key, { colorScheme });
      await page.goto(`${full.managementUrl}/admin/overview`);
      const colours = await page.evaluate<[string, string][]>(`(() => {
        const keyOf = (gap) => gap.closest('.card').querySelector('.chart-key.chart-gap');
        return [...document.querySelectorAll('rect.chart-gap')].map((gap) =>
          [getComputedStyle(gap).fill, getComputedStyle(keyOf(gap)).backgroundColor]);
      })()`);
      expect(colours).toHaveLength(2);
      for (const [gap, legend] of colours) {
        expect(gap).toMatch(/^rgba\(\d+, \d+, \d+, 0\.\d+\)$/);
        expect(gap).toBe(legend);
      }
      await page.context().close();
    },
  );

  it('shows the values of a moment on hover, and all of them in a table', async () => {
    const page = await open(full);
    const column = page.locator('.chart-hint').nth(60);
    expect(await column.locator('title').textContent()).toMatch(
      /UTC\nSucceeded \(2xx, 3xx\): [\d,]+\nRefused/,
    );
    await column.hover();
    expect(await page.locator('.chart-tip').innerText()).toMatch(/UTC\nSucceeded/);
    const tiles = page.locator('.tile');
    expect(await tiles.count()).toBe(6);
    for (const tileLink of await tiles.all()) {
      const path = (await tileLink.getAttribute('href')) ?? '';
      const isThere = path.startsWith('#')
        ? (await page.locator(path).count()) === 1
        : (await page.request.get(`${full.managementUrl}${path}`)).status() === 200;
      expect([path, isThere]).toEqual([path, true]);
    }
    await page.getByText('Show the values').first().click();
    expect(await page.locator('details[open] tbody tr').count()).toBe(72);
    await column.click();
    await page.waitForURL(/\/admin\/requests\?from=[^&]+&to=/);
    await page.context().close();
  });
});
