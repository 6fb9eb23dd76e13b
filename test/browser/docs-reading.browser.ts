import type { Browser, Locator } from 'playwright-core';
import { servedDocument } from '../support/service/served-document';
import { startTestService, type TestService } from '../support/service/service';
import { keepScreenshot, launchChromium, openPage, violationsOn } from './browser';
import { listOf, manyOperations, openDocs } from './docs-page';

const WIDTHS = [380, 760, 1024, 1440];

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

/** The members that a part of the page explains: name, type and whether they are required, then what they mean. */
async function membersIn(part: Locator): Promise<string[]> {
  const rows = await part.locator('dl > div').allInnerTexts();
  return rows.map((row) => row.replaceAll(/\s+/g, ' '));
}

describe('An open operation at /docs', () => {
  it('explains the members of what is sent and received, beside the form', async () => {
    const docs = await openDocs(browser, service.url);
    await docs.open('createPet');
    const operation = docs.operation('createPet');
    await operation.getByRole('textbox', { name: 'Request body' }).waitFor();
    const sent = [
      "name string required The animal's name.",
      'categoryId integer (int64) required Identifier of the category the animal belongs to.',
      'status string Availability status of the animal. One of available pending sold',
    ];
    expect(await membersIn(operation.locator('.opblock-section-request-body'))).toEqual(sent);
    expect(await membersIn(operation.locator('.responses-wrapper'))).toEqual([
      'id integer (int64) required Unique identifier, assigned by the service on creation.',
      ...sent,
    ]);
    const list = docs.operation('listPets').locator('.responses-wrapper');
    expect(await list.innerText()).toContain('array of Pet');
    expect(await membersIn(list)).toHaveLength(4);
    await docs.page.context().close();
  });

  it('has coloured code that is wrapped at every width, with no button over it', async () => {
    const docs = await openDocs(browser, service.url);
    const { page } = docs;
    await docs.authorize(service.key);
    await docs.open('createPet');
    const operation = docs.operation('createPet');
    await operation.getByRole('button', { name: 'Python' }).click();
    await docs.execute('createPet');
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      // Of each piece of code: how far it goes over its place, and its colours.
      const codes = await page.evaluate<[number, number][]>(
        `[...document.querySelectorAll('main .highlight-code pre')].map((pre) => [
          pre.scrollWidth - pre.clientWidth,
          new Set([...pre.querySelectorAll('span')].map((span) => getComputedStyle(span).color)).size,
        ])`,
      );
      expect(codes.length).toBeGreaterThan(3);
      for (const [excess, colours] of codes) {
        expect(excess).toBe(0);
        expect(colours).toBeGreaterThan(1);
      }
      const shown = docs.responseOf('createPet');
      const { y = 0 } = (await shown.locator('pre').first().boundingBox()) ?? {};
      for (const button of await shown.getByRole('button').all()) {
        const { y: top = 0, height = 0 } = (await button.boundingBox()) ?? {};
        expect(top + height).toBeLessThanOrEqual(y);
      }
    }
    await page.context().close();
  });

  it('shows the default and the bounds of its parameters', async () => {
    const docs = await openDocs(browser, service.url);
    const list = docs.operation('listPets');
    await docs.open('listPets');
    const rulesOf = (name: string) => list.locator(`tr[data-param-name="${name}"] code`).allInnerTexts();
    expect(await rulesOf('limit')).toEqual(['default: 20', 'maximum: 100', 'minimum: 1']);
    expect(await rulesOf('cursor')).toEqual(expect.arrayContaining(['maxLength: 512']));
    // What may be left out is left out: the service knows its default.
    expect(await list.locator('tr[data-param-name="limit"] input').inputValue()).toBe('');
    await docs.page.context().close();
  });

  it('moves the focus to the response', async () => {
    const docs = await openDocs(browser, service.url);
    await docs.open('createPet');
    await docs.execute('createPet');
    const { page } = docs;
    expect(await page.getByRole('region', { name: 'Response', exact: true }).count()).toBe(1);
    expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Response');
    await page.context().close();
  });
});

describe('The list of operations at /docs', () => {
  it('leads to an operation by a search that "/" begins, and marks where the reader is', async () => {
    const docs = await openDocs(browser, service.url, { reducedMotion: 'reduce' });
    const { page } = docs;
    const list = listOf(page);
    const marked = list.locator('[aria-current=location]');
    await page.keyboard.press('/');
    await page.keyboard.type('add');
    await list.getByRole('link', { name: 'List animals' }).waitFor({ state: 'detached' });
    expect(await page.locator('.opblock').count()).toBe(1);
    await list.getByRole('link', { name: 'post Add an animal' }).press('Enter');
    await docs.operation('createPet').getByRole('button', { name: 'Execute' }).waitFor();
    await marked.getByText('Add an animal').waitFor();
    expect(await docs.operation('createPet').locator(':focus').count()).toBe(1);
    await page.keyboard.press('/');
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Delete');
    await page.evaluate(`document.getElementById('operations-pets-listPets').scrollIntoView()`);
    await marked.getByText('List animals').waitFor();
    expect(await marked.count()).toBe(1);
    await list.getByRole('searchbox').fill('unmatched');
    await list.getByRole('status').filter({ hasText: /^0 / }).waitFor();
    await page.context().close();
  });

  it.each([
    ['a summary', 'animals list', ['List animals']],
    ['a parameter', 'cursor', ['List animals', 'Paging']],
    ['what a parameter means', 'bare or in quotes', ['Add an animal']],
    ['the guide', 'idempotency_in_progress', []],
  ])('finds words of %s', async (_of, words, names) => {
    const { page } = await openDocs(browser, service.url);
    const list = listOf(page);
    await list.getByRole('searchbox').fill(words);
    await list.getByRole('link', { name: names.at(-1) ?? 'Retries' }).waitFor();
    const found = await list.getByRole('link').allInnerTexts();
    for (const name of names) expect(found.join()).toContain(name);
    expect(await list.getByRole('status').innerText()).toBe(`${found.length} found`);
    await page.context().close();
  });

  it('goes from the search to the first match by Enter, and to the others by arrows', async () => {
    const { page } = await openDocs(browser, service.url, { reducedMotion: 'reduce' });
    const list = listOf(page);
    const focusedLink = (hasText: string) => list.locator('a:focus', { hasText });
    await page.keyboard.press('/');
    await list.locator('input:focus').waitFor();
    await page.keyboard.type('animal');
    await list.getByRole('status').filter({ hasText: /./ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await focusedLink('List animals').waitFor();
    await page.keyboard.press('ArrowDown');
    await focusedLink('Add an animal').waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await list.locator('input:focus').waitFor();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('add');
    await page.keyboard.press('Enter');
    await page.locator('#operations-pets-createPet :focus').waitFor();
    await list.getByRole('searchbox').fill('rate limits');
    await list.getByRole('link', { name: 'Rate limits' }).waitFor();
    await list.getByRole('searchbox').press('ArrowUp');
    await page.locator('a:focus').press('Enter');
    await page.waitForURL('**/docs/guide#*');
    await page.context().close();
  });

  it('has a group for each module, of which one is open', async () => {
    const { page } = await openPage(browser, { viewport: { width: 1440, height: 900 } });
    const document = manyOperations(await servedDocument(service), 100, 5);
    await page.route('**/docs/openapi.json', (route) => route.fulfill({ json: document }));
    await page.goto(`${service.url}/docs`);
    const list = listOf(page);
    await page.locator('.opblock').first().waitFor();
    expect(await list.locator('summary').count()).toBe(20);
    expect(await list.getByRole('link').count()).toBe(5);
    expect(await page.locator('.opblock').count()).toBe(5);
    await list.locator('summary', { hasText: 'toys17' }).click();
    await list.getByRole('link', { name: 'Make toy 87', exact: false }).click();
    await page.locator('#operations-toys17-makeToy87 .opblock-body').waitFor();
    await list.locator('[aria-current=location]').getByText('Make toy 87').waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await keepScreenshot(page, 'docs-modules');
    await page.context().close();
  });

  it('is a bar on a narrow screen, which unfolds and folds again when it has led somewhere', async () => {
    const docs = await openDocs(browser, service.url, { viewport: { width: 380, height: 800 } });
    const list = listOf(docs.page);
    const link = list.getByRole('link', { name: 'Get an animal' });
    expect(await link.isVisible()).toBe(false);
    await list.getByRole('button', { name: 'Operations' }).click();
    await keepScreenshot(docs.page, 'docs-list-380');
    await link.click();
    await docs.operation('getPet').getByRole('button', { name: 'Execute' }).waitFor();
    await link.waitFor({ state: 'hidden' });
    const { y = -1 } = (await docs.operation('getPet').boundingBox()) ?? {};
    const bar = (await list.boundingBox()) ?? { height: Infinity };
    expect(y).toBeGreaterThanOrEqual(bar.height);
    await docs.page.context().close();
  });
});

describe('The page /docs', () => {
  it('has a link that skips to "Authorize" and the operations', async () => {
    const { page } = await openDocs(browser, service.url);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('main:focus').waitFor();
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').innerText()).toContain('Authorize');
    await page.context().close();
  });

  it('has one typeface for texts and one for code', async () => {
    const docs = await openDocs(browser, service.url);
    await docs.open('createPet');
    const families = await docs.page.evaluate<string[]>(
      `[...document.body.querySelectorAll('*')].map((element) => getComputedStyle(element).fontFamily)`,
    );
    expect([...new Set(families)]).toHaveLength(2);
    await docs.page.context().close();
  });
});
