import type { Browser, BrowserContextOptions, Locator } from 'playwright-core';
import { keepScreenshot, openPage, type WatchedPage } from './browser';

/** Swagger UI as a reader uses it. */
export interface DocsPage extends WatchedPage {
  operation(id: string, tag?: string): Locator;
  responseOf(id: string): Locator;
  /** Enters a key by "Authorize". */
  authorize(key: string): Promise<void>;
  /** Presses "Execute" of an open operation and reads what came back. */
  execute(id: string): Promise<{ status: string; body: string }>;
}

/** Opens Swagger UI of a service, in a browser context of its own. */
export async function openDocs(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<DocsPage> {
  const watched = await openPage(browser, options);
  const { page } = watched;
  await page.goto(`${url}/docs`);
  await page.locator('.opblock').first().waitFor();
  const operation = (id: string, tag = 'pets') => page.locator(`#operations-${tag}-${id}`);
  const responseOf = (id: string) => operation(id).locator('.live-responses-table');
  return {
    ...watched,
    operation,
    responseOf,
    async authorize(key) {
      await page.locator('.auth-wrapper .authorize').click();
      const dialog = page.getByRole('dialog');
      await dialog.locator('input').fill(key);
      await keepScreenshot(page, 'docs-authorize');
      await dialog.getByRole('button', { name: 'Authorize' }).click();
      await dialog.getByRole('button', { name: 'Close' }).last().click();
    },
    async execute(id) {
      await operation(id).getByRole('button', { name: 'Execute' }).click();
      const status = await responseOf(id).locator('tbody .response-col_status').innerText();
      return {
        status: status.trim(),
        body: await responseOf(id).locator('.response-col_description pre').first().innerText(),
      };
    },
  };
}
