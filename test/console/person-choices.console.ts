import { DataSource } from 'typeorm';
import { PersonChoice } from '../../src/admin/console/sessions/person-choice.entity';
import { ApiKeysService } from '../../src/auth/api-keys.service';
import { describeOneEngine } from '../support/databases/databases';
import { startTestService, type TestService } from '../support/service/service';
import { type ConsoleClient, openConsole } from './support/console';

const LIST = '/admin/records/pets';

describeOneEngine('How a person sees the console', (engine) => {
  let service: TestService;
  let keys: ApiKeysService;

  beforeAll(async () => {
    service = await startTestService(engine);
    keys = service.app.get(ApiKeysService);
    await service.post('/v1/pets', { name: 'Rex', categoryId: 1 });
  });
  afterAll(() => service.stop());

  const newKey = () => keys.create({ name: 'Kim', scopes: ['admin:read'] });
  const headings = async (client: ConsoleClient) =>
    [...(await client.get(LIST)).html.matchAll(/<a class="sort" [^>]*>([^<]*)/g)].map(([, name]) => name);
  const zone = async (client: ConsoleClient) =>
    /<a class="zone"[\s\S]*?<\/svg>([^<]*)</.exec((await client.get(LIST)).html)?.[1];
  const choose = async (client: ConsoleClient) => {
    await client.submit(LIST, `${LIST}/columns`, { column: ['status'] });
    await client.submit('/admin/time-zone', '/admin/time-zone', { zone: 'Europe/Zurich' });
  };

  it('is the same in another browser and with the successor of the key, but not with another key', async () => {
    const { key, token } = await newKey();
    const first = await openConsole(service, token);
    await choose(first);
    const second = await openConsole(service, token);
    const third = await openConsole(service, (await keys.rotate(key.id, 60_000)).token);
    for (const client of [first, second, third]) {
      expect([await headings(client), await zone(client)]).toEqual([['Name', 'Status'], 'Zurich']);
    }
    const other = await openConsole(service, (await newKey()).token);
    expect([(await headings(other)).length, await zone(other)]).toEqual([5, 'UTC']);
  });

  it('is stored once for each choice, and not at all when all columns are shown again', async () => {
    const { key, token } = await newKey();
    const client = await openConsole(service, token);
    await choose(client);
    await choose(client);
    const stored = () =>
      service.app
        .get(DataSource)
        .getRepository(PersonChoice)
        .find({ where: { owner: key.id }, order: { name: 'ASC' } });
    expect((await stored()).map(({ name, value }) => [name, value])).toEqual([
      ['columns/pets', 'name,status'],
      ['time-zone', 'Europe/Zurich'],
    ]);
    await client.submit(LIST, `${LIST}/columns`, { 'all-columns': 'yes' });
    expect((await stored()).map(({ name }) => name)).toEqual(['time-zone']);
  });

  it('is as at first where the choices cannot be read, as before their migration', async () => {
    const { token } = await newKey();
    const client = await openConsole(service, token);
    await choose(client);
    const dataSource = service.app.get(DataSource);
    await dataSource.query('ALTER TABLE "person_choices" RENAME TO "elsewhere"');
    try {
      expect((await client.get('/admin/system/migrations')).status).toBe(200);
      expect(await zone(client)).toBe('UTC');
      expect(service.log()).toContain("A person's choices cannot be read");
    } finally {
      await dataSource.query('ALTER TABLE "elsewhere" RENAME TO "person_choices"');
    }
    expect(await zone(client)).toBe('Zurich');
  });
});
