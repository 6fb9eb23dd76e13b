import { ErrorPages } from '../../../src/platform/http/response/error.filter';
import { startTestService, type TestService } from '../../support/service/service';
import { withFeatures } from '../../support/service/with-features';
import { openConsole, unescaped } from '../../support/service/console';
import { ShelterModule } from '../../support/shelter/shelter.module';

let service: TestService;

beforeAll(async () => {
  service = await withFeatures({ ShelterModule }, () => startTestService('sqlite'));
});
afterAll(() => service.stop());

describe('An address of the console that is nearly that of a page', () => {
  it.each([
    ['/', '/admin'],
    ['/?range=1h', '/admin?range=1h'],
    ['/admin/', '/admin'],
    ['/admin/?range=1h', '/admin?range=1h'],
    ['/admin/keys/', '/admin/keys'],
    ['/admin/records/pets//?q=a', '/admin/records/pets?q=a'],
    ['/admin/pets', '/admin/records/pets'],
    ['/admin/pets/7?q=a', '/admin/records/pets/7?q=a'],
    ['/admin/guests', '/admin/records/guests'],
  ])('redirects to its page: %s', async (path, page) => {
    for (const client of [await openConsole(service), await openConsole(service, service.key)]) {
      const { status, location } = await client.get(path);
      expect([status, location]).toEqual([303, page]);
      expect((await client.head(path)).location).toBe(page);
    }
  });

  it('has the common shape of errors when no page can be made', async () => {
    const client = await openConsole(service, service.key);
    jest
      .spyOn(service.app.get(ErrorPages, { strict: false }), 'send')
      .mockRejectedValueOnce(new Error('no view'));
    const { status, html } = await client.get('/admin/nothing');
    expect([status, JSON.parse(html)]).toMatchObject([404, { code: 'not_found' }]);
  });

  it('accepts no form, and redirects nowhere else on the port', async () => {
    const client = await openConsole(service, service.key);
    for (const path of ['/', '/admin/keys/', '/admin/pets'])
      expect((await client.post(path, {})).status).toBe(404);
    for (const path of ['/metrics/', '/health/', '/nothing', '//', '/adminx/', '/pets', '/admin-pets']) {
      const response = await client.get(path);
      expect([path, response.status]).toEqual([path, 404]);
      expect(response.raw.headers.get('content-type')).toEqual(['application/json; charset=utf-8']);
    }
  });
});

describe('The page of a new key', () => {
  it('has a first call to PUBLIC_BASE_URL', async () => {
    const address = 'https://shop.example/petstore/v1';
    const behind = await startTestService('sqlite', { PUBLIC_BASE_URL: address });
    const client = await openConsole(behind, behind.key);
    const key = { name: 'shop', scopes: 'pets:read', expiresAt: '' };
    const { html } = await client.submit('/admin/keys/new', '/admin/keys/new', key);
    const calls = unescaped(html).match(/[^\s"'<>]*\/v1\/[^\s"'<>]*/g) ?? [];
    expect(calls).not.toEqual([]);
    expect(calls.filter((call) => !call.startsWith(`${address}/pets`))).toEqual([]);
    await behind.stop();
  });
});
