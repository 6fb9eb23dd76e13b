import type { Browser, Page } from 'playwright-core';
import { startTestService, type TestService } from '../support/service/service';
import { launchChromium, openPage } from './browser';
import { type DocsPage, keyOn, noKeyOn, openDocs } from './docs-page';

describe('The API key that is entered at /docs', () => {
  let service: TestService;
  let browser: Browser;
  let docs: DocsPage;
  let page: Page;
  const stored = (storage: 'localStorage' | 'sessionStorage', of = page) =>
    of.evaluate<string>(`JSON.stringify(${storage})`);
  const openWithoutKey = async (of: Page) => {
    await of.goto(`${service.url}/docs`);
    await of.locator('.opblock').first().waitFor();
    await noKeyOn(of).waitFor();
  };

  beforeAll(async () => {
    browser = await launchChromium();
    service = await startTestService('sqlite');
    docs = await openDocs(browser, service.url);
    page = docs.page;
    await docs.authorize(service.key);
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  it('stays in its tab when the page is reloaded', async () => {
    await page.reload();
    await keyOn(page, 'pets:read', 'pets:write').waitFor();
    expect(await stored('sessionStorage')).toContain(service.key);
    expect(docs.complaints).toEqual([]);
  });

  it('is in no other tab, and gone when the browser is restarted', async () => {
    expect(await stored('localStorage')).not.toContain('petk_');
    const tab = await page.context().newPage();
    await openWithoutKey(tab);
    await tab.close();
    const kept = await page.context().storageState();
    const restarted = await openPage(browser, { storageState: kept });
    await openWithoutKey(restarted.page);
    await restarted.page.context().close();
  });

  it('is forgotten by "Logout"', async () => {
    await page.locator('.auth-wrapper .authorize').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click();
    expect(await stored('sessionStorage')).not.toContain('petk_');
    await openWithoutKey(page);
  });

  it('can be used without being kept where the browser stores nothing', async () => {
    const watched = await openPage(browser);
    await watched.page.addInitScript(
      `Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException('', 'SecurityError'); } })`,
    );
    await openWithoutKey(watched.page);
    await watched.page.locator('.auth-wrapper .authorize').click();
    await watched.page.getByRole('dialog').locator('input').fill(service.key);
    await watched.page.getByRole('dialog').getByRole('button', { name: 'Authorize' }).click();
    await keyOn(watched.page, 'pets:read', 'pets:write').waitFor();
    await watched.page.context().close();
  });
});
