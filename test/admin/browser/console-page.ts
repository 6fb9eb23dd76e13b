import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { TestService } from '../../support/service/service';
import { keepScreenshot, openPage, violationsOn, type WatchedPage } from '../../browser/browser';

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

/** The notice of the last action on a page. */
export function noticeOn(page: Page, tone: 'success' | 'warning' = 'success'): Locator {
  return page.locator(`.callout-${tone}[role="status"]`);
}

/** What a page says under a code: a callout, or the error that it shows. */
export function saidOn(page: Page, code: string): Locator {
  return page.locator(`[data-code="${code}"]`);
}

/** How many records a list says that its filters leave. */
export function countOn(page: Page, count: string): Locator {
  return page.locator('.list-foot [role="status"]', { hasText: new RegExp(`^${count} `) });
}

/** The screens that pages are looked at on: their widths in pixels. */
export const WIDTHS = [1920, 1024, 380] as const;

/** What of a page does not fit the screen, by selector; tables are not to scroll sideways either. */
const MISFITS = `(() => {
  const parts = ['html', '.table-card', '.table-scroll'];
  for (const folded of document.querySelectorAll('main details')) folded.open = true;
  const wide = parts.filter((name) =>
    [...document.querySelectorAll(name)].some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth));
  const isSmall = (element) => parseFloat(getComputedStyle(element).fontSize) < 12;
  const hasText = ({ childNodes }) => [...childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim());
  const small = [...document.querySelectorAll('body *')].filter((each) => hasText(each) && isSmall(each));
  // A shape whose colour is not named is black; no theme names black.
  const black = [...document.querySelectorAll('svg :is(rect, circle, path, polygon)')].filter((each) =>
    getComputedStyle(each).fill === 'rgb(0, 0, 0)');
  const cut = [...document.querySelectorAll('.chart > svg:first-of-type > text')].filter((each) =>
    each.getBoundingClientRect().left < each.closest('svg').getBoundingClientRect().left);
  const isSeen = (element) => !element.closest('.visually-hidden') && element.getBoundingClientRect().width > 0;
  const over = [...document.querySelectorAll('tbody :is(th, td)')].filter((cell) =>
    [...cell.querySelectorAll('*')].some((each) =>
      isSeen(each) && each.getBoundingClientRect().right > cell.getBoundingClientRect().right + 1));
  return [
    ...over.map((each) => each.textContent.trim() + ' runs over the next column'),
    ...wide.map((name) => name + ' is wider than its place'),
    ...small.map((each) => each.outerHTML + ' is smaller than 12 px'),
    ...black.map((each) => each.outerHTML + ' has no colour'),
    ...cut.map((each) => each.textContent + ' is cut off'),
  ];
})()`;

/** Keeps pictures of a page, and expects it to be accessible, legible and as wide as the screen, in both themes. */
export async function expectFit(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    // Without transitions, each colour is there at once.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const look = `${name}-${colorScheme}`;
    await keepScreenshot(page, look, true);
    expect([look, await page.evaluate<string[]>(MISFITS)]).toEqual([look, []]);
    expect([look, await violationsOn(page)]).toEqual([look, []]);
  }
}
