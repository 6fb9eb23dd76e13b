import { In, IsNull, LessThanOrEqual } from 'typeorm';
import { describeEachEngine, type Engine } from '../../../../test/support/databases/databases';
import { startTestService, type TestService } from '../../../../test/support/service/service';
import { AuditEvent } from '../../../platform/audit/audit-event.entity';
import { AuditLog } from '../../../platform/audit/audit-log';
import { Database } from '../../../platform/database/database';
import { ClientChange } from '../../../platform/request-log/client-change.entity';
import { LoggedRequest } from '../../../platform/request-log/logged-request.entity';
import { actingAs } from '../../../platform/security/actor';
import { ErasureService } from './erasure.service';

const CHANGES = 1_100;

/** Change at which an erasure fails. */
const STUCK = 1_050n;

/** Changes in the batches before that. */
const BEFORE = 1_000n;

const EVENTS = 250;

/** Event at which an erasure fails, and those in the pieces before that. */
const STUCK_EVENT = 230;
const EVENTS_BEFORE = 200;

describeEachEngine('The erasure of very many rows', (engine) => {
  let service: TestService;

  beforeAll(async () => (service = await startTestService(engine)));
  afterAll(() => service.stop());

  it('erases addresses of clients batch by batch, and a repetition ends one that failed between two', async () => {
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

    const stuck = stuckAt(engine, 'client_changes', STUCK);
    for (const statement of stuck.begin) await dataSource.query(statement);
    await expect(erase()).rejects.toThrow('stuck');
    const done = { ...isErased, id: LessThanOrEqual(BEFORE) };
    expect(await changes.countBy(isErased)).toBe(Number(BEFORE));
    expect(await changes.countBy(done)).toBe(Number(BEFORE));
    expect(await requests.countBy(isErased)).toBe(Number(BEFORE));
    expect(await requests.countBy(done)).toBe(Number(BEFORE));

    for (const statement of stuck.end) await dataSource.query(statement);
    await erase();
    expect(await changes.countBy({ ...isErased, recordId: 1n })).toBe(CHANGES);
    expect(await requests.countBy(isErased)).toBe(CHANGES);
    expect(await changes.countBy({ recordId: 2n, address })).toBe(1);
    expect(await requests.countBy({ requestId: 'other', address })).toBe(1);
  });

  it.each([
    ['names and addresses of an operator', { type: 'people', id: 'oidc:ana' }, { actorName: '[erased]' }],
    ['values in events', { type: 'things', id: '8' }, { after: '{"name":"[erased]"}' }],
  ])(
    'erases %s piece by piece, and a repetition ends one that failed between two',
    async (_what, subject, erased) => {
      const { dataSource } = service.app.get(Database);
      const events = dataSource.getRepository(AuditEvent);
      const change = {
        action: 'things.touch',
        subject: { type: 'things', id: subject.id === '8' ? '8' : '7' },
        after: { name: 'Ana' },
        personal: ['name'],
      };
      const ids = await actingAs({ name: 'oidc:ana', personName: 'Ana', address: '203.0.113.9' }, () =>
        service.app
          .get(Database)
          .transaction(() =>
            service.app.get(AuditLog).recordMany(Array.from({ length: EVENTS }, () => change)),
          ),
      );
      const erase = () => service.app.get(ErasureService, { strict: false }).erase(subject, 'letter');
      const done = () => events.countBy({ ...erased, id: In(ids) });

      const stuck = stuckAt(engine, 'audit_events', ids[STUCK_EVENT] as bigint);
      for (const statement of stuck.begin) await dataSource.query(statement);
      await expect(erase()).rejects.toThrow('stuck');
      expect(await done()).toBe(EVENTS_BEFORE);

      for (const statement of stuck.end) await dataSource.query(statement);
      await erase();
      expect(await done()).toBe(EVENTS);
    },
  );
});

/** Statements that have the update of a row fail, and that end it. */
function stuckAt(engine: Engine, table: string, id: bigint): { begin: string[]; end: string[] } {
  const when = `CREATE TRIGGER stuck BEFORE UPDATE ON ${table}`;
  return engine === 'sqlite'
    ? {
        begin: [`${when} WHEN OLD.id = ${id} BEGIN SELECT RAISE(ABORT, 'stuck'); END`],
        end: ['DROP TRIGGER stuck'],
      }
    : {
        begin: [
          `CREATE FUNCTION stuck() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'stuck'; END $$`,
          `${when} FOR EACH ROW WHEN (OLD.id = ${id}) EXECUTE FUNCTION stuck()`,
        ],
        end: [`DROP TRIGGER stuck ON ${table}`, 'DROP FUNCTION stuck()'],
      };
}
