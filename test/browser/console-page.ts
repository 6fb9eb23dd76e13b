import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { TestService } from '../support/service';
import { keepScreenshot, openPage, violationsOn, type WatchedPage } from './browser';

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

/** How the console is looked at: the width of the screen in pixels, and the theme. */
export const LOOKS = [
  [1920, 'light'],
  [1920, 'dark'],
  [380, 'light'],
  [380, 'dark'],
] as const;

/** What of a page does not fit the screen, by selector; on a small one tables are not to scroll sideways either. */
const MISFITS = `(() => {
  const parts = innerWidth < 640 ? ['html', '.table-card', '.table-scroll'] : ['html'];
  const wide = parts.filter((name) =>
    [...document.querySelectorAll(name)].some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth));
  const isSmall = (element) => parseFloat(getComputedStyle(element).fontSize) < 12;
  const hasText = ({ childNodes }) => [...childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim());
  const small = [...document.querySelectorAll('body *')].filter((each) => hasText(each) && isSmall(each));
  const cut = [...document.querySelectorAll('.chart > svg:first-of-type > text')].filter((each) =>
    each.getBoundingClientRect().left < each.closest('svg').getBoundingClientRect().left);
  return [
    ...wide.map((name) => name + ' is wider than its place'),
    ...small.map((each) => each.outerHTML + ' is smaller than 12 px'),
    ...cut.map((each) => each.textContent + ' is cut off'),
  ];
})()`;

/** Keeps a picture of a page, and expects it to be accessible, legible and as wide as the screen. */
export async function expectFit(page: Page, name: string): Promise<void> {
  await keepScreenshot(page, name, true);
  expect([name, await page.evaluate<string[]>(MISFITS)]).toEqual([name, []]);
  expect([name, await violationsOn(page)]).toEqual([name, []]);
}
