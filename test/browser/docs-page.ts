import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { ServedDocument } from '../support/service/served-document';
import { keepScreenshot, openPage, type WatchedPage } from './browser';

/** Swagger UI as a reader uses it. */
export interface DocsPage extends WatchedPage {
  operation(id: string, tag?: string): Locator;
  responseOf(id: string): Locator;
  /** Opens an operation, unless it is open. */
  open(id: string, tag?: string): Promise<void>;
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
  const responseOf = (id: string) => operation(id).locator('.result');
  return {
    ...watched,
    operation,
    responseOf,
    async open(id, tag) {
      if ((await operation(id, tag).locator('.opblock-body').count()) > 0) return;
      await operation(id, tag).locator('.opblock-summary-control').click();
    },
    async authorize(key) {
      await page.locator('.auth-wrapper .authorize').click();
      const dialog = page.getByRole('dialog');
      await dialog.locator('input').fill(key);
      await keepScreenshot(page, 'docs-authorize');
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
    },
    async execute(id) {
      await operation(id).getByRole('button', { name: 'Execute' }).click();
      const status = await responseOf(id).locator('.result-status').innerText();
      return {
        status: status.split(' ')[0] ?? '',
        body: await responseOf(id).locator('pre').first().innerText(),
      };
    },
  };
}

/** The list of operations at the side. */
export function listOf(page: Page): Locator {
  return page.getByRole('navigation', { name: 'Operations' });
}

/** What the page says of the entered key, once it has found out that these scopes are granted or missing. */
export function keyOn(page: Page, ...scopes: readonly string[]): Locator {
  const names = scopes.map((scope) => `:has(code:text-is("${scope}"))`);
  return page.locator(`.key[role="status"]${names.join('')}`);
}

/** What the page says while no key is entered. */
export function noKeyOn(page: Page): Locator {
  return page.locator('.key:not([role])');
}

/** A document with the creation of a pet many times over, as toys of modules with so many operations each. */
export function manyOperations(document: ServedDocument, count: number, perModule = count): object {
  const create = document.paths['/pets']?.['post'];
  const numbers = Array.from({ length: count }, (_, number) => number);
  return {
    ...document,
    tags: numbers
      .filter((number) => number % perModule === 0)
      .map((number) => ({ name: `toys${number / perModule}`, description: 'Things to play with.' })),
    paths: Object.fromEntries(
      numbers.map((number) => [
        `/toys${number}`,
        {
          post: {
            ...create,
            tags: [`toys${Math.floor(number / perModule)}`],
            summary: `Make toy ${number}`,
            operationId: `makeToy${number}`,
          },
        },
      ]),
    ),
  };
}

const INT64 = { type: 'integer', format: 'int64' };

/** A document with an operation that changes something. */
export const TOYS = {
  paths: {
    '/toys/{toyId}': {
      patch: {
        operationId: 'updateToy',
        security: [{ apiKey: [] }],
        parameters: [{ name: 'toyId', in: 'path', required: true, schema: { ...INT64, example: 7 } }],
        requestBody: {
          content: {
            'application/merge-patch+json': {
              schema: { $ref: '#/components/schemas/ToyPatch' },
              example: { name: "it's", makerId: 3, gone: null },
            },
          },
        },
        responses: { 200: {} },
      },
    },
  },
  components: { schemas: { ToyPatch: { properties: { makerId: INT64 } } } },
};
