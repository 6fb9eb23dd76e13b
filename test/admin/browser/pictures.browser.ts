import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { ApiKeysService } from '../../../src/auth/api-keys.service';
import { PetStatus } from '../../../src/pets/pet-status';
import { Pet } from '../../../src/pets/pet.entity';
import { Database } from '../../../src/platform/database/database';
import { LoggedRequest } from '../../../src/platform/request-log/logged-request.entity';
import { RequestLog } from '../../../src/platform/request-log/request-log';
import type { TimelineView } from '../../../src/platform/tracing/timeline';
import { MINUTE_MS } from '../../../src/platform/values/calendar';
import { startTestService, type TestService } from '../../support/service/service';
import { until } from '../../support/until';
import { launchChromium } from '../../browser/browser';
import { openConsolePage } from './console-page';
import { openDocs } from '../../browser/docs-page';
import { expectKept, PICTURE_WIDTH, PICTURES, takePicture } from './picture';

const NAMES = ['Oscar', 'Luna', 'Milo', 'Coco', 'Nala', 'Otto', 'Ruby', 'Toby', 'Felix', 'Bella'];
const { Available, Pending, Sold } = PetStatus;
const STATUSES = [Available, Pending, Sold, Available, Available];

/** The id under which a customer asks about a request of theirs. */
const REFUSED = 'order-4711';

const VIEW = {
  viewport: { width: PICTURE_WIDTH, height: 900 },
  colorScheme: 'light',
  deviceScaleFactor: 1.5,
} as const;

let service: TestService;
let browser: Browser;
/** The key of an operator, and that of a customer. */
let operator: string;
let customer: string;

beforeAll(async () => {
  browser = await launchChromium();
  service = await startTestService('sqlite', { TRUST_PROXY: 'loopback' });
  const keys = service.app.get(ApiKeysService);
  const scopes = keys.knownScopes;
  operator = (await keys.create({ name: 'Support desk', scopes })).token;
  customer = (await keys.create({ name: 'Corner shop', scopes: ['pets:read', 'pets:write'] })).token;
  const { dataSource } = service.app.get(Database);
  const pets = NAMES.map((name, i) => ({
    name,
    categoryId: BigInt((i % 3) + 1),
    status: STATUSES[i % STATUSES.length] ?? null,
    createdAt: new Date(Date.now() - (NAMES.length - i) * 800 * MINUTE_MS),
  }));
  await dataSource.getRepository(Pet).insert(pets);
  const authorization = `Bearer ${customer}`;
  // From here on, the key is known.
  await service.fetch('/v1/pets/1', { headers: { authorization } });
  // The address is reserved for documents (RFC 5737), the trace is that of the standard's example.
  const headers = {
    authorization,
    'x-forwarded-for': '203.0.113.7',
    'x-request-id': REFUSED,
    traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  };
  const log = dataSource.getRepository(LoggedRequest);
  // A picture is of one request as it was, so a request that something else held up is not changed but made again.
  await until(async () => {
    await log.delete({ requestId: REFUSED });
    await service.fetch('/v1/pets/4711', { headers });
    await service.app.get(RequestLog).write();
    return isUnhindered(await log.findOneByOrFail({ requestId: REFUSED }));
  });
  // The name of the machine that the tests run on is nobody's business.
  await log.update({ requestId: REFUSED }, { node: 'petstore-1' });
});
afterAll(async () => {
  await service.stop();
  await browser.close();
});

/** Phases that the page shows in rows of their own: it folds each that took less than 0.1 ms. */
const SHOWN_PHASES = ['wait', 'handler'];

/** Whether the timeline of a request shows these phases, each as long as it took, and folds every other one. */
function isUnhindered({ timeline }: LoggedRequest): boolean {
  const { phases } = JSON.parse(timeline ?? '{}') as TimelineView;
  const shown = phases.filter(({ ms }) => ms >= 0.1).map(({ name }) => name);
  return String(shown) === String(SHOWN_PHASES);
}

/** Opens the pages of the pictures, each with the response to its request and with the part that is shown. */
const PAGES = {
  async request() {
    const opened = await openConsolePage(browser, service, operator, VIEW);
    const response = await opened.page.goto(`${service.managementUrl}/admin/requests?request=${REFUSED}`);
    return [
      opened,
      response,
      { to: opened.page.locator('.card', { has: opened.page.locator('#timeline') }) },
    ];
  },
  async console() {
    const opened = await openConsolePage(browser, service, operator, VIEW);
    const response = await opened.page.goto(`${service.managementUrl}/admin/records/pets`);
    return [opened, response, { to: opened.page.locator('.list-foot') }];
  },
  async 'swagger-ui'() {
    const docs = await openDocs(browser, service.url, VIEW);
    const response = await docs.page.reload();
    await docs.authorize(customer);
    await docs.open('createPet');
    await docs.execute('createPet');
    return [docs, response, { from: docs.operation('createPet'), to: docs.responseOf('createPet') }];
  },
} satisfies Record<string, () => Promise<Parameters<typeof takePicture>>>;

describe('The pictures of the README', () => {
  it.each(Object.entries(PAGES))(
    'say what the page says, of which nothing is cut or empty: %s',
    async (name, open) => {
      const [opened, ...rest] = await open();
      const picture = await takePicture(opened, ...rest);
      expect(picture.faults).toEqual([]);
      expectKept(name, picture);
      await opened.page.context().close();
    },
  );

  it('are all there are', () => {
    const readme = readFileSync(join(__dirname, '../../../README.md'), 'utf8');
    const shown = [...readme.matchAll(/docs\/images\/([^)"]+)/g)].map(([, name]) => name);
    const made = Object.keys(PAGES).map((name) => `${name}.png`);
    expect(shown.toSorted()).toEqual(made.toSorted());
    expect(readdirSync(PICTURES).toSorted()).toEqual(made.toSorted());
  });
});

describe('A picture', () => {
  it.each([
    ['status: 404', '/admin/nothing', 'main', 'light'],
    ['error: ', '/admin/records/pets?name=nobody', '.empty', 'light'],
    ['cut: ', '/admin/records/pets', '#field-name', 'light'],
    ['empty: ', '/admin/time-zone', 'html', 'light'],
    ['dark', '/admin/records/pets', '.list-foot', 'dark'],
  ] as const)(
    'has the fault "%s" on %s as far as %s in a %s scheme',
    async (fault, path, end, colorScheme) => {
      const opened = await openConsolePage(browser, service, operator, { ...VIEW, colorScheme });
      const response = await opened.page.goto(`${service.managementUrl}${path}`);
      const { faults } = await takePicture(opened, response, { to: opened.page.locator(end) });
      expect(faults.map((each) => each.slice(0, fault.length))).toContain(fault);
      await opened.page.context().close();
    },
  );
});
