import { Module } from '@nestjs/common';
import { PetsModule } from '../../../src/pets/pets.module';
import { AuditLog } from '../../../src/platform/audit/audit-log';
import { ConsoleController } from '../../../src/platform/features/console-controller.decorator';
import { ReadOnlyMode } from '../../../src/platform/read-only/read-only-mode';
import { startTestService, type TestService } from '../../support/service/service';
import { CarelessController, TooManyDaysError } from '../../support/shelter/adoption-day.controller';
import {
  type ConsoleClient,
  hiddenFields,
  openConsole,
  textIn,
  typedIn,
} from '../../support/service/console';
import { codesIn, faultsIn, noticeIn } from './support/said';
import { ShelterModule } from '../../support/shelter/shelter.module';

describe('The page of a module with a form', () => {
  const DAYS = '/admin/guests/days';
  let service: TestService;
  let client: ConsoleClient;
  let host: ConsoleClient;
  beforeAll(async () => {
    service = await startTestService(
      'sqlite',
      { SHELTER_DAYS_PER_TOWN: '2' },
      { features: { PetsModule, ShelterModule } },
    );
    client = await openConsole(service, await service.keyWith('admin:read', 'admin:guests'));
    host = await openConsole(service, await service.keyWith('admin:read', 'admin:days'));
  });

  afterAll(() => service.stop());

  const announce = (fields: Record<string, string>) => host.submit(DAYS, DAYS, fields);

  it('is found in the navigation by those who may see it', async () => {
    expect((await host.get('/admin/overview')).html).toMatch(
      /href="\/admin\/guests\/days"><svg[^>]*><path d="M4 6h16v14[^>]*><\/svg>Adoption days</,
    );
    expect((await client.get('/admin/overview')).html).not.toContain(DAYS);
    expect((await client.get(DAYS)).status).toBe(403);
    expect((await client.post(DAYS, { town: 'Bern' })).status).toBe(403);
    const anyone = await openConsole(service);
    expect((await anyone.get(DAYS)).location).toBe('/admin/sign-in?return=%2Fadmin%2Fguests%2Fdays');
    const managing = await openConsole(service, service.key);
    expect((await managing.get('/admin/keys/new')).html).toMatch(/name="scopes"\s+value="admin:days"/);
  });

  it('is carried out once, and is in the audit log with its values', async () => {
    const { html } = await host.get(DAYS);
    const form = { ...hiddenFields(html, DAYS), town: 'Thun', visitors: '1200' };
    expect((await host.post(DAYS, form)).location).toBe(DAYS);
    const next = await host.get(DAYS);
    expect(noticeIn(next)).toEqual({ tone: 'success', text: 'The day in Thun was announced.', actions: [] });
    expect(textIn(next)).toContain('Thun: 1,200');
    expect((await host.post(DAYS, form)).status).toBe(409);
    const audit = service.app.get(AuditLog, { strict: false });
    const events = await audit.list({ action: 'guests.days' }, { limit: 10 });
    expect(events).toMatchObject([
      { subjectType: 'console', subjectId: 'guests/days', after: '{"town":"Thun","visitors":1200}' },
    ]);
    expect(events[0]?.actor).toMatch(/^key_/);
  });

  it('is shown again with its faults at their fields, and may then be sent', async () => {
    const refused = await announce({ town: 'A town of too many letters', visitors: 'many' });
    expect(refused.status).toBe(422);
    expect(typedIn(refused, 'visitors')).toBe('many');
    const { town, visitors, ...others } = faultsIn(refused);
    expect([town, visitors, others]).toEqual([
      expect.stringMatching(/^Town /),
      expect.stringMatching(/^Visitors /),
      {},
    ]);
    expect(refused.html).toContain(`id="field-town-error">${town}<`);
    const taken = await host.submit(DAYS, DAYS, { town: 'Olten' });
    expect(taken.location).toBe(DAYS);
    expect((await announce({ town: 'Olten' })).location).toBe(DAYS);
    const again = await announce({ town: 'Olten' });
    expect([again.status, faultsIn(again)]).toEqual([409, { '': new TooManyDaysError().message }]);
    const corrected = { ...hiddenFields(again.html, DAYS), town: 'Genf' };
    expect((await host.post(DAYS, corrected)).location).toBe(DAYS);
  });

  it('is not carried out with a forged token, or none', async () => {
    const { html } = await host.get(DAYS);
    const forged = { ...hiddenFields(html, DAYS), town: 'Chur', _csrf: 'forged' };
    // The page shows what was typed, and asks for it again.
    expect((await host.post(DAYS, forged)).location).toBe(DAYS);
    const shown = await host.get(DAYS);
    expect(typedIn(shown, 'town')).toBe('Chur');
    expect(textIn(shown)).not.toContain('Chur:');
    expect((await host.post(DAYS, { town: 'Chur' })).status).toBe(403);
  });

  it('changes nothing while the service is read-only', async () => {
    const mode = service.app.get(ReadOnlyMode);
    const sentence = jest.spyOn(mode, 'sentence', 'get').mockReturnValue('The service is read-only.');
    const refused = await announce({ town: 'Brig' });
    sentence.mockRestore();
    expect([refused.status, codesIn(refused)]).toEqual([503, ['read_only', 'service_unavailable']]);
    expect(textIn(await host.get(DAYS))).not.toContain('Brig');
  });

  it('can have a setting of the module, which is shown beside those of the service', async () => {
    const managing = await openConsole(service, service.key);
    expect(textIn(await managing.get('/admin/system/settings'))).toMatch(
      /SHELTER_DAYS_PER_TOWN 2 environment /,
    );
    const environment = { SHELTER_DAYS_PER_TOWN: 'none' };
    const start = startTestService('sqlite', environment, { features: { PetsModule, ShelterModule } });
    await expect(start).rejects.toThrow(/^SHELTER_DAYS_PER_TOWN .*\b1\b.*\b9\b/);
  });

  it('stops the start when the navigation cannot lead to it', async () => {
    @ConsoleController('guests/:town', { title: 'Town' })
    class TownController {}
    @Module({ controllers: [TownController] })
    class TownModule {}
    const start = startTestService('sqlite', {}, { features: { PetsModule, TownModule } });
    await expect(start).rejects.toThrow(/TownController .*\/admin\/guests\/:town/);
  });

  it('stops the start when anybody could send its form', async () => {
    @Module({ controllers: [CarelessController] })
    class CarelessModule {}
    const start = startTestService('sqlite', {}, { features: { PetsModule, CarelessModule } });
    await expect(start).rejects.toThrow(
      /POST \/admin\/guests\/careless \(CarelessController\.send\).*@ConsoleScopes/,
    );
  });
});
