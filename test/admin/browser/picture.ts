import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Response } from 'playwright-core';
import type { WatchedPage } from '../../browser/browser';
import { textOf, withText } from './png-text';

/** Pictures of pages, as the README shows them. */
export const PICTURES = join(__dirname, '../../../docs/images');

/** Pixels of a picture from its left to its right: text stays legible in a column of 830, as that of a README. */
export const PICTURE_WIDTH = 1000;

/** What a picture shows of a page: from an element, or else from the top of the page, to the end of another. */
export interface Part {
  readonly from?: Locator;
  readonly to: Locator;
}

/** Pixels that a picture shows above and below its part. */
const MARGIN = 10;

/** Most pixels of a picture, from top to bottom, without any text beside the navigation. */
const LONGEST_GAP = 160;

/** What can be read on the screen, and what is wrong with it. */
const LOOK = `(() => {
  const [top, bottom] = [0, innerHeight];
  const isSeen = (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest('.visually-hidden');
  const isIn = (box) => box.width > 1 && box.height > 1 && box.bottom > top && box.top < bottom;
  const isCut = (box) => box.top < top || box.bottom > bottom || box.left < 0 || box.right > innerWidth;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.data.trim() || !isSeen(node.parentElement)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const whole = range.getBoundingClientRect();
    // A folded text of several lines reaches as far as its fold, which a click opens.
    const fold = node.parentElement.closest('details:not([open]) > summary')?.getBoundingClientRect() ?? whole;
    const box = new DOMRect(whole.x, whole.y, whole.width, Math.min(whole.bottom, fold.bottom) - whole.y);
    if (isIn(box)) texts.push({ box, text: node.data.trim(), parent: node.parentElement });
  }
  const hides = (element) => element.scrollWidth > element.clientWidth && getComputedStyle(element).overflowX !== 'visible';
  const controls = [...document.querySelectorAll('button, input, select, textarea, a')].filter(isSeen);
  const cut = [
    ...texts.filter(({ box }) => isCut(box)).map(({ text }) => text),
    ...[...document.body.querySelectorAll('*')].filter((each) => isSeen(each) && isIn(each.getBoundingClientRect()) && hides(each))
      .map((each) => each.className + ', ' + each.scrollWidth + ' of ' + each.clientWidth + ' pixels'),
    ...controls.filter((each) => isIn(each.getBoundingClientRect()) && isCut(each.getBoundingClientRect()))
      .map((each) => each.textContent.trim() || each.name),
  ];
  const errors = [...document.querySelectorAll('[role="alert"], .callout-danger, .empty, .errors')]
    .filter((each) => isSeen(each) && isIn(each.getBoundingClientRect()));
  const isBeside = (element) => element.closest('nav') !== null;
  const lines = [
    ...texts.filter(({ parent }) => !isBeside(parent)).map(({ box }) => box),
    ...controls.filter((each) => !isBeside(each)).map((each) => each.getBoundingClientRect()).filter(isIn),
  ].sort((one, other) => one.top - other.top);
  let [gap, reached] = [0, top];
  for (const box of [...lines, { top: bottom, bottom }]) {
    gap = Math.max(gap, box.top - reached);
    reached = Math.max(reached, box.bottom);
  }
  const ground = [document.body, document.documentElement]
    .map((each) => getComputedStyle(each).backgroundColor.match(/[\\d.]+/g).map(Number))
    .find((channels) => channels[3] !== 0) ?? [255];
  return {
    text: texts.filter(({ parent }) => !parent.closest('time')).map(({ text }) => text.replaceAll(/\\s+/g, ' ')).join('\\n'),
    faults: [
      ...cut.map((text) => 'cut: ' + text),
      ...errors.map((each) => 'error: ' + each.textContent.trim().slice(0, 80)),
      ...(gap > ${LONGEST_GAP} ? ['empty: ' + Math.round(gap) + ' pixels'] : []),
      ...(Math.min(...ground.slice(0, 3)) < 200 ? ['dark'] : []),
    ],
  };
})()`;

/** A picture, which holds what can be read on it. */
export interface Picture {
  readonly png: Buffer;
  /** An empty list, or what makes the page unfit to be shown. */
  readonly faults: string[];
}

/**
 * Takes a picture of a part of a page, with the navigation at its side.
 *
 * @param response that to the request of the page
 */
export async function takePicture(
  { page, complaints }: Pick<WatchedPage, 'page' | 'complaints'>,
  response: Response | null,
  { from, to }: Part,
): Promise<Picture> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const start = (await from?.boundingBox())?.y;
  const end = await to.boundingBox();
  const scrolled = await page.evaluate<number>('scrollY');
  const top = start === undefined ? 0 : Math.floor(scrolled + start - MARGIN);
  const bottom = end === null ? top : Math.ceil(scrolled + end.y + end.height + MARGIN);
  await page.setViewportSize({ width: PICTURE_WIDTH, height: bottom - top });
  await page.evaluate(`scrollTo(0, ${top})`);
  const { text, faults } = await page.evaluate<{ text: string; faults: string[] }>(LOOK);
  const status = response?.status();
  return {
    png: withText(await page.screenshot(), text.replaceAll(CHANGEABLE, '#')),
    faults: [...(status === 200 ? [] : [`status: ${status}`]), ...complaints, ...faults],
  };
}

/** Words with digits: identifiers, times, ports and durations, which differ between two pictures of one page. */
const CHANGEABLE = /[^\s"']*\d[^\s"']*(?: (?:µs|ms|s)(?!\w))?/g;

/** Whether pictures are to be written, instead of compared with those that are there. */
const isToWrite = process.env['WRITE_PICTURES'] !== undefined;

/** Expects the picture that is kept under a name to say what this one says. With `WRITE_PICTURES` it keeps this one. */
export function expectKept(name: string, { png }: Picture): void {
  const path = join(PICTURES, `${name}.png`);
  if (isToWrite) writeFileSync(path, png);
  expect(existsSync(path) ? textOf(readFileSync(path)) : 'Run npm run pictures.').toBe(textOf(png));
}
