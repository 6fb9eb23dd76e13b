import { ApiKeysService } from '../../../src/auth/api-keys.service';
import { PETS_ADMIN } from '../../../src/pets/pets.admin';
import { expectFit, noticeOn, openConsolePage, saidOn } from './console-page';
import { RecordsConsole } from './records-console';

let opened: RecordsConsole;

beforeAll(async () => (opened = await RecordsConsole.open()));
afterAll(() => opened.close());

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('An operator %s whose session ends while a pet is edited', (_how, javaScriptEnabled) => {
  it('signs in, finds the form as it was, and saves it', async () => {
    const { service, browser, records } = opened;
    const keys = service.app.get(ApiKeysService);
    const { key, token } = await keys.create({ name: 'Kim', scopes: ['admin:read', 'admin:pets'] });
    const id = await opened.add('Before', 'available');
    const { page } = await openConsolePage(browser, service, token, { javaScriptEnabled });
    await page.goto(`${service.managementUrl}/admin/records/pets/${id}/edit`);
    const name = 'After "a" long <while> & more';
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Category id').fill('12');
    await page.getByLabel('Status').selectOption('sold');
    await keys.revoke(key.id);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await saidOn(page, 'not_signed_in').waitFor();
    if (javaScriptEnabled) await expectFit(page, 'kept-form-sign-in');
    await page.getByLabel('API key').fill('not a key');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('API key').fill(service.key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await noticeOn(page, 'warning').waitFor();
    expect(new URL(page.url()).pathname).toBe(`/admin/records/pets/${id}/edit`);
    if (javaScriptEnabled) await expectFit(page, 'kept-form-again');
    expect(await page.getByLabel('Name').inputValue()).toBe(name);
    expect(await page.getByLabel('Category id').inputValue()).toBe('12');
    expect(await page.getByLabel('Status').inputValue()).toBe('sold');
    expect((await records.get(PETS_ADMIN, id)).values).toMatchObject({ name: 'Before' });
    await page.getByRole('button', { name: 'Save changes' }).click();
    await noticeOn(page).waitFor();
    expect((await records.get(PETS_ADMIN, id)).values).toMatchObject({
      name,
      categoryId: 12n,
      status: 'sold',
    });
    await page.context().close();
  });
});
