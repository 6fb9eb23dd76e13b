import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { startTestService, type TestService } from '../../support/service/service';
import { keepScreenshot, launchChromium, openPage } from '../../browser/browser';

const PAGE = readFileSync(join(__dirname, '../../../docs/how-do-i.md'), 'utf8');

/** An address, a name in bold, an operation, or words that ask for the key. */
const ACTION =
  /<http:\/\/127\.0\.0\.1:(?<port>\d+)(?<path>[^>]*)>|\*\*(?<name>[^*]+)\*\*|`(?<method>[A-Z]+) (?<route>\/\S*)`|(?<key>paste the \w* ?key)/g;

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

/** Does what the steps of the page say, in their order. */
async function follow(page: Page, steps: string): Promise<void> {
  let shownLast = page.locator('body');
  for (const { groups = {} } of steps.matchAll(ACTION)) {
    const { port, path, name, method, route } = groups;
    const isAsked = (await page.getByRole('dialog').count()) > 0;
    const shown = isAsked ? page.getByRole('dialog') : shownLast;
    if (path !== undefined) {
      await page.goto(`${port === '3000' ? service.url : service.managementUrl}${path}`);
      shownLast = page.locator('body');
    } else if (name !== undefined) {
      await shown.locator('button:visible, a:visible', { hasText: new RegExp(`^\\s*${name}\\s*$`) }).click();
    } else if (method !== undefined && route !== undefined) {
      const [has, hasRoute] = [method, route].map((text) => page.getByText(text, { exact: true }));
      shownLast = page.locator('.opblock', { has }).filter({ has: hasRoute });
      await shownLast.locator('.opblock-summary').click();
    } else {
      await shown.locator('input:visible').fill(service.key);
    }
  }
}

describe('The first steps in docs/how-do-i.md', () => {
  it('lead from the key to the pet in the console by the words that they quote', async () => {
    const steps = /### Add a first pet in the browser\?\n\n((?:\d\. .*\n)+)/.exec(PAGE)?.[1] ?? '';
    expect(steps.split('\n').filter(Boolean)).toHaveLength(3);
    const { page, complaints } = await openPage(browser);
    await follow(page, steps);
    await page.getByRole('cell', { name: 'Rex' }).waitFor();
    expect(await (await service.fetch('/v1/pets')).json()).toMatchObject([{ name: 'Rex' }]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('are complete, because an operation is ready for input', async () => {
    const { page } = await openPage(browser);
    await page.goto(`${service.url}/docs#/pets/createPet`);
    const operation = page.locator('#operations-pets-createPet');
    await operation.getByRole('button', { name: 'Execute' }).waitFor();
    expect(await operation.getByRole('button', { name: /cancel|try it out/i }).count()).toBe(0);
    const body = operation.locator('textarea');
    const sample = await body.inputValue();
    await body.fill('{}');
    await operation.getByRole('button', { name: 'Reset' }).click();
    expect(await body.inputValue()).toBe(sample);
    await keepScreenshot(page, 'docs-ready');
    await page.context().close();
  });
});
