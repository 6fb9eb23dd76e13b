import type { Browser, Locator, Page } from 'playwright-core';
import { operationsOf, servedDocument } from '../support/served-document';
import { startTestService, type TestService } from '../support/service';
import { keepScreenshot, launchChromium, openPage, type WatchedPage } from './browser';

/** An integer that a double would round to the one before. */
const BEYOND_DOUBLE = '9007199254740993';

let service: TestService;
let browser: Browser;

const endings: (() => Promise<void>)[] = [];

beforeAll(async () => {
  browser = await launchChromium();
  endings.push(() => browser.close());
  service = await startTestService('sqlite');
  endings.push(() => service.stop());
});

afterAll(() => Promise.all(endings.map((end) => end())));

describe('Swagger UI at /docs', () => {
  let watched: WatchedPage;
  let page: Page;

  beforeAll(async () => {
    watched = await openPage(browser);
    page = watched.page;
    await page.goto(`${service.url}/docs`);
    await page.locator('.opblock').first().waitFor();
  });

  it('shows every operation, and the deprecated one as such', async () => {
    expect(await page.title()).toBe('Petstore: API');
    const operations = operationsOf(await servedDocument(service));
    expect(operations.length).toBeGreaterThan(0);
    for (const { operationId, tags = [] } of operations) {
      expect(await operation(operationId, tags[0]).count()).toBe(1);
    }
    expect(await page.locator('.opblock').count()).toBe(operations.length);
    const deprecated = operations.filter((one) => one.deprecated);
    expect(await page.locator('.opblock-deprecated').count()).toBe(deprecated.length);
    expect(await operation('getPet').getAttribute('class')).toContain('opblock-deprecated');
    await keepScreenshot(page, 'docs', true);
  });

  it('takes a key by "Authorize" and adds, lists and fetches a pet by "Try it out"', async () => {
    await authorize(service.key);

    await operation('createPet').locator('.opblock-summary-control').click();
    await operation('createPet')
      .locator('textarea')
      .fill(`{ "name": "Rex", "categoryId": ${BEYOND_DOUBLE}, "status": "sold" }`);
    const created = await execute('createPet');
    expect(created).toEqual({ status: '201', body: expect.stringContaining('"name": "Rex"') });
    const [, id] = /"id": (\d+)/.exec(created.body) ?? [];
    await operation('createPet').scrollIntoViewIfNeeded();
    await keepScreenshot(page, 'docs-create');

    await operation('listPets').locator('.opblock-summary-control').click();
    expect(await execute('listPets')).toEqual({
      status: '200',
      body: expect.stringContaining(`"id": ${id},`),
    });

    await operation('getPet').locator('.opblock-summary-control').click();
    await operation('getPet').locator('tr[data-param-name="petId"] input').fill(String(id));
    expect(await execute('getPet')).toEqual({ status: '200', body: created.body });
    await operation('getPet').scrollIntoViewIfNeeded();
    await keepScreenshot(page, 'docs-get');
  });

  it('sends and shows integers beyond 2^53 to the digit', async () => {
    const stored = await (await service.fetch('/v1/pets')).text();
    expect(stored).toContain(`"categoryId":${BEYOND_DOUBLE}`);
    expect(await responseOf('listPets').innerText()).toContain(`"categoryId": ${BEYOND_DOUBLE}`);
  });

  it('opens an operation by its address, and keeps the key when the page is loaded again', async () => {
    await page.goto(`${service.url}/docs#/pets/listPets`);
    await page.reload();
    await operation('listPets').locator('.opblock-body').waitFor();
    expect(await execute('listPets')).toMatchObject({ status: '200' });
  });

  it('did all that without a complaint on the console and without a request elsewhere', () => {
    expect(watched.complaints).toEqual([]);
    expect([...watched.origins]).toEqual([service.url]);
  });

  function operation(id: string, tag = 'pets'): Locator {
    return page.locator(`#operations-${tag}-${id}`);
  }

  function responseOf(id: string): Locator {
    return operation(id).locator('.live-responses-table');
  }

  async function authorize(key: string): Promise<void> {
    await page.locator('.auth-wrapper .authorize').click();
    const dialog = page.locator('.auth-container');
    await dialog.locator('input').fill(key);
    await keepScreenshot(page, 'docs-authorize');
    await dialog.getByRole('button', { name: 'Apply credentials' }).click();
    await dialog.getByRole('button', { name: 'Close' }).click();
  }

  /** Presses "Execute" of an open operation and reads what came back. */
  async function execute(id: string): Promise<{ status: string; body: string }> {
    await operation(id).getByRole('button', { name: 'Execute' }).click();
    const status = await responseOf(id).locator('tbody .response-col_status').innerText();
    return {
      status: status.trim(),
      body: await responseOf(id).locator('.response-col_description pre').first().innerText(),
    };
  }
});

describe('the guide at /docs/guide', () => {
  it.each(['light', 'dark'] as const)(
    'is shown in a %s colour scheme without a complaint',
    async (scheme) => {
      const { page, complaints, origins } = await openPage(browser, { colorScheme: scheme });
      await page.goto(`${service.url}/docs/guide`);
      expect(await page.locator('h1').innerText()).toBe('Petstore: guide');
      await keepScreenshot(page, `guide-${scheme}`, true);
      await page.setViewportSize({ width: 390, height: 800 });
      await keepScreenshot(page, `guide-${scheme}-narrow`);
      expect(complaints).toEqual([]);
      expect([...origins]).toEqual([service.url]);
      await page.context().close();
    },
  );

  it('has the target of every link it holds to itself and to the docs', async () => {
    const { page } = await openPage(browser);
    await page.goto(`${service.url}/docs/guide`);
    const links = await page.locator('a').evaluateAll((elements) => elements.map(String));
    const local = links.filter((link) => link.startsWith(service.url)).map((link) => new URL(link));
    expect(local.length).toBeGreaterThan(5);
    for (const { pathname, hash } of local) {
      expect((await fetch(`${service.url}${pathname}`)).status).toBe(200);
      if (hash) expect(await page.locator(`[id="${hash.slice(1)}"]`).count()).toBe(1);
    }
    await page.context().close();
  });

  it('has the section that the Link header of a deprecated operation leads to', async () => {
    const { headers } = await service.fetch('/v1/pets/1');
    const [, target = ''] = /<([^>]+)>; rel="deprecation"/.exec(headers.get('link') ?? '') ?? [];
    const { page } = await openPage(browser);
    await page.goto(new URL(target, service.url).href);
    const section = page.locator(':target');
    expect(await section.innerText()).toBe('getPet');
    expect(await page.locator('section:has(:target)').innerText()).toContain('5 December 2030');
    await keepScreenshot(page, 'guide-deprecation');
    await page.context().close();
  });
});
