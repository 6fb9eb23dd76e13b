import { readFileSync } from 'node:fs';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { TestService } from '../support/service';
import { openPage, type WatchedPage } from './browser';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** A page of the console, in a browser of its own that is signed in with a key. */
export async function openConsolePage(
  browser: Browser,
  service: TestService,
  key = service.key,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const watched = await openPage(browser, options);
  const { page } = watched;
  await page.goto(`${service.managementUrl}/admin/sign-in`);
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('#sidebar').waitFor({ state: 'attached' });
  return watched;
}

/** What axe-core finds wrong with a page, WCAG 2.2 AA and good practice: rules and the elements that break them. */
export async function violationsOn(page: Page): Promise<{ readonly id: string; readonly nodes: string[] }[]> {
  // The policy of the page forbids scripts that are not from the service, as it should.
  const session = await page.context().newCDPSession(page);
  await session.send('Page.setBypassCSP', { enabled: true });
  const found = await page.evaluate<string>(`${AXE};
    axe.run({ runOnly: ${JSON.stringify(RULES)} }).then(({ violations }) =>
      JSON.stringify(violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }))))`);
  return JSON.parse(found) as { id: string; nodes: string[] }[];
}

/** By how many pixels a page is wider than the screen. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
}
