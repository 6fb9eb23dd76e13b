import { FollowersModule } from '../console/support/followers.module';
import { expectFit, noticeOn, openConsolePage, WIDTHS } from './console-page';
import { RecordsConsole } from './records-console';

let opened: RecordsConsole;
let luna: bigint;
let follower: bigint;

beforeAll(async () => {
  opened = await RecordsConsole.open({ FollowersModule });
  luna = await opened.add('Luna the elder');
  for (let i = 0; i < 101; i++) await opened.add(`Newer ${i}`);
  follower = await opened.add('Follower');
});
afterAll(() => opened.close());

const open = (width: number, javaScriptEnabled = true) =>
  openConsolePage(opened.browser, opened.service, opened.service.key, {
    javaScriptEnabled,
    viewport: { width, height: 800 },
  });
const path = () => `${opened.service.managementUrl}/admin/records/followers/${follower}/edit`;

it.each(WIDTHS)(
  'A field that refers to a record finds it as one types, by keys alone, at %i px',
  async (width) => {
    const { page, complaints } = await open(width);
    await page.goto(path());
    const field = page.getByRole('combobox', { name: 'Category id' });
    const named = page.getByRole('status');
    await field.fill('the elder');
    const option = page.getByRole('option', { name: 'Luna the elder' });
    await option.waitFor();
    expect(await field.getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('ArrowDown');
    expect(await option.getAttribute('aria-selected')).toBe('true');
    expect(await field.getAttribute('aria-activedescendant')).toBe(await option.getAttribute('id'));
    await expectFit(page, `picker-${width}`);
    await page.keyboard.press('Escape');
    expect(await page.getByRole('listbox').count()).toBe(0);
    await page.keyboard.press('ArrowDown');
    await option.waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await field.inputValue()).toBe(String(luna));
    await named.getByText('Luna the elder').waitFor();
    await page.keyboard.press('Enter');
    await noticeOn(page)
      .filter({ hasText: `follower ${follower} ` })
      .waitFor();
    await page.goto(path());
    // The chosen record is named although it is not among the newest.
    await named.getByText('Luna the elder').waitFor();
    await field.fill('nobody');
    await named.filter({ hasText: /\S/, hasNotText: 'Luna' }).waitFor();
    await field.fill('newer 1');
    await page.getByRole('option', { name: 'Newer 100' }).click();
    expect(await page.getByRole('listbox').count()).toBe(0);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await noticeOn(page)
      .filter({ hasText: `follower ${follower} ` })
      .waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  },
);

it.each(WIDTHS)('A filter by a record finds it as one types, at %i px', async (width) => {
  const { page, complaints } = await open(width);
  const list = `${opened.service.managementUrl}/admin/records/followers`;
  await page.goto(list);
  await page.getByText('More filters').click();
  const field = page.getByRole('combobox', { name: 'Category id' });
  await field.fill('the elder');
  await page.getByRole('option', { name: 'Luna the elder' }).waitFor();
  await expectFit(page, `picker-filter-${width}`);
  await page.getByRole('option', { name: 'Luna the elder' }).click();
  await page.waitForURL(`${list}?categoryId=${luna}`);
  await page.getByRole('status').getByText('Luna the elder').waitFor();
  // The filters have been replaced with the list.
  await field.fill('newer 1');
  await page.getByRole('option', { name: 'Newer 100' }).click();
  await page.getByRole('status').getByText('Newer 100').waitFor();
  await page.waitForURL((url) => url.searchParams.get('categoryId') !== String(luna));
  await page.waitForFunction("document.querySelectorAll('.picker, .picker-list').length === 2");
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('A field that refers to a record takes its number without JavaScript', async () => {
  const { page } = await open(1280, false);
  await page.goto(path());
  await page.getByLabel('Category id').fill(String(luna));
  await page.getByRole('button', { name: 'Save changes' }).click();
  await noticeOn(page)
    .filter({ hasText: `follower ${follower} ` })
    .waitFor();
  await page.context().close();
});
