import { PETS_ADMIN } from '../../pets/pets.admin';
import { PetsSeed } from '../../pets/pets.seed';
import { AuditLog } from '../../platform/audit/audit-log';
import { Database } from '../../platform/database/database';
import { describeEachEngine } from '../../../test/support/databases/databases';
import { startTestService, type TestService } from '../../../test/support/service/service';
import { until } from '../../../test/support/until';
import { BulkChanges } from './bulk-changes.service';
import { changeOf } from './record-change';
import { readPatch } from './record-values';
import { RecordsService } from './records.service';
import type { StoredRecord } from './stored-record';
import { UndoService } from './undo.service';

describeEachEngine('A bulk change whose undo overtakes it', (engine) => {
  let service: TestService;

  const get = <T>(type: abstract new (...args: never[]) => T): T => service.app.get(type, { strict: false });
  const pets = () => get(RecordsService).search(PETS_ADMIN, { filter: {}, limit: 10 });
  const statuses = async () => (await pets()).map(({ values }) => values['status']);
  const lastChange = async () => {
    const [event] = await get(AuditLog).list({ action: 'pets.update_all' }, { limit: 1 });
    return event?.id as bigint;
  };
  const undoLast = async () => get(UndoService).undo(PETS_ADMIN, await lastChange());
  /** On SQLite one transaction begins after the other. */
  const isWaitingForLock = async () => {
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
    const rows = engine === 'postgres' ? await get(Database).dataSource.query<object[]>(waiting) : [{}];
    return rows.length > 0;
  };
  /** Sells pets piece by piece. */
  const sell = (pieces: AsyncIterable<readonly StoredRecord[]>) =>
    get(BulkChanges).inPieces(PETS_ADMIN, pieces, {}, async (some) => ({
      changes: await Promise.all(
        some.map(async ({ values }) => {
          const patch = readPatch(PETS_ADMIN.patch as never, { status: 'sold' });
          const after = await get(RecordsService).change(PETS_ADMIN, values, patch);
          return changeOf(PETS_ADMIN, 'update', values.id, values, after);
        }),
      ),
      leftAlone: [],
    }));

  beforeAll(async () => {
    service = await startTestService(engine);
    await get(PetsSeed).add(4);
    await get(Database).dataSource.query(`UPDATE pets SET status = 'available'`);
  });
  afterAll(() => service.stop());
  afterEach(async () => expect(new Set(await statuses())).toEqual(new Set(['available'])));

  it('ends before its next piece, and says so', async () => {
    const found = await pets();
    async function* pieces() {
      yield found.slice(0, 2);
      expect(await undoLast()).toMatchObject({ undone: 2, leftAlone: [] });
      yield found.slice(2);
    }
    const { changed, stopped } = await sell(pieces());
    expect({ changed, stopped }).toEqual({
      changed: 2,
      stopped: 'The change was undone meanwhile by service.',
    });
  });

  it('waits for a piece of the undo that is not committed yet', async () => {
    const found = await pets();
    const { promise: isRecorded, resolve: record } = Promise.withResolvers<void>();
    const { promise: isGiven, resolve: give } = Promise.withResolvers<void>();
    async function* pieces() {
      yield found.slice(0, 2);
      get(AuditLog).onRecord(() => {
        record();
        get(Database).beforeCommit(() => isGiven);
      });
      undone = undoLast();
      await isRecorded;
      yield found.slice(2);
    }
    let undone: ReturnType<typeof undoLast> | undefined;
    const selling = sell(pieces());
    await isRecorded;
    await until(isWaitingForLock);
    give();
    expect(await selling).toMatchObject({ changed: 2, stopped: expect.any(String) as string });
    expect(await undone).toMatchObject({ undone: 2 });
  });
});
