import { describeOneEngine } from '../support/databases/databases';
import { startTestService, type TestService } from '../support/service/service';
import { withFeatures } from '../support/service/with-features';
import { HalfModule, HerdsModule, UnsortedModule } from './herds.module';

const PETS = [
  { name: 'Rex', categoryId: 3, status: 'sold' },
  { name: 'rex', categoryId: 9_007_199_254_740_991, status: 'available' },
  { name: 'Re', categoryId: 2 },
  { name: 'Mia', categoryId: 3, status: 'pending' },
  { name: 'Rea', categoryId: 1, status: 'available' },
];

describeOneEngine('A list with filters and orders of its own', (engine) => {
  let service: TestService;

  beforeAll(async () => {
    service = await withFeatures({ HerdsModule }, () => startTestService(engine));
    for (const pet of PETS) await service.post('/v1/pets', pet);
  });
  afterAll(() => service.stop());

  /** The names of a list, page by page. */
  async function names(query: string): Promise<string[]> {
    const found: string[] = [];
    for (let path: string | undefined = `/v1/herds?limit=2&${query}`; path !== undefined;) {
      const response: Response = await service.fetch(path);
      expect([path, response.status]).toEqual([path, 200]);
      found.push(...((await response.json()) as { name: string }[]).map(({ name }) => name));
      const next = /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
      path = next === undefined ? undefined : next.replace(/^https?:\/\/[^/]*/, '');
    }
    return found;
  }

  const LISTS: [string, string[]][] = [
    ['', ['Rex', 'rex', 'Re', 'Mia', 'Rea']],
    ['sort=id', ['Rex', 'rex', 'Re', 'Mia', 'Rea']],
    ['sort=-id', ['Rea', 'Mia', 'Re', 'rex', 'Rex']],
    ['sort=name', ['Mia', 'Re', 'Rea', 'Rex', 'rex']],
    ['sort=-categoryId', ['rex', 'Mia', 'Rex', 'Re', 'Rea']],
    ['status=sold&status=available', ['Rex', 'rex', 'Rea']],
    ['status=sold&status=available&sort=-name', ['rex', 'Rex', 'Rea']],
    ['categoryIdFrom=2&categoryIdTo=3', ['Rex', 'Re', 'Mia']],
    ['categoryIdFrom=9007199254740991', ['rex']],
    ['namePrefix=Re&sort=-createdAt', ['Rea', 'Re', 'Rex']],
    ['namePrefix=Re&status=sold', ['Rex']],
    ['createdAtBefore=2026-01-01T00:00:00Z', []],
  ];

  it.each(LISTS)('serves matching rows over HTTP, page by page: %s', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it.each([
    [
      'sort=status',
      'sort must be one of id, -id, name, -name, categoryId, -categoryId, createdAt, -createdAt.',
    ],
    ['status=sold&status=lost', 'status must be one of available, pending, sold.'],
    ['namePrefix=', 'namePrefix must have 1 to 100 characters, none of them U+0000.'],
    ['namePrefix=a&namePrefix=b', 'namePrefix may be given only once.'],
    ['sort=name&cursor=AQAAAAAAAAAB', 'The cursor is malformed.'],
  ])('refuses unknown filters, orders and values: %s', async (query, message) => {
    const response = await service.fetch(`/v1/herds?${query}`);
    expect(await response.json()).toMatchObject({ status: 400, message });
  });

  it('refuses the cursor of another order', async () => {
    const link = (await service.fetch('/v1/herds?limit=2&sort=name')).headers.get('link') ?? '';
    const cursor = /cursor=([^&>]*)/.exec(link)?.[1];
    for (const query of ['', '&sort=-name', '&sort=categoryId', '&sort=name&namePrefix=R']) {
      const response = await service.fetch(`/v1/herds?cursor=${cursor}${query}`);
      expect(await response.json()).toMatchObject({ status: 400, code: 'invalid_cursor' });
    }
  });

  it('is documented with exactly the values it accepts', async () => {
    const document = (await (await fetch(`${service.url}/docs/openapi.json`)).json()) as {
      paths: Record<string, { get: { parameters: { name: string; schema: object }[] } }>;
    };
    const parameters = document.paths['/herds']?.get.parameters.map(({ name, schema }) => [name, schema]);
    expect(Object.fromEntries(parameters as [string, object][])).toMatchObject({
      status: { type: 'array', items: { $ref: '#/components/schemas/PetStatus' } },
      categoryIdFrom: { type: 'integer', format: 'int64' },
      createdAtBefore: { type: 'string', format: 'date-time' },
      namePrefix: { type: 'string', minLength: 1, maxLength: 100 },
      sort: { type: 'string', default: 'id', enum: expect.arrayContaining(['id', '-createdAt']) as string[] },
    });
  });
});

describe('A list sorted by a column that engines sort differently', () => {
  it('stops the start with the name of its query class', async () => {
    const started = withFeatures({ UnsortedModule }, () => startTestService('sqlite'));
    await expect(started).rejects.toThrow(
      'ListByStatusQuery sorts by status, but pets has no index on (status, id) that createTextIndex() makes.',
    );
  });
});

describe('A list whose query no repository reads', () => {
  it('stops the start with the names of its operation and its query class, and the remedy', async () => {
    const started = withFeatures({ HalfModule }, () => startTestService('sqlite'));
    await expect(started).rejects.toThrow(
      /^GET \/v1\/half \(HalfController\.listHalf\) takes ListByBeginningQuery,.* by namePrefix: pass the class to the repository, as super\(database, <entity>, ListByBeginningQuery\),/,
    );
  });
});
