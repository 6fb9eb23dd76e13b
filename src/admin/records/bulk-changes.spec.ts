import { ConflictException } from '@nestjs/common';
import { PETS_ADMIN } from '../../pets/pets.admin';
import { PetsSeed } from '../../pets/pets.seed';
import { PetsService } from '../../pets/pets.service';
import { AuditEventsRepository } from '../../platform/audit/audit-events.repository';
import { AuditLog } from '../../platform/audit/audit-log';
import { Database } from '../../platform/database/database';
import { InternalError } from '../../platform/errors/http-errors';
import { describeOneEngine } from '../../../test/support/databases/databases';
import { startTestService, type TestService } from '../../../test/support/service/service';
import { ReadOnlyMode } from '../../platform/read-only/read-only-mode';
import { until } from '../../../test/support/until';
import { AuditTrailService, subjectInWords } from '../audit/audit-trail.service';
import { ReadOnlyService } from '../read-only/read-only.service';
import { BULK_PIECE, BulkChanges } from './bulk-changes.service';
import { changeOf } from './record-change';
import { readPatch } from './record-values';
import { RecordRefusedError } from './records.errors';
import { RecordsService } from './records.service';
import { UndoService } from './undo.service';

/** Two pieces and a half. */
const MANY = 2.5 * BULK_PIECE;

describeOneEngine('A bulk change of more records than one transaction changes', (engine) => {
  let service: TestService;
  let bulk: BulkChanges;
  let undoing: UndoService;
  /** Called in the transaction that records a piece, with the number of pieces before it. */
  let onPiece: (before: number) => void;
  /** Audit events of each transaction that was committed. */
  let committed: number[];

  const get = <T>(type: abstract new (...args: never[]) => T): T => service.app.get(type, { strict: false });
  const filter = { where: { categoryId: 7n } };
  const setStatus = (status: string) =>
    bulk.updateAll(PETS_ADMIN, filter, readPatch(PETS_ADMIN.patch as never, { status }), MANY);
  const pets = () => get(RecordsService).search(PETS_ADMIN, { filter, limit: MANY });
  const statuses = async () => (await pets()).map(({ values }) => values['status']);

  beforeAll(async () => {
    service = await startTestService(engine);
    bulk = get(BulkChanges);
    undoing = get(UndoService);
    await get(PetsSeed).add(MANY);
    await get(Database).dataSource.query(`UPDATE pets SET category_id = 7, status = 'available'`);
    get(AuditLog).onRecord((ids) => {
      if (ids.length > 1) onPiece(committed.length);
      get(Database).afterCommit(() => {
        if (ids.length > 1) committed.push(ids.length);
      });
    });
  });
  afterAll(() => service.stop());
  beforeEach(() => {
    committed = [];
    onPiece = () => undefined;
  });

  it('is made and undone in transactions of a piece each, and is one entry that one undo takes back', async () => {
    const { changed, change } = await setStatus('sold');
    expect({ changed, committed }).toEqual({ changed: MANY, committed: [101, 101, 51] });
    expect(new Set(await statuses())).toEqual(new Set(['sold']));
    const trail = get(AuditTrailService);
    const [whole, before] = await trail.listFolded({ subjectType: 'pets' }, { limit: 2 });
    expect([whole?.id, whole && subjectInWords(whole), before]).toEqual([change, '250 pets', undefined]);
    expect(await trail.listFolded({ subjectType: 'pets' }, { before: change, limit: 2 })).toEqual([]);
    const opened = await trail.list({ whole: change, action: 'pets.update' }, { limit: 1_000 });
    expect(new Set(opened.map(({ subjectId }) => subjectId)).size).toBe(MANY);

    committed = [];
    const undone = await undoing.undo(PETS_ADMIN, change as bigint);
    expect({ ...undone, committed }).toMatchObject({
      undone: MANY,
      leftAlone: [],
      committed: [101, 101, 51],
    });
    expect(new Set(await statuses())).toEqual(new Set(['available']));
    expect(await trail.listFolded({ subjectType: 'pets' }, { limit: 3 })).toHaveLength(2);
    expect(await undoing.undo(PETS_ADMIN, undone.change as bigint)).toMatchObject({ undone: MANY });
    expect(new Set(await statuses())).toEqual(new Set(['sold']));
  });

  it('is undone whole by the event about any of its pieces', async () => {
    const { change } = await setStatus('available');
    const [last] = await get(AuditLog).list({ action: 'pets.update_all' }, { limit: 1 });
    expect(last).toMatchObject({ whole: change });
    expect(await undoing.undo(PETS_ADMIN, last?.id as bigint)).toMatchObject({ undone: MANY });
    expect(new Set(await statuses())).toEqual(new Set(['sold']));
  });

  it('leaves a record alone that no longer matches when its turn comes', async () => {
    const last = (await pets()).at(-1)?.values.id as bigint;
    let meanwhile: Promise<unknown> | undefined;
    onPiece = () =>
      get(Database).afterCommit(() => void (meanwhile ??= get(PetsService).update(last, { categoryId: 8n })));
    const { changed, leftAlone } = await setStatus('pending');
    await meanwhile;
    expect({ changed, leftAlone }).toEqual({
      changed: MANY - 1,
      leftAlone: [{ id: last, because: 'changed' }],
    });
    await get(PetsService).update(last, { categoryId: 7n, status: 'pending' } as never);
  });

  it('says what refused it in between; the pieces before that stay, and are undone as one', async () => {
    onPiece = (before) => {
      if (before === 2) throw new RecordRefusedError('The shop is closed.');
    };
    const { changed, change, stopped } = await setStatus('sold');
    expect({ changed, stopped }).toEqual({ changed: 200, stopped: 'The shop is closed.' });
    expect((await statuses()).filter((status) => status === 'sold')).toHaveLength(200);
    committed = [];
    expect(await undoing.undo(PETS_ADMIN, change as bigint)).toMatchObject({ undone: 200 });
    expect(new Set(await statuses())).toEqual(new Set(['pending']));
    committed = [0, 0];
    await expect(setStatus('sold')).rejects.toThrow('The shop is closed.');
    expect(new Set(await statuses())).toEqual(new Set(['pending']));
  });

  it.each([
    ["an exception of Nest's own", new ConflictException('Closed on Mondays.'), 'Closed on Mondays.'],
    ['a fault, which it logs', new Error('broken in between'), new InternalError().message],
  ])('says that it ended early, with what was done, for %s', async (_what, error, stopped) => {
    onPiece = (before) => {
      if (before === 2) throw error;
    };
    const outcome = await setStatus('sold');
    expect(outcome).toMatchObject({ changed: 200, change: expect.any(BigInt) as bigint, stopped });
    expect(service.log().includes(error.message)).toBe(stopped !== error.message);
    committed = [];
    await undoing.undo(PETS_ADMIN, outcome.change as bigint);
    expect(new Set(await statuses())).toEqual(new Set(['pending']));
  });

  it('leaves out the records that are refused, and names them, as its undo does', async () => {
    const all = await pets();
    const [first, last] = [all[0]?.values.id, all.at(-1)?.values.id] as [bigint, bigint];
    const feature = get(PetsService);
    const update = feature.update.bind(feature);
    const { change } = await setStatus('sold');
    const spy = jest.spyOn(feature, 'update').mockImplementation((id, ...about) => {
      if (id === first || id === last) throw new ConflictException('It is asleep.');
      return update(id, ...about);
    });
    const because = { because: 'refused', reason: 'It is asleep.' };
    const leftAlone = [
      { id: first, ...because },
      { id: last, ...because },
    ];
    const undone = await undoing.undo(PETS_ADMIN, change as bigint);
    expect(undone).toMatchObject({ undone: MANY - 2, leftAlone });
    expect((await statuses()).filter((status) => status === 'sold')).toHaveLength(2);
    const changed = await setStatus('available');
    expect(changed).toMatchObject({ changed: MANY - 2, leftAlone });
    expect([undone, changed]).toEqual([
      expect.not.objectContaining({ stopped: expect.anything() }),
      expect.not.objectContaining({ stopped: expect.anything() }),
    ]);
    spy.mockRestore();
    expect(await setStatus('pending')).toMatchObject({ changed: MANY, leftAlone: [] });
  });

  it('is undone with the pieces that come while it is undone', async () => {
    const found = await pets();
    const audit = get(AuditLog);
    const records = get(RecordsService);
    const parts = get(AuditEventsRepository);
    const partsOf = parts.partsOf.bind(parts);
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const { promise: listed, resolve: haveListed } = Promise.withResolvers<void>();
    jest.spyOn(parts, 'partsOf').mockImplementationOnce(async (...about) => {
      const events = await partsOf(...about);
      haveListed();
      await ended;
      return events;
    });
    let undone: ReturnType<UndoService['undo']> | undefined;
    async function* pieces() {
      yield found.slice(0, 2);
      const [begun] = await audit.list({ action: 'pets.update_all' }, { limit: 1 });
      undone = undoing.undo(PETS_ADMIN, begun?.id as bigint);
      await listed;
      yield found.slice(2, 5);
    }
    await bulk.inPieces(PETS_ADMIN, pieces(), {}, async (some) => ({
      changes: await Promise.all(
        some.map(async ({ values }) => {
          const patch = readPatch(PETS_ADMIN.patch as never, { status: 'sold' });
          const after = await records.change(PETS_ADMIN, values, patch);
          return changeOf(PETS_ADMIN, 'update', values.id, values, after);
        }),
      ),
      leftAlone: [],
    }));
    end();
    expect(await undone).toMatchObject({ undone: 5 });
    expect(new Set(await statuses())).toEqual(new Set(['pending']));
  });

  it('does not deny what it has changed when read-only mode begins in between', async () => {
    const [{ values: pet } = { values: { id: 0n } }] = await pets();
    let pieces = 0;
    function* endless(): Generator<string> {
      for (;;) yield pieces++ % 2 === 0 ? 'sold' : 'pending';
    }
    const work = async (status: string) => {
      const after = await get(RecordsService).change(
        PETS_ADMIN,
        pet,
        readPatch(PETS_ADMIN.patch as never, { status }),
      );
      return { changes: [changeOf(PETS_ADMIN, 'update', pet.id, pet, after)], leftAlone: [] };
    };
    const changing = bulk.inPieces(PETS_ADMIN, endless(), {}, work);
    await until(async () => pieces > 1);
    await get(ReadOnlyService).switchOn('a restore');
    const { changed, stopped } = await changing;
    await get(ReadOnlyService).switchOff();
    await until(async () => !get(ReadOnlyMode).isOn);
    expect(changed).toBeGreaterThan(0);
    expect(stopped).toMatch(
      /^The service has been read-only since .*: a restore\. Until that ends, nothing is changed\.$/,
    );
  });
});
