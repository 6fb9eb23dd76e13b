import { describeEachEngine } from '../support/databases/databases';
import { addToSchema } from '../support/databases/with-schema';
import { startTestService, type TestService } from '../support/service/service';
import { withFeatures } from '../support/service/with-features';
import { createTables } from './create-tables';
import { Sticker, StickersModule, StickersService } from './stickers.module';

describeEachEngine('The violation of a constraint in a module on TypeORM', (engine) => {
  let takeBack: () => void;
  let service: TestService;
  let pet: string;
  beforeAll(async () => {
    takeBack = addToSchema({ entities: [Sticker], migrations: [createTables(1790000500000, 'op_')] });
    service = await withFeatures({ StickersModule }, () => startTestService(engine));
    const created = await service.post('/v1/pets', { name: 'Rex', categoryId: 1 });
    pet = ((await created.json()) as { id: string }).id;
    expect((await make({ slug: 'taken' })).status).toBe(201);
  });
  afterAll(async () => {
    await service.stop();
    takeBack();
  });

  const make = (sticker: { slug: string; petId?: unknown }, key?: string, path = '') =>
    service.post(
      `/v1/stickers${path}`,
      { petId: pet, ...sticker },
      key === undefined ? {} : { 'Idempotency-Key': key },
    );
  const seen = async (response: Response) => [
    response.status,
    await response.json(),
    response.headers.get('idempotency-replayed'),
  ];
  const begun = () => service.app.get(StickersService).begun;

  it.each([
    ['a value that another row has', { slug: 'taken' }, 'duplicate_value'],
    ['a row that is not there', { slug: 'lost', petId: 4711 }, 'missing_reference'],
    ['an exception of Nest', { slug: 'plain' }, 'conflict'],
  ])('is stored for an Idempotency-Key, and repeated without the work: %s', async (_title, sticker, code) => {
    const first = await seen(await make(sticker, code));
    const before = begun();
    const again = await seen(await make(sticker, code));
    expect(first).toEqual([409, expect.objectContaining({ code, status: 409 }), null]);
    expect(again).toEqual([409, first[1], 'true']);
    expect(begun()).toBe(before);
    expect((await seen(await make(sticker)))[1]).toEqual(first[1]);
  });

  it.each([undefined, 'caught'])(
    'is a QueryFailedError to a handler that catches it, under the key %s',
    async (key) => {
      const [status, body] = await seen(await make({ slug: 'taken' }, key, '/caught'));
      expect([status, body]).toEqual([409, expect.objectContaining({ message: 'There is one.' })]);
    },
  );

  it.each([undefined, 'filtered'])(
    'reaches a filter of the module as a QueryFailedError, under the key %s',
    async (key) => {
      const [status, body] = await seen(await make({ slug: 'taken' }, key, '/filtered'));
      expect([status, body]).toEqual([418, { failed: 'QueryFailedError' }]);
    },
  );
});
