import type { Page } from 'playwright-core';
import { ShelterModule } from '../../support/shelter/shelter.module';
import { expectFit, noticeOn, openConsolePage } from './console-page';
import { RecordsConsole } from './records-console';

const DAYS = '/admin/guests/days';

let opened: RecordsConsole;

beforeAll(async () => (opened = await RecordsConsole.open({ ShelterModule })));
afterAll(() => opened.close());

/** The line of the page in the navigation. */
const line = (page: Page) => page.locator('#sidebar').getByRole('link', { name: 'Adoption days' });

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('The page of a module, %s', (_how, javaScriptEnabled) => {
  it('is reached by the navigation, and its form is corrected and sent', async () => {
    const { service, browser } = opened;
    const key = await service.keyWith('admin:read', 'admin:days');
    const { page, complaints, origins } = await openConsolePage(browser, service, key, { javaScriptEnabled });
    await line(page).click();
    await page.getByRole('heading', { name: 'Adoption days', level: 1 }).waitFor();
    expect(await page.title()).toContain('Adoption days');
    expect(await line(page).getAttribute('aria-current')).toBe('page');
    if (javaScriptEnabled) await expectFit(page, 'module-page');

    await page.getByLabel('Town').fill('A town of too many letters');
    await page.getByLabel('Visitors').fill('0');
    await page.getByRole('button', { name: 'Announce' }).click();
    const faults = page.getByRole('alert');
    await faults.waitFor();
    expect(await faults.getByRole('link').count()).toBe(2);
    expect(await page.getByLabel('Town').inputValue()).toBe('A town of too many letters');
    expect(await page.getByLabel('Town').getAttribute('aria-invalid')).toBe('true');
    if (javaScriptEnabled) await expectFit(page, 'module-page-faults');
    await faults.getByRole('link', { name: /^Visitors / }).click();
    expect(await page.evaluate('document.activeElement.id')).toBe('field-visitors');

    const town = `Olten <b>${String(javaScriptEnabled)}</b>`.slice(0, 20);
    await page.getByLabel('Town').fill(town);
    await page.getByLabel('Visitors').fill('1200');
    await page.getByRole('button', { name: 'Announce' }).click();
    await page.getByText(`The day in ${town} was announced.`).waitFor();
    await page.getByText(`${town}: 1,200`).waitFor();
    if (javaScriptEnabled) await expectFit(page, 'module-page-sent');
    expect([...origins]).toEqual([service.managementUrl]);
    // A browser tells of each status of 400 and more.
    expect(complaints.filter((text) => !text.includes('status of 422'))).toEqual([]);
    await page.context().close();
  });

  it('shows a form whose token is forged again, with what was typed, and carries nothing out', async () => {
    const { service, browser } = opened;
    const { page } = await openConsolePage(browser, service, service.key, { javaScriptEnabled });
    await page.goto(service.managementUrl + DAYS);
    await page.getByLabel('Town').fill('Chur');
    await page.evaluate(`document.querySelector('form.card input[name="_csrf"]').value = 'forged'`);
    await page.getByRole('button', { name: 'Announce' }).click();
    await noticeOn(page, 'warning').waitFor();
    expect(await page.getByLabel('Town').inputValue()).toBe('Chur');
    expect(await page.getByText('Chur:').count()).toBe(0);
    await page.context().close();
  });

  it('is neither shown nor named to people without its scope', async () => {
    const { service, browser } = opened;
    const key = await service.keyWith('admin:read');
    const { page } = await openConsolePage(browser, service, key, { javaScriptEnabled });
    expect(await line(page).count()).toBe(0);
    expect((await page.goto(service.managementUrl + DAYS))?.status()).toBe(403);
    if (javaScriptEnabled) await expectFit(page, 'module-page-closed');
    expect(await page.getByRole('button', { name: 'Announce' }).count()).toBe(0);
    await page.context().close();
  });

  it('fits a phone', async () => {
    const { service, browser } = opened;
    const viewport = { width: 380, height: 800 };
    const { page } = await openConsolePage(browser, service, service.key, { javaScriptEnabled, viewport });
    await page.goto(service.managementUrl + DAYS);
    if (javaScriptEnabled) await expectFit(page, 'module-page-380');
    expect(await page.getByRole('button', { name: 'Announce' }).isVisible()).toBe(true);
    await page.context().close();
  });
});

describe('The overview of a service with another module', () => {
  it('has rows of tiles that fill, on every screen', async () => {
    const { service, browser } = opened;
    const { page } = await openConsolePage(browser, service);
    await page.goto(`${service.managementUrl}/admin/overview`);
    for (const [width, expected] of [
      [1440, [2, 5]],
      [1024, [2, 3, 2]],
      [380, [2, 2, 2, 1]],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      const rows = await page.evaluate<{ tiles: number; left: number }[]>(`(() => {
        const rowsOf = (section) => Object.values(Object.groupBy(section.children, (tile) => tile.offsetTop));
        const end = (element) => element.getBoundingClientRect().right;
        return [...document.querySelectorAll('.tiles-dense')].flatMap((section) =>
          rowsOf(section).map((row) => ({ tiles: row.length, left: Math.round(end(section) - end(row.at(-1))) })));
      })()`);
      expect([width, rows]).toEqual([width, expected.map((tiles) => ({ tiles, left: 0 }))]);
    }
    await page.context().close();
  });
});
