import { RecordsRepository } from '../../../src/admin/records/records.repository';
import { RecordsService } from '../../../src/admin/records/records.service';
import { PETS_ADMIN } from '../../../src/pets/pets.admin';
import { runSql } from '../../contract/support/sql';
import { describeOneEngine } from '../../support/databases/databases';
import { startTestService, type TestService } from '../../support/service/service';
import { type ConsoleClient, openConsole, unescaped } from '../../support/service/console';

const LIST = '/admin/records/pets';

describeOneEngine('An export from the console', (engine) => {
  let service: TestService;
  let records: RecordsService;
  let client: ConsoleClient;

  beforeAll(async () => {
    service = await startTestService(engine);
    records = service.app.get(RecordsService, { strict: false });
    client = await openConsole(service, await service.keyWith('admin:read'));
    for (const [name, status] of [
      ['Rex', 'sold'],
      ['Luna "the", cat', 'sold'],
      ['Milo', 'available'],
    ]) {
      await records.create(PETS_ADMIN, { name, status, categoryId: 9007199254740993n });
    }
    await runSql(
      service.database,
      `INSERT INTO pets (name, category_id) WITH RECURSIVE n(i) AS
       (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200) SELECT 'many', 99 FROM n`,
    );
  });
  afterAll(() => service.stop());

  it.each([
    ['csv', 'text/csv; charset=utf-8; header=present', /^id,name,/, /Luna ""the"", cat/],
    ['ndjson', 'application/x-ndjson; charset=utf-8', /^\{"id":/, /Luna \\"the\\", cat/],
    ['json', 'application/json; charset=utf-8', /^\[\n\{"id":/, /Luna \\"the\\", cat/],
  ])('has the filtered records in the order of the list, as %s', async (format, type, begin, name) => {
    const page = await client.get(`${LIST}?status=sold&sort-by=name`);
    const link = new RegExp(`href="([^"]*/export/${format}[^"]*)"`).exec(page.html)?.[1] ?? '';
    const { raw, html } = await client.get(unescaped(link));
    expect(raw.status).toBe(200);
    expect(raw.headers.get('content-type')).toEqual([type]);
    expect(raw.headers.get('cache-control')).toEqual(['no-store']);
    expect(raw.headers.get('x-content-type-options')).toEqual(['nosniff']);
    expect(raw.headers.get('content-disposition')?.[0]).toMatch(
      new RegExp(`^attachment; filename="pets-\\d{4}-\\d\\d-\\d\\d\\.${format}"$`),
    );
    expect(html).toMatch(begin);
    expect(html).toMatch(name);
    expect(html.indexOf('Luna')).toBeLessThan(html.indexOf('Rex'));
    expect(html.match(/9007199254740993/g)).toHaveLength(2);
  });

  it('can begin with a byte order mark, by which spreadsheets know UTF-8', async () => {
    const page = await client.get(`${LIST}?status=sold`);
    const link = /href="([^"]*\/export\/spreadsheet[^"]*)"/.exec(page.html)?.[1] ?? '';
    const { raw, html } = await client.get(unescaped(link));
    expect(html).toBe(`\ufeff${(await client.get(unescaped(link).replace('/spreadsheet', '/csv'))).html}`);
    expect(raw.headers.get('content-disposition')?.[0]).toMatch(/filename="pets-[\d-]+\.csv"$/);
    expect(raw.headers.get('content-type')?.[0]).toMatch(/^text\/csv/);
  });

  it('never looks complete when it was interrupted', async () => {
    const repository = service.app.get(RecordsRepository, { strict: false });
    const pages = repository.pages.bind(repository);
    const calls = jest.spyOn(repository, 'pages').mockImplementation(async function* (...list) {
      for await (const page of pages(...list)) {
        yield page;
        throw new Error('The database is away.');
      }
    });
    await expect(client.get(`${LIST}/export/ndjson`)).rejects.toThrow(
      'The connection ended within a response',
    );
    calls.mockRestore();
    expect((await client.get(`${LIST}/export/ndjson`)).status).toBe(200);
  });

  it('is refused while a filter is invalid', async () => {
    const wrong = `${LIST}/export/csv?status=gone`;
    expect((await client.get(wrong)).location).toBe(`${LIST}?status=gone`);
    expect((await client.get(`${LIST}/export/xml`)).status).toBe(404);
    const stranger = await openConsole(service);
    expect((await stranger.get(`${LIST}/export/csv`)).location).toContain('/admin/sign-in');
  });
});
