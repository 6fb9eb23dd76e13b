import type { Browser, Page } from 'playwright-core';
import { operationsOf, servedDocument } from '../support/served-document';
import { startTestService, type TestService } from '../support/service';
import { keepScreenshot, launchChromium, openPage, violationsOn } from './browser';
import { type DocsPage, openDocs } from './docs-page';

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

  it('shows every operation, and the deprecated one as such', async () => {
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

  it('takes a key by "Authorize" and adds, lists and fetches a pet by "Try it out"', async () => {
    await docs.authorize(service.key);

    await docs.operation('createPet').locator('.opblock-summary-control').click();
    await docs
      .operation('createPet')
      .locator('textarea')
      .fill(`{ "name": "Rex", "categoryId": ${BEYOND_DOUBLE}, "status": "sold" }`);
    const created = await docs.execute('createPet');
    expect(created).toEqual({ status: '201', body: expect.stringContaining('"name": "Rex"') });
    const [, id] = /"id": (\d+)/.exec(created.body) ?? [];
    await docs.operation('createPet').scrollIntoViewIfNeeded();
    await keepScreenshot(page, 'docs-create');

    await docs.operation('listPets').locator('.opblock-summary-control').click();
    expect(await docs.execute('listPets')).toEqual({
      status: '200',
      body: expect.stringContaining(`"id": ${id},`),
    });

    await docs.operation('getPet').locator('.opblock-summary-control').click();
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

  it('opens an operation by its address, and keeps the key when the page is loaded again', async () => {
    await page.goto(`${service.url}/docs#/pets/listPets`);
    await page.reload();
    await docs.operation('listPets').locator('.opblock-body').waitFor();
    expect(await docs.execute('listPets')).toMatchObject({ status: '200' });
  });

  it('did all that without a complaint on the console and without a request elsewhere', () => {
    expect(docs.complaints).toEqual([]);
    expect([...docs.origins]).toEqual([service.url]);
  });
});

describe('The front page', () => {
  it.each([
    [1280, 900],
    [380, 800],
  ])(
    'shows the first operation on the first screen of %d by %d pixels, and nothing beside it',
    async (...size) => {
      const [width, height] = size;
      const { page } = await openDocs(browser, service.url, { viewport: { width, height } });
      const box = await page.locator('.opblock').first().boundingBox();
      expect(box && box.y + box.height).toBeLessThan(height);
      for (const control of await page.locator('.opblock-summary-control').all()) await control.click();
      await page.locator('.responses-table').last().waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      await keepScreenshot(page, `docs-open-${width}`, true);
      await page.context().close();
    },
  );

  it.each(['light', 'dark'] as const)(
    'breaks no rule of WCAG 2.2 AA in a %s colour scheme, open operations and the dialog included',
    async (colorScheme) => {
      const docs = await openDocs(browser, service.url, { colorScheme });
      const { page } = docs;
      expect(await page.evaluate('getComputedStyle(document.body).colorScheme')).toBe(colorScheme);
      await keepScreenshot(page, `docs-${colorScheme}`);
      await page.locator('.auth-wrapper .authorize').click();
      expect(await violationsOn(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await docs.authorize(service.key);
      for (const control of await page.locator('.opblock-summary-control').all()) await control.click();
      await docs.execute('listPets');
      expect(await violationsOn(page)).toEqual([]);
      await keepScreenshot(page, `docs-open-${colorScheme}`, true);
      await page.context().close();
    },
  );

  it('can be used by the keyboard alone, from the key to the response', async () => {
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
    await page.getByRole('dialog', { name: 'Available authorizations' }).waitFor();
    await page.keyboard.type(service.key);
    await page.keyboard.press('Enter');
    await page.locator('.auth-container').getByRole('button', { name: 'Logout' }).waitFor();
    // The dialog keeps the focus until it is closed, and then gives it back.
    for (let stops = 0; stops < 5; stops++) {
      await page.keyboard.press('Tab');
      expect(await page.locator('.modal-ux :focus').count()).toBe(1);
    }
    await page.keyboard.press('Escape');
    expect(await page.locator(':focus').getAttribute('class')).toContain('authorize');
    await tabTo('#operations-pets-listPets .opblock-summary-control');
    await page.keyboard.press('Enter');
    await tabTo('#operations-pets-listPets .execute');
    await page.keyboard.press('Enter');
    await docs.responseOf('listPets').waitFor();
    expect(await docs.responseOf('listPets').innerText()).toContain('200');
    await page.context().close();
  });
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
