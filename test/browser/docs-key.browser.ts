import type { Browser, Page } from 'playwright-core';
import { startTestService, type TestService } from '../support/service/service';
import { launchChromium, openPage } from './browser';
import { type DocsPage, openDocs } from './docs-page';

describe('The API key that is entered at /docs', () => {
  let service: TestService;
  let browser: Browser;
  let docs: DocsPage;
  let page: Page;
  const stored = (storage: 'localStorage' | 'sessionStorage', of = page) =>
    of.evaluate<string>(`JSON.stringify(${storage})`);
  const openAgain = async (of: Page) => {
    await of.goto(`${service.url}/docs`);
    await of.locator('.opblock').first().waitFor();
    return of.locator('.key').innerText();
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

  it('stays in its tab when the page is reloaded, and the page says so', async () => {
    await page.reload();
    await page.locator('.key', { hasText: 'It may use pets:read, pets:write.' }).waitFor();
    expect(await page.locator('.toolbar').innerText()).toContain(
      'This tab keeps the key until you log out or close it.',
    );
    expect(await stored('sessionStorage')).toContain(service.key);
    expect(docs.complaints).toEqual([]);
  });

  it('is in no other tab, and gone when the browser is restarted', async () => {
    expect(await stored('localStorage')).not.toContain('petk_');
    const tab = await page.context().newPage();
    expect(await openAgain(tab)).toContain('No key is entered yet');
    await tab.close();
    const kept = await page.context().storageState();
    const restarted = await openPage(browser, { storageState: kept });
    expect(await openAgain(restarted.page)).toContain('No key is entered yet');
    await restarted.page.context().close();
  });

  it('is forgotten by "Logout"', async () => {
    await page.locator('.auth-wrapper .authorize').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click();
    expect(await stored('sessionStorage')).not.toContain('petk_');
    expect(await openAgain(page)).toBe(
      'No key is entered yet: expect 401 everywhere. This tab keeps the key until you log out or close it.',
    );
  });

  it('is removed where an earlier version has stored it for all tabs', async () => {
    const schema = { type: 'http', scheme: 'bearer' };
    const authorized = { apiKey: { name: 'apiKey', schema, value: service.key } };
    await page.evaluate(`localStorage.setItem('authorized', '${JSON.stringify(authorized)}')`);
    expect(await openAgain(page)).toContain('No key is entered yet');
    expect(await stored('localStorage')).not.toContain('petk_');
  });

  it('can be used without being kept where the browser stores nothing', async () => {
    const watched = await openPage(browser);
    await watched.page.addInitScript(
      `Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException('', 'SecurityError'); } })`,
    );
    expect(await openAgain(watched.page)).toContain('No key is entered yet');
    await watched.page.locator('.auth-wrapper .authorize').click();
    await watched.page.getByRole('dialog').locator('input').fill(service.key);
    await watched.page.getByRole('dialog').getByRole('button', { name: 'Authorize' }).click();
    await watched.page.locator('.key', { hasText: 'It may use pets:read, pets:write.' }).waitFor();
    await watched.page.context().close();
  });
});
