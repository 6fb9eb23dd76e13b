import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { run } from '../support/samples/sample-programs';
import { startTestService, type TestService } from '../support/service/service';
import { keepScreenshot, launchChromium, openPage, violationsOn } from './browser';

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

describe('The guide at /docs/guide', () => {
  it.each(['light', 'dark'] as const)(
    'is shown in a %s colour scheme without a complaint of the browser',
    async (scheme) => {
      const { page, complaints, origins } = await openPage(browser, { colorScheme: scheme });
      await page.goto(`${service.url}/docs/guide`);
      expect(await page.locator('h1').innerText()).toBe('Petstore: guide');
      await keepScreenshot(page, `guide-${scheme}`, true);
      expect(await violationsOn(page)).toEqual([]);
      await page.setViewportSize({ width: 380, height: 800 });
      await keepScreenshot(page, `guide-${scheme}-narrow`);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(380);
      expect(complaints).toEqual([]);
      expect([...origins]).toEqual([service.url]);
      await page.context().close();
    },
  );

  it.each<[words: string, found: string, anchor: string]>([
    ['cursor filter', 'Errors: invalid_cursor', 'invalid_cursor'],
    ['idempotency-key retr', 'Retries', 'retries'],
    ['10,000,000', '', ''],
  ])('finds its sections by search words: %s', async (words, found, anchor) => {
    const { page } = await openPage(browser);
    await page.goto(`${service.url}/docs/guide`);
    await page.getByRole('searchbox', { name: 'Search' }).fill(words);
    const results = page.locator('search a');
    if (found === '') {
      expect(await page.locator('search [role=status]').innerText()).toBe('0 found');
      return page.context().close();
    }
    expect(await results.allInnerTexts()).toContain(found);
    await results.getByText(found).first().focus();
    await keepScreenshot(page, 'guide-search');
    await page.keyboard.press('Enter');
    expect(await page.locator(':target').getAttribute('id')).toBe(anchor);
    await page.context().close();
  });

  it('has a button at each code block that copies it, and says so', async () => {
    const { page } = await openPage(browser, { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.goto(`${service.url}/docs/guide`);
    const buttons = page.getByRole('button', { name: 'Copy', exact: true });
    expect(await buttons.count()).toBe(await page.locator('pre').count());
    await buttons.nth(1).click();
    await page.getByText('Copied.').waitFor();
    await keepScreenshot(page, 'guide-copied');
    expect(await violationsOn(page)).toEqual([]);
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      `curl ${service.url}/v1/pets \\\n  -H "Authorization: Bearer $PETSTORE_API_KEY"`,
    );
    await page.context().close();
  });

  it('is complete without JavaScript, except for the search', async () => {
    const { page } = await openPage(browser, { javaScriptEnabled: false });
    await page.goto(`${service.url}/docs/guide`);
    expect(await page.locator('section').count()).toBe(await page.locator('nav > ul > li').count());
    expect(await page.locator('input, button').count()).toBe(0);
    await page.context().close();
  });

  it('has examples that work as described', async () => {
    await service.post('/v1/pets', { name: 'Rex', categoryId: 3 });
    await service.fetch('/v1/pets', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"name":"Max","categoryId":${BEYOND_DOUBLE}}`,
    });
    const folder = mkdtempSync(join(tmpdir(), 'guide-'));
    writeFileSync(join(folder, 'body.json'), '{"name":"Rex","categoryId":3}');
    const text = await (await fetch(`${service.url}/docs/guide.md`)).text();
    const codes = (language: string) =>
      [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))].map(([, code = '']) =>
        code.replace('petk_...', service.key),
      );
    const installs = codes('sh').filter((code) => code.startsWith('npm install'));
    const shell = codes('sh').filter((code) => !installs.includes(code));
    const scripts = codes('js');
    expect([installs.length, shell.length, scripts.length]).toEqual([2, 4, 2]);
    for (const install of installs) await run('curl', install, service, folder);
    const [key = '', ...calls] = shell;
    expect(key).toBe(`export PETSTORE_API_KEY=${service.key}\n`);
    for (const code of calls.map((call) => key + call))
      expect(await run('curl', code, service, folder)).toContain('"name":"Rex"');
    const [walk = '', exact = ''] = scripts;
    expect(await run('TypeScript client', walk, service, folder)).toContain(`${BEYOND_DOUBLE}n`);
    expect(await run('fetch', `${exact}console.log(text);`, service)).toContain(`:${BEYOND_DOUBLE}`);
    rmSync(folder, { recursive: true });
  });

  it('has no broken link to itself or to the docs', async () => {
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
});
