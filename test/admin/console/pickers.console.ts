import { RecordsService } from '../../../src/admin/records/records.service';
import { PETS_ADMIN } from '../../../src/pets/pets.admin';
import { describeOneEngine } from '../../support/databases/databases';
import { startTestService, type TestService } from '../../support/service/service';
import { withFeatures } from '../../support/service/with-features';
import { type ConsoleClient, openConsole } from '../../support/service/console';
import { FollowersModule } from './support/followers.module';

const OPTIONS = '/admin/records/pets/options';

describeOneEngine('A field that refers to a record', (engine) => {
  let service: TestService;
  let records: RecordsService;
  let client: ConsoleClient;
  const ids = new Map<string, bigint>();

  beforeAll(async () => {
    service = await withFeatures({ FollowersModule }, () => startTestService(engine));
    records = service.app.get(RecordsService, { strict: false });
    client = await openConsole(service, await service.keyWith('admin:read', 'admin:followers'));
    for (const name of ['Luna', 'Luna <2>', 'Old Luna', 'Rex', 'Gone Luna']) {
      const { id } = await records.create(PETS_ADMIN, { name, categoryId: 1n });
      ids.set(name, id);
    }
    await records.remove(PETS_ADMIN, ids.get('Gone Luna') as bigint);
  });
  afterAll(() => service.stop());

  const idOf = (name: string) => String(ids.get(name));
  const find = async (text: string) => {
    const { html } = await client.get(`${OPTIONS}?q=${encodeURIComponent(text)}`);
    return JSON.parse(html) as { options: { value: string; label: string }[]; isCut: boolean };
  };
  const labels = async (text: string) => (await find(text)).options.map(({ label }) => label);

  it('finds records by the beginning of their name first, then by any part, and by number', async () => {
    expect(await find('luna')).toEqual({
      options: ['Luna', 'Luna <2>', 'Old Luna'].map((label) => ({ value: idOf(label), label })),
      isCut: false,
    });
    expect(await labels('OLD LU')).toEqual(['Old Luna']);
    expect(await labels(idOf('Rex'))).toEqual(['Rex']);
    expect(await labels(`pet ${idOf('Rex')}`)).toEqual(['Rex']);
    expect(await labels('nobody')).toEqual([]);
    expect(await labels('\u0000')).toEqual([]);
  });

  it('offers the newest records before anything is typed, and eight at most', async () => {
    expect((await labels(''))[0]).toBe('Rex');
    for (let i = 0; i < 9; i++) await records.create(PETS_ADMIN, { name: `many ${i}`, categoryId: 1n });
    expect(await labels('many')).toHaveLength(8);
    expect(await labels('')).toHaveLength(8);
  });

  it('says when a search ended before it had seen all records', async () => {
    const search = jest.spyOn(records, 'searchBriefly').mockResolvedValueOnce({
      records: [],
      lookedTo: { id: 7n, value: 7n },
    });
    expect(await find('somebody')).toEqual({ options: [], isCut: true });
    expect(search).toHaveBeenCalledTimes(1);
    search.mockRestore();
  });

  it('has its number and the newest records without JavaScript, and the address of its search', async () => {
    const { html } = await client.get(`/admin/records/followers/${idOf('Rex')}/edit`);
    const [input = ''] = /<input type="text"\s+id="field-categoryId"[^>]*>/.exec(html) ?? [];
    expect(input).toContain(`data-picker="${OPTIONS}"`);
    expect(input).toContain('list="field-categoryId-list"');
    expect(html).toContain(`<option value="${idOf('Rex')}" label="Rex"></option>`);
  });

  it('is found in the filters of a list, too, which name the record that is chosen', async () => {
    const inputOf = async (query: string) => {
      const { html } = await client.get(`/admin/records/followers${query}`);
      return /<input type="text"\s+id="field-categoryId"[^>]*>.*?<\/datalist>/s.exec(html)?.[0] ?? '';
    };
    expect(await inputOf('')).toContain(`data-picker="${OPTIONS}"`);
    const options = (input: string) => [...input.matchAll(/label="([^"]*)"/g)].map(([, label]) => label);
    expect(options(await inputOf(''))).toEqual([]);
    expect(options(await inputOf(`?categoryId=${idOf('Rex')}`))).toEqual(['Rex']);
    expect(options(await inputOf('?categoryId=abc'))).toEqual([]);
  });

  it('is searched by people who are signed in alone, and its response is kept nowhere', async () => {
    const stranger = await openConsole(service);
    expect(await stranger.get(OPTIONS)).toMatchObject({ status: 303 });
    const { raw } = await client.get(OPTIONS);
    expect(raw.headers.get('cache-control')).toEqual(['no-store']);
    expect(raw.headers.get('content-type')).toEqual(['application/json; charset=utf-8']);
    expect((await client.get('/admin/records/nothing/options')).status).toBe(404);
  });
});
