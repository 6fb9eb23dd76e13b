import { RecordsRepository } from '../../../src/admin/records/records.repository';
import { PETS_ADMIN } from '../../../src/pets/pets.admin';
import { runSql } from '../../contract/support/sql';
import { describeOneEngine } from '../../support/databases/databases';
import { startTestService, type TestService } from '../../support/service/service';
import { type ConsoleClient, openConsole, unescaped } from '../../support/service/console';
import { calloutIn, codesIn, emptyIn } from './support/said';

const LIST = '/admin/records/pets';
const COUNT = 120_000;

describeOneEngine('A search without an index', (engine) => {
  let service: TestService;
  let client: ConsoleClient;
  let records: RecordsRepository;

  beforeAll(async () => {
    service = await startTestService(engine);
    client = await openConsole(service, await service.keyWith('admin:read', 'admin:pets'));
    records = service.app.get(RecordsRepository, { strict: false });
    await runSql(
      service.database,
      `INSERT INTO pets (name, category_id) WITH RECURSIVE n(i) AS
       (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${COUNT}) SELECT 'pet ' || i, i % 7 FROM n`,
    );
  });
  afterAll(() => service.stop());
  afterEach(() => jest.restoreAllMocks());

  /** Gives searches no time but for what they look through first. */
  function allowNoTime(): void {
    const [search, count] = [records.search.bind(records), records.count.bind(records)];
    jest
      .spyOn(records, 'search')
      .mockImplementation((recordType, request, within) => search(recordType, request, within && 0));
    jest
      .spyOn(records, 'count')
      .mockImplementation((recordType, filter, limit, within) =>
        count(recordType, filter, limit, within && 0),
      );
  }

  it('lets a GET request be answered before it ends', async () => {
    const order: string[] = [];
    const searching = records
      .search(PETS_ADMIN, { filter: { where: { name: { contains: 'nobody' } } }, limit: 51 })
      .then(({ records: found }) => order.push(`found ${found.length}`));
    const { status } = await service.fetch('/v1/pets?limit=1');
    order.push(`get ${status}`);
    await searching;
    expect(order).toEqual(['get 200', 'found 0']);
  });

  it('finds all matching records in every order and from every position', async () => {
    const filter = { where: { name: { contains: 'pet 1199' } } };
    for (const by of ['id', 'name', 'categoryId']) {
      for (const descending of [false, true]) {
        const order = { by, descending };
        const { records: found } = await records.search(PETS_ADMIN, { filter, order, limit: 1_000 });
        expect(new Set(found.map(({ values }) => values.id)).size).toBe(111);
        const tenth = found[9];
        const after = { value: tenth?.values[by], id: tenth?.values.id as bigint };
        const rest = await records.search(PETS_ADMIN, { filter, order, after, limit: 1_000 });
        expect(rest.records.map(({ values }) => values.id)).toEqual(
          found.slice(10).map(({ values }) => values.id),
        );
      }
    }
  });

  it('stops after its time and says how far it came, and the next page continues from there', async () => {
    allowNoTime();
    const first = await client.get(`${LIST}?name=pet+7x`);
    expect(calloutIn(first, 'looked_back')).toContain(` ${COUNT - 199}.`);
    expect(emptyIn(first)).toBeUndefined();
    const path = /href="([^"]+)" rel="next"/.exec(first.html)?.[1];
    const second = await client.get(unescaped(path ?? ''));
    expect(calloutIn(second, 'looked_back')).toContain(` ${COUNT - 399}.`);
  });

  it('counts what it could search in its time, and does not offer to change all', async () => {
    allowNoTime();
    const { html } = await client.get(`${LIST}?name=pet+119`);
    expect(html).toMatch(/<span role="status">[^<\d]+\d[\d,]* pets /);
    expect(html).not.toContain(`href="${LIST}/bulk`);
  });

  it('has no more time for a bulk change, which is offered only when all were counted', async () => {
    allowNoTime();
    const asked = await client.get(`${LIST}/bulk?name=pet+119`);
    expect(asked.status).toBe(200);
    expect(emptyIn(asked)).toEqual({ 'Back to the list': `${LIST}?name=pet+119` });
  });

  it('begins at the first match of an index in the order of the list', async () => {
    allowNoTime();
    const filter = { where: { name: { prefix: 'pet 1' } } };
    const order = { by: 'name', descending: true };
    const { records: found } = await records.search(PETS_ADMIN, { filter, order, limit: 2 }, 1);
    expect(found.map(({ values }) => values.name)).toEqual(['pet 19999', 'pet 19998']);
  });

  it('reads matches of an index directly', async () => {
    await service.post('/v1/pets', { name: 'Rex', categoryId: 99 });
    allowNoTime();
    const found = await client.get(`${LIST}?categoryId=99&name=e`);
    expect(found.html).toMatch(/<span role="status">1 pet /);
    expect(codesIn(found)).toEqual([]);
  });
});
