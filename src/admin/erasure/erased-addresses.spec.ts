import { IsNull, LessThanOrEqual } from 'typeorm';
import { describeOneEngine } from '../../../test/support/databases/databases';
import { startTestService, type TestService } from '../../../test/support/service/service';
import { Database } from '../../platform/database/database';
import { ClientChange } from '../../platform/request-log/client-change.entity';
import { LoggedRequest } from '../../platform/request-log/logged-request.entity';
import { ErasureService } from './erasure.service';

const CHANGES = 1_100;

/** Change at which an erasure fails. */
const STUCK = 1_050n;

/** Changes in the batches before that. */
const BEFORE = 1_000n;

describeOneEngine('The erasure of the addresses of very many changes by clients', (engine) => {
  let service: TestService;

  beforeAll(async () => (service = await startTestService(engine)));
  afterAll(() => service.stop());

  it('goes batch by batch, and a repetition ends one that failed between two', async () => {
    const { dataSource } = service.app.get(Database);
    const changes = dataSource.getRepository(ClientChange);
    const requests = dataSource.getRepository(LoggedRequest);
    const ids = Array.from({ length: CHANGES }, (_, index) => BigInt(index + 1));
    const change = { kind: 'pets', recordId: 1n, verb: 'update', operation: 'patchPet' } as const;
    const request = { at: new Date(), outcome: 'succeeded', durationMs: 1, node: 'n' } as const;
    const address = '203.0.113.9';
    await changes.insert(ids.map((id) => ({ ...change, id, requestId: `request-${id}`, address })));
    await changes.insert({ ...change, id: 1n, recordId: 2n, requestId: 'other', address });
    for (const some of [ids.slice(0, 550), ids.slice(550)]) {
      await requests.insert(some.map((id) => ({ ...request, id, requestId: `request-${id}`, address })));
    }
    await requests.insert({ ...request, id: 9_999n, requestId: 'other', address });
    const erase = () =>
      service.app.get(ErasureService, { strict: false }).erase({ type: 'pets', id: '1' }, 'letter');
    const isErased = { address: IsNull() };

    for (const statement of TRIGGER[engine].begin) await dataSource.query(statement);
    await expect(erase()).rejects.toThrow('stuck');
    const done = { ...isErased, id: LessThanOrEqual(BEFORE) };
    expect(await changes.countBy(isErased)).toBe(Number(BEFORE));
    expect(await changes.countBy(done)).toBe(Number(BEFORE));
    expect(await requests.countBy(isErased)).toBe(Number(BEFORE));
    expect(await requests.countBy(done)).toBe(Number(BEFORE));

    for (const statement of TRIGGER[engine].end) await dataSource.query(statement);
    await erase();
    expect(await changes.countBy({ ...isErased, recordId: 1n })).toBe(CHANGES);
    expect(await requests.countBy(isErased)).toBe(CHANGES);
    expect(await changes.countBy({ recordId: 2n, address })).toBe(1);
    expect(await requests.countBy({ requestId: 'other', address })).toBe(1);
  });
});

/** Statements that have a change fail, and that end it. */
const TRIGGER = {
  sqlite: {
    begin: [
      `CREATE TRIGGER stuck BEFORE UPDATE ON client_changes WHEN OLD.id = ${STUCK} BEGIN SELECT RAISE(ABORT, 'stuck'); END`,
    ],
    end: ['DROP TRIGGER stuck'],
  },
  postgres: {
    begin: [
      `CREATE FUNCTION stuck() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'stuck'; END $$`,
      `CREATE TRIGGER stuck BEFORE UPDATE ON client_changes FOR EACH ROW WHEN (OLD.id = ${STUCK}) EXECUTE FUNCTION stuck()`,
    ],
    end: ['DROP TRIGGER stuck ON client_changes', 'DROP FUNCTION stuck()'],
  },
};
