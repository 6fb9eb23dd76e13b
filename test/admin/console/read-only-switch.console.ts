import { ReadOnlyMode } from '../../../src/platform/read-only/read-only-mode';
import { type ConsoleClient, hiddenFields, openConsole } from '../../support/service/console';
import { startTestService, type TestService } from '../../support/service/service';

const PAGE = '/admin/system/read-only';
const [ON, OFF] = [`${PAGE}/on`, `${PAGE}/off`];

describe('The switch of read-only mode in the console', () => {
  let service: TestService;
  let client: ConsoleClient;

  const isOn = () => service.app.get(ReadOnlyMode, { strict: false }).isOn;
  const addPet = async () => (await service.post('/v1/pets', { name: 'Rex', categoryId: 1 })).status;
  const audited = async (action: string) => (await client.get(`/admin/audit?action=${action}`)).html;

  beforeAll(async () => {
    service = await startTestService('sqlite');
    client = await openConsole(service, service.key);
  });
  afterAll(() => service.stop());

  it('asks first, refuses changes with the reason, and accepts them again', async () => {
    expect((await client.get('/admin/system')).html).toContain(`href="${PAGE}"`);
    expect((await client.submit(PAGE, ON, { reason: ' moving the <database> ' })).location).toBe(PAGE);
    // The node that was asked knows at once.
    expect(await addPet()).toBe(503);
    const { html } = await client.get(PAGE);
    expect(html).toContain('<dd>moving the &lt;database&gt;</dd>');
    expect(html).not.toContain(`action="${ON}"`);
    expect((await client.submit(PAGE, OFF)).location).toBe('/admin/system');
    expect(await addPet()).toBe(201);
  });

  it('writes who switched it into the audit log', async () => {
    for (const action of ['read-only.on', 'read-only.off']) {
      const html = await audited(action);
      expect(html).toContain(service.principal.keyId);
      expect(html).toContain('read-only/service');
    }
    const [, event] = /href="(\/admin\/audit\/\d+)"/.exec(await audited('read-only.on')) ?? [];
    expect((await client.get(event ?? '')).html).toContain('moving the &lt;database&gt;');
  });

  it('needs no reason, but refuses one that is too long and shows it again', async () => {
    const long = 'x'.repeat(201);
    const refused = await client.submit(PAGE, ON, { reason: long });
    expect([refused.status, isOn()]).toEqual([422, false]);
    expect(refused.html).toContain(`value="${long}"`);
    await client.submit(PAGE, ON, { reason: '' });
    expect(isOn()).toBe(true);
    await client.submit(PAGE, OFF);
    expect(isOn()).toBe(false);
  });

  it('is for operators with admin:service alone', async () => {
    const reader = await openConsole(service, await service.keyWith('admin:read', 'admin:jobs'));
    expect((await reader.get('/admin/system')).html).not.toContain(PAGE);
    expect((await reader.get(PAGE)).status).toBe(403);
    const fields = hiddenFields((await reader.get('/admin/sessions')).html, '/admin/sign-out');
    expect((await reader.post(ON, fields)).status).toBe(403);
    expect(isOn()).toBe(false);
  });

  it('refuses a form without its token', async () => {
    expect((await client.post(ON, { reason: 'forged' })).status).toBe(403);
    expect(isOn()).toBe(false);
  });
});
