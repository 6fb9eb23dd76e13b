import type { Browser, Page } from 'playwright-core';
import { buildClient, LANGUAGES, run } from '../support/samples/sample-programs';
import { operationsOf, servedDocument } from '../support/service/served-document';
import { startTestService, type TestService } from '../support/service/service';
import { until } from '../support/until';
import { keepScreenshot, launchChromium, openPage, violationsOn } from './browser';
import { type DocsPage, keyOn, listOf, manyOperations, openDocs, TOYS } from './docs-page';

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
  let docs: DocsPage;
  let page: Page;

  beforeAll(async () => {
    docs = await openDocs(browser, service.url);
    page = docs.page;
  });

  it('shows every operation, and marks the deprecated one', async () => {
    expect(await page.title()).toBe('Petstore: API');
    const operations = operationsOf(await servedDocument(service));
    expect(operations.length).toBeGreaterThan(0);
    for (const { operationId, tags = [] } of operations) {
      expect(await docs.operation(operationId, tags[0]).count()).toBe(1);
    }
    expect(await page.locator('.opblock').count()).toBe(operations.length);
    const deprecated = operations.filter((one) => one.deprecated);
    expect(await page.locator('.opblock-deprecated').count()).toBe(deprecated.length);
    expect(await docs.operation('getPet').getAttribute('class')).toContain('opblock-deprecated');
    await keepScreenshot(page, 'docs', true);
  });

  it('adds, lists and fetches a pet with "Execute" after "Authorize"', async () => {
    await docs.authorize(service.key);
    await keyOn(page, 'pets:read', 'pets:write').waitFor();
    expect(await page.locator('.refused').count()).toBe(0);
    // The page has asked for that, and nothing was added.
    expect(await (await service.fetch('/v1/pets')).json()).toEqual([]);

    await docs.open('createPet');
    await docs
      .operation('createPet')
      .locator('textarea')
      .fill(`{ "name": "Rex", "categoryId": ${BEYOND_DOUBLE}, "status": "sold" }`);
    const created = await docs.execute('createPet');
    expect(created).toEqual({ status: '201', body: expect.stringContaining('"name": "Rex"') });
    const [, id] = /"id": (\d+)/.exec(created.body) ?? [];
    await docs.operation('createPet').scrollIntoViewIfNeeded();
    await keepScreenshot(page, 'docs-create');

    await docs.open('listPets');
    expect(await docs.execute('listPets')).toEqual({
      status: '200',
      body: expect.stringContaining(`"id": ${id},`),
    });

    await docs.open('getPet');
    await docs.operation('getPet').locator('tr[data-param-name="petId"] input').fill(String(id));
    expect(await docs.execute('getPet')).toEqual({ status: '200', body: created.body });
    await docs.operation('getPet').scrollIntoViewIfNeeded();
    await keepScreenshot(page, 'docs-get');
  });

  it('sends and shows integers beyond 2^53 to the digit', async () => {
    const stored = await (await service.fetch('/v1/pets')).text();
    expect(stored).toContain(`"categoryId":${BEYOND_DOUBLE}`);
    expect(await docs.responseOf('listPets').innerText()).toContain(`"categoryId": ${BEYOND_DOUBLE}`);
  });

  it('opens an operation by its address, and keeps the key when the page is reloaded', async () => {
    await page.goto(`${service.url}/docs#/pets/listPets`);
    await page.reload();
    await docs.operation('listPets').locator('.opblock-body').waitFor();
    expect(await docs.execute('listPets')).toMatchObject({ status: '200' });
  });

  it('logs no complaint in the browser, and sends no request elsewhere', () => {
    expect(docs.complaints).toEqual([]);
    expect([...docs.origins]).toEqual([service.url]);
  });
});

describe('The page /docs', () => {
  it('fits a screen of 380 by 800 pixels that shows its first operation', async () => {
    const { page } = await openDocs(browser, service.url, { viewport: { width: 380, height: 800 } });
    expect(await endOfFirstSummary(page)).toBeLessThan(800);
    await openAll(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(380);
    await keepScreenshot(page, 'docs-open-380', true);
    await page.context().close();
  });

  it.each([
    ['light', 'rgb(255, 255, 255)'],
    ['dark', 'rgb(18, 23, 28)'],
  ] as const)(
    'begins with the operations and breaks no rule of WCAG 2.2 AA in a %s colour scheme, open operations and the dialog included',
    async (colorScheme, ground) => {
      // Without transitions, each colour and size is there at once.
      const docs = await openDocs(browser, service.url, { colorScheme, reducedMotion: 'reduce' });
      const { page } = docs;
      expect(await endOfFirstSummary(page)).toBeLessThan(900);
      expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(ground);
      expect(await violationsOn(page)).toEqual([]);
      await keepScreenshot(page, `docs-${colorScheme}`);
      await page.locator('.auth-wrapper .authorize').click();
      expect(await violationsOn(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await docs.authorize(service.key);
      await openAll(page);
      await docs.execute('listPets');
      expect(await violationsOn(page)).toEqual([]);
      await keepScreenshot(page, `docs-open-${colorScheme}`, true);
      await page.context().close();
    },
  );

  it('can be used with the keyboard alone, from the key to the response', async () => {
    const docs = await openDocs(browser, service.url);
    const { page } = docs;
    const tabTo = async (selector: string) => {
      for (let stops = 0; stops < 40; stops++) {
        await page.keyboard.press('Tab');
        if ((await page.locator(`${selector}:focus`).count()) > 0) return;
      }
      throw new Error(`Tab does not lead to ${selector}.`);
    };
    await tabTo('.btn.authorize');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Authorize' }).waitFor();
    // The dialog keeps the focus until it is closed, and then gives it back.
    for (let stops = 0; stops < 8; stops++) {
      await page.keyboard.press('Tab');
      expect(await page.locator(':focus:not(dialog *)').count()).toBe(0);
    }
    await page.getByLabel('API key').focus();
    await page.keyboard.type(service.key);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.locator(':focus').getAttribute('class')).toContain('authorize');
    await tabTo('#operations-pets-listPets .execute');
    await page.keyboard.press('Enter');
    await docs.responseOf('listPets').waitFor();
    expect(await docs.responseOf('listPets').innerText()).toContain('200');
    await page.context().close();
  });
});

describe('The page /docs for programmers', () => {
  let docs: DocsPage;
  let page: Page;

  beforeAll(async () => {
    docs = await openDocs(browser, service.url, { permissions: ['clipboard-read', 'clipboard-write'] });
    page = docs.page;
    await service.post('/v1/pets', { name: 'Rex', categoryId: 3 });
    await buildClient();
  });

  afterAll(() => page.context().close());

  it.each(LANGUAGES)('has a working code sample in %s for every operation', async (language) => {
    const codes: string[] = [];
    for (const { operationId, tags = [] } of operationsOf(await servedDocument(service))) {
      const operation = docs.operation(operationId, tags[0]);
      await docs.open(operationId, tags[0]);
      await operation.getByRole('button', { name: language, exact: true }).click();
      codes.push(await operation.locator('.samples pre').innerText());
    }
    await operationCopied(codes.at(-1) as string);
    const outputs = await Promise.all(codes.map((code) => run(language, code, service)));
    for (const output of outputs) expect(output).toMatch(/name["']?: ?["']Rex["']/);
  });

  async function operationCopied(code: string): Promise<void> {
    await page.getByRole('button', { name: 'Copy', exact: true }).last().click();
    await until(async () => (await page.evaluate('navigator.clipboard.readText()')) === code);
  }

  it('says after "Authorize" which operations refuse the key, without a request that changes something', async () => {
    const before = await (await service.fetch('/v1/pets')).text();
    const reader = await service.keyWith('pets:read');
    await docs.authorize(reader);
    const key = keyOn(page, 'pets:read', 'pets:write');
    await key.waitFor();
    expect(await key.innerText()).toContain(`${reader.slice(0, 9)}…${reader.slice(-4)}`);
    expect(await docs.operation('createPet').locator('.refused').innerText()).toContain('pets:write');
    expect(await docs.operation('listPets').locator('.refused').count()).toBe(0);
    expect(await docs.execute('createPet')).toMatchObject({ status: '403' });
    expect(await violationsOn(page)).toEqual([]);
    await page.locator('.key').scrollIntoViewIfNeeded();
    await keepScreenshot(page, 'docs-key');
    expect(await (await service.fetch('/v1/pets')).text()).toBe(before);
  });

  it('links every error code to its explanation in the guide', async () => {
    const links = await page
      .locator('a[href*="/docs/guide#"]:has(code)')
      .evaluateAll((all) => all.map(String));
    const shown = await docs
      .responseOf('createPet')
      .getByRole('link', { name: 'insufficient_scope' })
      .getAttribute('href');
    const guide = await (await fetch(`${service.url}/docs/guide`)).text();
    const linked = new Set(links.map((link) => new URL(link).hash.slice(1)));
    const { paths } = await servedDocument(service);
    const codes = [...JSON.stringify(paths).matchAll(/"code":"(\w+)"/g)].map(([, code = '']) => code);
    expect(codes.filter((code) => !linked.has(code))).toEqual([]);
    expect(links.length).toBeGreaterThan(20);
    for (const link of [...links, shown as string])
      expect(guide).toContain(`id="${new URL(link).hash.slice(1)}"`);
  });

  it('shows the beginning of a response of a megabyte, to the digit and in few elements', async () => {
    const pet = `{"id":${BEYOND_DOUBLE},"name":"Rex","categoryId":3}`;
    const body = `[${Array.from({ length: 20_000 }, () => pet).join()}]`;
    expect(body.length).toBeGreaterThan(1_000_000);
    await page.route('**/v1/pets', (route) => route.fulfill({ body, contentType: 'application/json' }));
    const shown = (await docs.execute('listPets')).body;
    expect([shown.length, shown.slice(0, 40)]).toEqual([
      50_000,
      expect.stringContaining(`"id": ${BEYOND_DOUBLE}`),
    ]);
    expect(await docs.responseOf('listPets').locator('*').count()).toBeLessThan(100);
  });

  it('writes code samples for path parameters, changes and texts with quotes', async () => {
    const script = await page.locator('script[type=module]').getAttribute('src');
    const codes = await page.evaluate<
      string[]
    >(`import('./${script?.replace('docs.js', 'docs-samples.js')}').then((samples) => {
      const request = samples.sampleRequest(${JSON.stringify(TOYS)}, '/toys/{toyId}', 'patch', 'http://h/v1', 'http://h/c.tgz');
      return samples.LANGUAGES.map(({ write }) => write(request));
    })`);
    expect(codes).toEqual([
      expect.stringContaining(String.raw`-d '{"name":"it'\''s","makerId":3,"gone":null}'`),
      expect.stringMatching(
        /^\/\/ npm install http:\/\/h\/c\.tgz\n[^]*client\.updateToy\(7n, \{ name: 'it\\'s', makerId: 3n, gone: null \}\)/,
      ),
      expect.stringContaining(String.raw`JSON.stringify({ name: 'it\'s', makerId: 3, gone: null })`),
      expect.stringContaining(`json={"name": "it's", "makerId": 3, "gone": None}`),
    ]);
    for (const code of codes.filter((one) => !one.includes('import { '))) {
      expect(code).toContain('http://h/v1/toys/7');
      expect(code).toContain('application/merge-patch+json');
    }
  });

  it('renders only the visible ones of 250 operations, and finds the others', async () => {
    const { page: other } = await openPage(browser);
    const document = manyOperations(await servedDocument(service), 250);
    await other.route('**/docs/openapi.json', (route) => route.fulfill({ json: document }));
    await other.goto(`${service.url}/docs`);
    await other.locator('.opblock').first().waitFor();
    expect(await other.locator('.opblock').count()).toBeLessThan(50);
    await listOf(other).getByRole('searchbox').fill('/toys249');
    await other.locator('#operations-toys0-makeToy249').waitFor();
    expect(await other.locator('.opblock').count()).toBe(1);
    await other.locator('.opblock-summary-control').click();
    await other.getByRole('button', { name: 'fetch' }).click();
    expect(await other.locator('.samples pre').innerText()).toContain(
      `await fetch('${service.url}/v1/toys249', {`,
    );
    await keepScreenshot(other, 'docs-many');
    await other.context().close();
  });
});

/** How many pixels down the page the line of the first operation ends. */
async function endOfFirstSummary(page: Page): Promise<number> {
  const box = await page.locator('.opblock-summary').first().boundingBox();
  return box ? box.y + box.height : Infinity;
}

/** Opens every operation, and what is documented of its responses. */
async function openAll(page: Page): Promise<void> {
  const closed = page.locator('.opblock-summary-control[aria-expanded=false]');
  while ((await closed.count()) > 0) await closed.first().click();
  const folded = page.locator('.responses-table details:not([open]) > summary');
  while ((await folded.count()) > 0) await folded.first().click();
}
