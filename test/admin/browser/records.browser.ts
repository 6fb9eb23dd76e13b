import type { BrowserContextOptions, Page } from 'playwright-core';
import type { RecordsService } from '../../../src/admin/records/records.service';
import { PETS_ADMIN } from '../../../src/pets/pets.admin';
import type { TestService } from '../../support/service/service';
import { until } from '../../support/until';
import { keepScreenshot } from '../../browser/browser';
import { countOn, noticeOn, openConsolePage, saidOn } from './console-page';
import { HOSTILE, RecordsConsole } from './records-console';

let opened: RecordsConsole;
let service: TestService;
let records: RecordsService;

beforeAll(async () => {
  opened = await RecordsConsole.open();
  ({ service, records } = opened);
});
afterAll(() => opened.close());

const add = (name: string, status?: string) => opened.add(name, status);
const signIn = (key = service.key, options: BrowserContextOptions = {}) =>
  openConsolePage(opened.browser, service, key, options);
const open = (page: Page, path: string) => page.goto(`${service.managementUrl}${path}`);
const heading = (page: Page) => page.getByRole('heading', { level: 1 }).innerText();
const rows = (page: Page) => page.locator('tbody tr');
const statusOf = async (id: bigint) => (await records.get(PETS_ADMIN, id)).values.status;

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('An operator %s', (_how, javaScriptEnabled) => {
  const options = { javaScriptEnabled };

  it('can find a pet, sell it, and see that in its history and in the audit log', async () => {
    const name = `Sale ${javaScriptEnabled}`;
    const id = await add(name, 'available');
    const { page, complaints, origins } = await signIn(service.key, options);
    await page.getByRole('link', { name: 'Pets', exact: true }).first().click();
    await page.getByLabel('Search by name').fill(name.toLowerCase());
    await page.getByLabel('Search by name').press('Enter');
    await page.waitForURL(
      `**/admin/records/pets?name=${encodeURIComponent(name.toLowerCase()).replace('%20', '+')}`,
    );
    await countOn(page, '1 pet').waitFor();
    await page.getByRole('link', { name }).click();
    expect(await heading(page)).toBe(name);
    await page.getByRole('button', { name: 'Change to Sold' }).click();
    await noticeOn(page)
      .filter({ hasText: new RegExp(`${id}\\b.*Sold`) })
      .waitFor();
    expect(await statusOf(id)).toBe('sold');
    const event = page.locator('.history > li').first();
    expect(await event.innerText()).toMatch(
      /^Changed .* key_[0-9a-f]{16}[\s\S]*Status:\s*Available\s*→[\s\S]*Sold/,
    );
    await event.getByRole('link', { name: 'Changed' }).click();
    expect(await heading(page)).toBe('pets.update');
    await page
      .getByRole('link', { name: `pets/${id}` })
      .first()
      .click();
    expect(await heading(page)).toBe(name);
    await page.getByRole('link', { name: 'Audit', exact: true }).click();
    const newest = await rows(page).first().innerText();
    expect(newest).toContain('pets.update');
    expect(newest).toContain(`pets/${id}`);
    expect(complaints).toEqual([]);
    expect([...origins]).toEqual([service.managementUrl]);
    await page.context().close();
  });

  it('can add a pet after correcting faults in the form', async () => {
    const { page } = await signIn(service.key, options);
    await open(page, '/admin/records/pets');
    await page.getByRole('link', { name: 'Add pet' }).click();
    await page.getByLabel('Category id').fill('seven');
    await page.getByLabel('Status').selectOption('pending');
    await page.getByRole('button', { name: 'Add pet' }).click();
    const summary = page.getByRole('alert');
    await summary.waitFor();
    if (javaScriptEnabled) {
      // The script of the page gives it the focus a little after it is shown.
      await page.locator('.error-summary:focus').waitFor();
    }
    await summary.getByRole('link', { name: /^Category id / }).click();
    expect(await page.evaluate('document.activeElement.value')).toBe('seven');
    expect(await page.getByLabel('Status').inputValue()).toBe('pending');
    await page.getByLabel('Name').fill(HOSTILE);
    await page.getByLabel('Category id').fill('9007199254740993');
    await page.getByRole('button', { name: 'Add pet' }).click();
    await noticeOn(page).waitFor();
    expect(await heading(page)).toBe(HOSTILE);
    expect(await page.locator('.facts').innerText()).toContain('9007199254740993');
    await page.context().close();
  });

  it('is told who was quicker, and can save over that change', async () => {
    const id = await add('Contested', 'available');
    const { page } = await signIn(service.key, options);
    await open(page, `/admin/records/pets/${id}/edit`);
    await page.getByLabel('Name').fill('Mine');
    await records.update(PETS_ADMIN, id, { status: 'pending' as never });
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('alert').filter({ hasText: 'service' }).waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Mine');
    expect(await page.getByLabel('Status').inputValue()).toBe('pending');
    await page.getByRole('button', { name: 'Save over the present values' }).click();
    await noticeOn(page).waitFor();
    expect((await records.get(PETS_ADMIN, id)).values).toMatchObject({ name: 'Mine', status: 'pending' });
    await page.context().close();
  });

  it('can change many at once after seeing how many', async () => {
    const ids = [
      await add(`Herd ${javaScriptEnabled} a`),
      await add(`Herd ${javaScriptEnabled} b`, 'pending'),
    ];
    const { page } = await signIn(service.key, options);
    await open(page, `/admin/records/pets?name=Herd+${javaScriptEnabled}`);
    await page.getByRole('link', { name: 'Change all 2 pets' }).click();
    await page.getByLabel('New status').selectOption('available');
    await page.getByRole('button', { name: 'Continue' }).click();
    ids.push(await add(`Herd ${javaScriptEnabled} c`));
    await page.getByRole('button', { name: 'Change 2 pets' }).click();
    expect(await page.getByRole('alert').innerText()).toMatch(/\b3 pets\b.*\b2\b/);
    await page.getByRole('button', { name: 'Change 3 pets' }).click();
    await noticeOn(page).filter({ hasText: '3 pets' }).waitFor();
    expect(await Promise.all(ids.map(statusOf))).toEqual(['available', 'available', 'available']);
    await page.context().close();
  });

  it('can change the chosen rows, and open a row wherever it is clicked', async () => {
    const name = `Flock ${javaScriptEnabled}`;
    const ids = [await add(`${name} a`), await add(`${name} b`), await add(`${name} c`)];
    const { page } = await signIn(service.key, options);
    await open(page, `/admin/records/pets?name=${name.replace(' ', '+')}&sort-by=name`);
    const change = page.getByRole('button', { name: 'Change the chosen pets' });
    expect(await change.isVisible()).toBe(false);
    for (const each of ['a', 'b']) await page.getByLabel(`Choose ${name} ${each}`).check();
    await change.click();
    await page.getByLabel('New status').selectOption('sold');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Change 2 pets' }).click();
    await noticeOn(page).filter({ hasText: '2 pets' }).waitFor();
    expect(await Promise.all(ids.map(statusOf))).toEqual(['sold', 'sold', undefined]);
    // The link of the row lies above the cell.
    await rows(page).nth(1).locator('td').nth(2).click({ force: true });
    await page.getByRole('heading', { level: 1, name: `${name} b` }).waitFor();
    await page.getByRole('link', { name: 'Pets', exact: true }).last().click();
    expect(await rows(page).count()).toBe(3);
    await page.context().close();
  });

  it('can remove and restore a pet', async () => {
    const id = await add('Boomerang', 'sold');
    const { page } = await signIn(service.key, options);
    await open(page, `/admin/records/pets/${id}`);
    await page.getByRole('link', { name: 'Remove' }).click();
    await saidOn(page, 'kept').waitFor();
    await page.getByRole('button', { name: 'Remove pet' }).click();
    await saidOn(page, 'removed').waitFor();
    expect((await service.fetch(`/v1/pets/${id}`)).status).toBe(404);
    expect(await page.getByRole('link', { name: 'Edit' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Restore' }).click();
    await saidOn(page, 'removed').waitFor({ state: 'detached' });
    expect((await service.fetch(`/v1/pets/${id}`)).status).toBe(200);
    await page.context().close();
  });
});

describe('A list of records with JavaScript', () => {
  it('follows its filters while they are filled in, and keeps the focus', async () => {
    const { page, complaints } = await signIn();
    await open(page, '/admin/records/pets?sort-by=name');
    await page.evaluate(`document.body.setAttribute('data-same', 'yes')`);
    const filters = page.getByRole('search');
    const name = page.getByLabel('Search by name');
    await name.pressSequentially('luna 1', { delay: 30 });
    await page.waitForURL('**/admin/records/pets?sort-by=name&name=luna+1');
    await until(async () => (await page.locator('tbody tr').count()) === 2);
    expect(await name.inputValue()).toBe('luna 1');
    expect(await page.evaluate('document.activeElement.name')).toBe('name');
    await filters.getByLabel('Status').selectOption('pending');
    await page.waitForURL('**/admin/records/pets?sort-by=name&name=luna+1&status=pending');
    await countOn(page, '1 pet').waitFor();
    await page.getByText('More filters').click();
    await filters.getByLabel('Category id').fill('x');
    await page.getByRole('alert').getByText('Category id').waitFor();
    expect(await filters.getByLabel('Category id').inputValue()).toBe('x');
    expect(await page.evaluate('document.activeElement.name')).toBe('categoryId');
    await filters.getByLabel('Category id').fill('7');
    await countOn(page, '1 pet').waitFor();
    expect(await page.locator('body[data-same]').count()).toBe(1);
    await page.getByRole('link', { name: 'Reset' }).click();
    await page.getByRole('link', { name: 'Next' }).waitFor();
    expect(complaints.filter((each) => !each.includes('422'))).toEqual([]);
    await page.context().close();
  });

  it('chooses all rows of a page with one box, and opens a row from its time', async () => {
    const { page } = await signIn();
    await open(page, '/admin/records/pets?name=Luna');
    await page.getByLabel('Choose all on this page').check();
    expect(await page.locator('td.row-choice :checked').count()).toBe(await rows(page).count());
    await rows(page).first().getByRole('checkbox').uncheck();
    expect(await page.evaluate(`document.querySelector('[data-choose-all]').indeterminate`)).toBe(true);
    await rows(page).first().locator('time').click();
    await page.getByRole('heading', { name: 'Details' }).waitFor();
    await page.context().close();
  });

  it('is replaced by the message when the service fails', async () => {
    const { page } = await signIn();
    await open(page, '/admin/records/pets');
    const search = jest.spyOn(records, 'searchBriefly').mockRejectedValue(new Error('The database is away.'));
    await page.getByRole('search').getByLabel('Status').selectOption('sold');
    await saidOn(page, 'internal_error').waitFor();
    search.mockRestore();
    await page.reload();
    await countOn(page, '\\d+ pets').waitFor();
    await page.context().close();
  });
});

describe('A pet in the console', () => {
  it('can be found, edited and sold with the keyboard alone', async () => {
    const id = await add('Keyboard', 'available');
    const { page } = await signIn();
    await open(page, '/admin/records/pets');
    await tabTo(page, 'Search by name');
    await page.keyboard.type('keyboard');
    await page.keyboard.press('Enter');
    await countOn(page, '1 pet').waitFor();
    await tabTo(page, 'Keyboard');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Keyboard' }).waitFor();
    await tabTo(page, 'Change to Sold');
    await page.keyboard.press('Space');
    await noticeOn(page).filter({ hasText: 'Sold' }).waitFor();
    await tabTo(page, 'Edit');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Edit Keyboard' }).waitFor();
    await tabTo(page, 'Category id');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('12');
    await page.keyboard.press('Enter');
    await noticeOn(page).waitFor();
    expect((await records.get(PETS_ADMIN, id)).values).toMatchObject({ categoryId: 12n, status: 'sold' });
    await page.context().close();
  });

  /** Goes on with the Tab key until what has the focus is called so. */
  async function tabTo(page: Page, name: string): Promise<void> {
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press('Tab');
      const called = await page.evaluate<string>(`(() => {
        const element = document.activeElement;
        return (element.labels?.[0] ?? element).innerText.replace(/\\s+/g, ' ').trim();
      })()`);
      if (called === name) return;
    }
    throw new Error(`The Tab key does not lead to ${name}.`);
  }
});

describe('A person who may only read', () => {
  it('sees no buttons', async () => {
    const { page } = await signIn(await service.keyWith('admin:read'));
    await open(page, '/admin/records/pets');
    expect(await rows(page).count()).toBe(50);
    expect(await page.locator('a[href$="/pets/new"], a[href*="/pets/bulk"]').count()).toBe(0);
    await rows(page).first().getByRole('link').click();
    await page.getByRole('heading', { name: 'Details' }).waitFor();
    expect(await page.locator('main button, main a.button').count()).toBe(0);
    await keepScreenshot(page, 'records-viewer');
    await page.context().close();
  });
});
