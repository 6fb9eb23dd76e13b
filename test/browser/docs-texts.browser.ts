import type { Browser } from 'playwright-core';
import { startTestService, type TestService } from '../support/service/service';
import { launchChromium } from './browser';
import { type DocsPage, keyOn, noKeyOn, openDocs } from './docs-page';

/** The sentences of the docs page that are worth holding, each once: its other tests find things by role, name, code or value. */
describe('The docs page says', () => {
  let service: TestService;
  let browser: Browser;
  let docs: DocsPage;

  beforeAll(async () => {
    browser = await launchChromium();
    service = await startTestService('sqlite');
    docs = await openDocs(browser, service.url, { permissions: ['clipboard-read', 'clipboard-write'] });
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  it('what an operation will come to', async () => {
    expect(await docs.operation('getPet').locator('.opblock-summary').innerText()).toContain(
      'To be removed on 5 December 2030',
    );
  });

  it('what a key may do, and how long it is kept', async () => {
    const { page } = docs;
    expect(await noKeyOn(page).innerText()).toBe(
      'Without a key every request gets 401. This tab keeps the key until you log out or close it.',
    );
    await page.locator('.auth-wrapper .authorize').click();
    await page.getByRole('dialog').locator('input').fill('no key');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('alert').innerText()).toBe('The service does not accept this key.');
    await page
      .getByRole('dialog')
      .locator('input')
      .fill(await service.keyWith('pets:read'));
    await page.keyboard.press('Enter');
    expect(await keyOn(page, 'pets:read', 'pets:write').innerText()).toMatch(
      /^Key petk_\w+…\w+\. Scopes: pets:read\. Operations that need pets:write get 403\. This tab keeps the key until you log out or close it\.$/,
    );
    expect(await docs.operation('createPet').locator('.refused').innerText()).toBe('403: needs pets:write');
  });

  it('that a sample was copied', async () => {
    await docs.page.locator('.start').getByRole('button', { name: 'Copy' }).first().click();
    await docs.page.getByText('Copied.').waitFor();
  });
});
