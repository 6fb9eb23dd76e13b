import { describeEachEngine } from '../../../../test/support/databases/databases';
import { startTestService, type TestService } from '../../../../test/support/service/service';
import { ClientChange } from '../../request-log/client-change.entity';
import { Database } from '../database';
import { RowsInsertion } from './rows-insertion';

const CHANGE = {
  kind: 'pets',
  verb: 'update',
  operation: 'updatePet',
  keyId: null,
  requestId: 'ä "\\\n',
  address: null,
} as const;

describeEachEngine('Rows inserted by one statement', (engine) => {
  let service: TestService;
  let database: Database;
  const changes = () => database.dataSource.getRepository(ClientChange);

  beforeAll(async () => {
    service = await startTestService(engine);
    database = service.app.get(Database);
  });
  afterAll(() => service.stop());
  beforeEach(() => changes().clear());

  const insertion = (tail: string) =>
    new RowsInsertion<{ record_id: bigint }>(database, changes().metadata.columns, tail);

  it('may have more values than the engine has parameters', async () => {
    const rows = Array.from({ length: 10_000 }, (_, index) => ({
      ...CHANGE,
      recordId: 9_223_372_036_854_775_807n - BigInt(index),
      id: BigInt(index),
    }));
    const returned = await insertion('RETURNING "record_id"').insert(rows);
    expect(returned).toHaveLength(10_000);
    expect(await changes().count()).toBe(10_000);
    expect(await changes().findOneByOrFail({ id: 0n })).toEqual(rows[0]);
  });

  it('leave existing rows as they are, if the statement says so', async () => {
    const ignoring = insertion('ON CONFLICT DO NOTHING RETURNING "record_id"');
    const [first, second] = [1n, 2n].map((id) => ({ ...CHANGE, recordId: 1n, id }));
    await ignoring.insert([first as object]);
    expect(await ignoring.insert([{ ...first, verb: 'remove' }, second as object])).toHaveLength(1);
    expect(await changes().find({ order: { id: 'ASC' } })).toEqual([first, second]);
  });

  it('may be an empty list', async () => {
    expect(await insertion('RETURNING "record_id"').insert([])).toEqual([]);
  });
});
