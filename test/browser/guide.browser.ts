import type { Browser } from 'playwright-core';
import { startTestService, type TestService } from '../support/service';
import { keepScreenshot, launchChromium, openPage } from './browser';

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
