import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** Debian's; `CHROMIUM` names another. */
const EXECUTABLE = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Where screenshots are kept; git ignores the folder. */
const SCREENSHOTS = join(__dirname, 'screenshots');

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
/** WCAG 2.2 AA and good practice, by the tags of axe-core. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** @throws Error when there is no Chromium: these tests are never left out silently */
export async function launchChromium(): Promise<Browser> {
  if (!existsSync(EXECUTABLE)) {
    throw new Error(
      `There is no Chromium at ${EXECUTABLE}: install Debian's package chromium, or name one in the variable CHROMIUM.`,
    );
  }
  return chromium.launch({
    executablePath: EXECUTABLE,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** A page, and what happened on it that no user should see. */
export interface WatchedPage {
  readonly page: Page;
  /** Errors and warnings on the console, violations of the policy among them, and uncaught errors. */
  readonly complaints: string[];
  /** Origins of all requests, besides `data:`. */
  readonly origins: Set<string>;
}

export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const complaints: string[] = [];
  const origins = new Set<string>();
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText;
    // What leaving a page cuts short is not a fault of the page.
    if (reason !== 'net::ERR_ABORTED') complaints.push(`${request.url()}: ${reason}`);
  });
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) origins.add(new URL(request.url()).origin);
  });
  return { page, complaints, origins };
}

/** Keeps a picture of the page, to be looked at; not in CI, where there is nothing to look with. */
export async function keepScreenshot(page: Page, name: string, fullPage = false): Promise<void> {
  if (process.env['CI']) return;
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage });
}

/** What axe-core finds wrong with a page: rules and the elements that break them. */
export async function violationsOn(page: Page): Promise<{ readonly id: string; readonly nodes: string[] }[]> {
  // The policy of the page forbids scripts that are not from the service, as it should.
  const session = await page.context().newCDPSession(page);
  await session.send('Page.setBypassCSP', { enabled: true });
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(AXE);
  const found = await page.evaluate<string>(
    `axe.run({ runOnly: ${JSON.stringify(RULES)} }).then(({ violations }) =>
      JSON.stringify(violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }))))`,
  );
  return JSON.parse(found) as { id: string; nodes: string[] }[];
}
