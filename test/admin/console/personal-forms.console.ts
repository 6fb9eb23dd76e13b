import { ErasureService } from '../../../src/admin/records/erasure/erasure.service';
import { PetsModule } from '../../../src/pets/pets.module';
import { describeOneEngine } from '../../support/databases/databases';
import { heldOf } from '../support/held-of';
import { startTestService, type TestService } from '../../support/service/service';
import { type ConsoleClient, openConsole } from '../../support/service/console';
import { ShelterModule } from '../../support/shelter/shelter.module';

const LETTERS = '/admin/guests/letters';

describeOneEngine('A form of a module that identifies a person', (engine) => {
  let service: TestService;
  let client: ConsoleClient;

  beforeAll(async () => {
    service = await startTestService(engine, {}, { features: { PetsModule, ShelterModule } });
    client = await openConsole(service, await service.keyWith('admin:read', 'admin:letters'));
  });
  afterAll(() => service.stop());

  const send = async (path: string, fields: Record<string, string>) => {
    expect((await client.submit(path, path, fields)).location).toBe(LETTERS);
  };
  const lettersOf = async (id: string) => {
    const { eventsAboutOthers } = await heldOf(service, { type: 'guests', id });
    return (eventsAboutOthers as { after: object }[]).map(({ after }) => after);
  };
  const newGuest = async (name: string) => {
    const response = await service.post('/v1/pets', { name, categoryId: 1 });
    return String(((await response.json()) as { id: number }).id);
  };

  it('is held with the record that it chooses, and erased with it', async () => {
    const [one, other] = [await newGuest('Rex'), await newGuest('Mia')];
    await send(LETTERS, { recipient: 'Ana', guestId: one });
    await send(LETTERS, { recipient: 'Ben', guestId: other });
    expect(await lettersOf(one)).toEqual([{ recipient: 'Ana', guestId: Number(one) }]);
    await service.app.get(ErasureService, { strict: false }).erase({ type: 'guests', id: one }, 'letter 9');
    expect(await lettersOf(one)).toEqual([]);
    expect(await lettersOf(other)).toEqual([{ recipient: 'Ben', guestId: Number(other) }]);
    const { auditEvents } = await heldOf(service, { type: 'console', id: 'guests/letters' });
    expect(auditEvents).toMatchObject([
      { after: { recipient: 'Ben' } },
      { after: { recipient: '[erased]', guestId: Number(one) } },
    ]);
  });

  it('is held with the record whose page it is on', async () => {
    const [one, other] = [await newGuest('Kit'), await newGuest('Max')];
    await send(`/admin/guests/${one}/letter`, { recipient: 'Cleo', guestId: other });
    expect(await lettersOf(one)).toEqual([{ recipient: 'Cleo', guestId: Number(other) }]);
    expect(await lettersOf(other)).toEqual([]);
  });

  it('is held with its page if it names no record', async () => {
    await send(LETTERS, { recipient: 'Dora' });
    expect(await heldOf(service, { type: 'console', id: 'guests/letters' })).toMatchObject({
      auditEvents: expect.arrayContaining([
        expect.objectContaining({ after: { recipient: 'Dora' } }),
      ]) as unknown,
      eventsAboutOthers: [],
    });
  });
});
