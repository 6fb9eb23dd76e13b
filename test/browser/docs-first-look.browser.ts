import type { Browser } from 'playwright-core';
import { startTestService, type TestService } from '../support/service/service';
import { keepScreenshot, launchChromium, openPage, violationsOn } from './browser';
import { keyOn, noKeyOn, openDocs } from './docs-page';

/** An integer that a double would round to the one before. */
const BEYOND_DOUBLE = '9007199254740993';

let service: TestService;
let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
  service = await startTestService('sqlite');
});

afterAll(async () => {
  await browser.close();
  await service.stop();
});

describe('The first look at Swagger UI', () => {
  it.each([
    [1440, 900],
    [1024, 800],
    [380, 800],
  ])('has the first operation and the whole quick start in a window of %i by %i', async (width, height) => {
    const { page } = await openDocs(browser, service.url, { viewport: { width, height } });
    const { y: top = -1, height: tall = height } =
      (await page.locator('.opblock-summary').first().boundingBox()) ?? {};
    expect(top).toBeGreaterThan(0);
    expect(top + tall).toBeLessThanOrEqual(height);
    const steps = page.locator('.start > details');
    expect(await steps.count()).toBe(3);
    for (const step of await steps.all()) {
      if ((await step.getAttribute('open')) === null) await step.locator('summary').click();
      for (const part of [step.locator('summary'), ...(await step.locator('.code').all())]) {
        const { x = -1, width: wide = width } = (await part.boundingBox()) ?? {};
        expect([x > 0, x + wide <= width]).toEqual([true, true]);
      }
    }
    await keepScreenshot(page, `docs-first-${width}`);
    await page.context().close();
  });

  it('lists the operations before Swagger UI has come, which then opens what was clicked', async () => {
    const { page, complaints } = await openPage(browser, { viewport: { width: 1440, height: 900 } });
    const { promise: isWanted, resolve: send } = Promise.withResolvers<void>();
    await page.route('**/swagger-ui-bundle.js', async (route) => {
      await isWanted;
      await route.continue();
    });
    await page.goto(`${service.url}/docs`, { waitUntil: 'commit' });
    const operations = page.getByRole('main').getByRole('link');
    await operations.first().waitFor();
    expect(await operations.allInnerTexts()).toEqual([
      expect.stringMatching(/^GET\s+\/v1\/pets\s+\w/),
      expect.stringMatching(/^POST\s+\/v1\/pets\s+\w/),
      expect.stringMatching(/^GET\s+\/v1\/pets\/\{petId\}\s+\w/),
    ]);
    expect(await violationsOn(page)).toEqual([]);
    await keepScreenshot(page, 'docs-before-swagger-ui');
    await operations.nth(2).click();
    send();
    await page.locator('#operations-pets-getPet .opblock-body').waitFor();
    expect(await page.locator('main').count()).toBe(1);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it.each([
    ['a desk', { width: 1440, height: 900 }],
    ['a telephone', { width: 380, height: 800 }],
  ])('shows the response to "Execute" on the screen of %s: status, time and body', async (_of, viewport) => {
    const docs = await openDocs(browser, service.url, { viewport, reducedMotion: 'reduce' });
    await docs.authorize(service.key);
    await docs.open('createPet');
    expect((await docs.execute('createPet')).status).toBe('201');
    const result = docs.responseOf('createPet');
    expect(await result.locator('.result-line').innerText()).toMatch(/^201 Created in \d+ ms$/);
    for (const part of [result.locator('.result-line'), result.locator('pre').first()]) {
      const { y = -1, height = 0 } = (await part.boundingBox()) ?? {};
      expect(y).toBeGreaterThanOrEqual(0);
      expect(y + height).toBeLessThanOrEqual(viewport.height);
    }
    await keepScreenshot(docs.page, `docs-result-${viewport.width}`);
    await docs.page.context().close();
  });

  it('shows one code sample that follows the form to the digit and never contains the key', async () => {
    const docs = await openDocs(browser, service.url);
    await docs.authorize(service.key);
    await docs.open('createPet');
    const operation = docs.operation('createPet');
    await operation.locator('textarea').fill(`{"name": "it's", "categoryId": ${BEYOND_DOUBLE}}`);
    await docs.execute('createPet');
    expect(await operation.locator('.samples').count()).toBe(1);
    expect(await operation.innerText()).not.toContain(service.key);
    const code = async (language: string) => {
      await operation.getByRole('button', { name: language, exact: true }).click();
      return operation.locator('.samples pre').innerText();
    };
    expect(await code('curl')).toContain(String.raw`-d '{"name":"it'\''s","categoryId":${BEYOND_DOUBLE}}'`);
    expect(await code('TypeScript client')).toContain(`categoryId: ${BEYOND_DOUBLE}n`);
    expect(await code('fetch')).toContain(`"categoryId":${BEYOND_DOUBLE}}'`);
    expect(await code('Python')).toContain(`"categoryId": ${BEYOND_DOUBLE}`);
    await operation.locator('textarea').fill('{');
    expect(await code('curl')).toContain(`-d '{'`);
    const list = docs.operation('listPets');
    await list.locator('tr[data-param-name="limit"] input').fill('7');
    await list.locator('.samples pre', { hasText: '/v1/pets?limit=7' }).waitFor();
    await docs.page.context().close();
  });

  it('shows path and sunset of each closed operation, and opens the first', async () => {
    const docs = await openDocs(browser, service.url);
    const summary = (id: string) => docs.operation(id).locator('.opblock-summary').innerText();
    await docs.operation('listPets').locator('.opblock-body').waitFor();
    expect(await docs.page.locator('.opblock-body').count()).toBe(1);
    expect((await summary('createPet')).replaceAll(/\s/g, '')).toContain('POST/v1/pets');
    expect(await summary('getPet')).toContain('5 December 2030');
    expect(await summary('listPets')).not.toMatch(/\d{4}/);
    await docs.page.context().close();
  });

  it('explains in the dialog why a key is refused, and keeps it open until one is accepted', async () => {
    const { page } = await openDocs(browser, service.url);
    await page.locator('.auth-wrapper .authorize').click();
    for (const wrong of [`${service.key.slice(0, -1)}-`, 'schlüssel']) {
      await page.getByLabel('API key').fill(wrong);
      await page.keyboard.press('Enter');
      await page.getByRole('alert').waitFor();
    }
    await noKeyOn(page).waitFor();
    await page.getByLabel('API key').fill(`Bearer ${service.key} `);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await keyOn(page, 'pets:read', 'pets:write').waitFor();
    await page.context().close();
  });

  it('has a quick start for this host on the first screen, as in the guide, even without JavaScript', async () => {
    const { page } = await openPage(browser, { javaScriptEnabled: false });
    const stepsOn = async (path: string) => {
      await page.goto(`${service.url}${path}`);
      const start = page.locator('section[aria-labelledby="quick-start"]');
      expect(await start.locator('button').count()).toBe(0);
      return (await start.locator('h3, p, pre').allTextContents()).map((text) => text.trim());
    };
    const steps = await stepsOn('/docs');
    const { y = -1, height = 0 } = (await page.locator('.start').boundingBox()) ?? {};
    expect(y).toBeGreaterThanOrEqual(0);
    expect(y + height).toBeLessThanOrEqual(900);
    expect(steps).toHaveLength(11);
    expect(steps[5]).toContain(`curl ${service.url}/v1/pets`);
    expect(steps[8]).toContain(`npm install ${service.url}/docs/`);
    expect(steps[9]).toContain(`baseUrl: '${service.url}/v1'`);
    expect(await stepsOn('/docs/guide')).toEqual(steps);
    await page.context().close();
  });

  it.each([
    ['a desk', 1440],
    ['a telephone', 380],
  ])(
    'has three steps with buttons to copy that the keyboard reaches, at the width of %s',
    async (_of, width) => {
      const { page } = await openDocs(browser, service.url, {
        viewport: { width, height: 900 },
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      const start = page.locator('.start');
      await start.locator('summary').nth(2).press('Enter');
      await start.getByRole('button', { name: 'Copy' }).first().press('Enter');
      await start.getByRole('status').filter({ hasText: /./ }).waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
        (await start.locator('pre').nth(2).innerText()).trim(),
      );
      const { x = -1, width: wide = 0 } = (await start.locator('.code').nth(2).boundingBox()) ?? {};
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x + wide).toBeLessThanOrEqual(width);
      await keepScreenshot(page, `docs-start-${width}`);
      await page.context().close();
    },
  );

  it('asks about a key by one request, which is not refused', async () => {
    const docs = await openDocs(browser, service.url);
    const { page } = docs;
    const asked: string[] = [];
    page.on('response', (response) => {
      // Chromium asks for the page's icon at a time of its own.
      if (response.request().resourceType() !== 'fetch') return;
      const { pathname } = new URL(response.url());
      asked.push(`${response.request().method()} ${pathname} ${response.status()}`);
    });
    const settled = keyOn(page, 'pets:read', 'pets:write');
    await docs.authorize(service.key);
    await settled.waitFor();
    expect(asked).toEqual(['GET /docs/key 200', 'GET /docs/openapi-3.1.json 200']);
    await page.locator('.auth-wrapper .authorize').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click();
    await noKeyOn(page).waitFor();
    await docs.authorize(service.key);
    await settled.waitFor();
    expect(asked.slice(2)).toEqual(['GET /docs/key 200']);
    await page.context().close();
  });
});
