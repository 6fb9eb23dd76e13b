import { PETS_ADMIN } from '../../pets/pets.admin';
import { PetsSeed } from '../../pets/pets.seed';
import { PetsService } from '../../pets/pets.service';
import type { PetDto } from '../../pets/dto/pet.dto';
import { actingAs } from '../../platform/security/actor';
import type { AuditEvent } from '../../platform/audit/audit-event.entity';
import { AuditLog } from '../../platform/audit/audit-log';
import { describeOneEngine } from '../../../test/support/databases/databases';
import { startTestService, type TestService } from '../../../test/support/service/service';
import { RecordActionsService, REMOVE } from './record-actions.service';
import { readPatch } from './record-values';
import { BulkChanges } from './bulk-changes.service';
import { RecordsService } from './records.service';
import { RecordHistory } from './history/record-history.service';
import { UndoService } from './undo.service';

/** More than one page of events. */
const MANY = 1_200;

describeOneEngine('The undo of a change of records', (engine) => {
  let service: TestService;
  let records: RecordsService;
  let bulk: BulkChanges;
  let undoing: UndoService;
  let pets: PetsService;

  beforeAll(async () => {
    service = await startTestService(engine);
    records = service.app.get(RecordsService, { strict: false });
    bulk = service.app.get(BulkChanges, { strict: false });
    undoing = service.app.get(UndoService, { strict: false });
    pets = service.app.get(PetsService, { strict: false });
  });
  afterAll(() => service.stop());

  const add = async (name: string, status?: string) =>
    (await records.create(PETS_ADMIN, { name, categoryId: 3n, ...(status && { status }) })).id;
  const patch = (texts: Record<string, string>) => readPatch(PETS_ADMIN.patch as never, texts);
  const valuesOf = async (id: bigint) => (await records.get(PETS_ADMIN, id)).values;
  const lastChange = async (id: bigint) =>
    (await service.app.get(RecordHistory, { strict: false }).list(PETS_ADMIN, id, 1)).entries[0]?.event?.id ??
    0n;
  const all = async () =>
    (await records.search(PETS_ADMIN, { filter: {}, limit: MANY + 100 })).map(({ values }) => values);

  it('restores the former values, unset ones included, and can be undone itself', async () => {
    const id = await add('Rex');
    const before = await valuesOf(id);
    await records.update(PETS_ADMIN, id, patch({ name: 'Max', status: 'sold' }));
    const after = await valuesOf(id);
    const { undone, leftAlone, change } = await undoing.undo(PETS_ADMIN, await lastChange(id));
    expect({ undone, leftAlone, values: await valuesOf(id) }).toEqual({
      undone: 1,
      leftAlone: [],
      values: before,
    });
    await undoing.undo(PETS_ADMIN, change as bigint);
    expect(await valuesOf(id)).toEqual(after);
  });

  it('takes back the addition, removal and restoration of a record', async () => {
    const id = await add('Back and forth');
    await undoing.undo(PETS_ADMIN, await lastChange(id));
    expect((await records.get(PETS_ADMIN, id)).removedAt).toBeDefined();
    await undoing.undo(PETS_ADMIN, await lastChange(id));
    expect((await records.get(PETS_ADMIN, id)).removedAt).toBeUndefined();
    await undoing.undo(PETS_ADMIN, await lastChange(id));
    expect((await records.get(PETS_ADMIN, id)).removedAt).toBeDefined();
  });

  it('restores many removed records at once, except those restored since, and is undone likewise', async () => {
    const actions = service.app.get(RecordActionsService, { strict: false });
    const ids = [await add('gone 1', 'sold'), await add('gone 2'), await add('gone 3')];
    const isGone = async () =>
      Promise.all(ids.map(async (id) => (await records.get(PETS_ADMIN, id)).removedAt !== undefined));
    const before = await Promise.all(ids.map(valuesOf));
    const { changed, change } = await actions.run(
      PETS_ADMIN,
      REMOVE,
      ids.map((id) => ({ id })),
    );
    expect([changed, await isGone()]).toEqual([3, [true, true, true]]);
    const back = ids[1] as bigint;
    await records.restore(PETS_ADMIN, back);
    const undone = await undoing.undo(PETS_ADMIN, change as bigint);
    expect(undone).toMatchObject({ undone: 2, leftAlone: [{ id: back, because: 'changed' }] });
    expect(await Promise.all(ids.map(valuesOf))).toEqual(before);
    await records.update(PETS_ADMIN, ids[0] as bigint, patch({ status: 'pending' }));
    const again = await undoing.undo(PETS_ADMIN, undone.change as bigint);
    expect(again).toMatchObject({ undone: 1, leftAlone: [{ id: ids[0], because: 'changed' }] });
    expect(await isGone()).toEqual([false, false, true]);
  });

  it('is refused once an operator or a client has changed the record since', async () => {
    const id = await add('Old', 'available');
    await records.update(PETS_ADMIN, id, patch({ status: 'sold' }));
    const change = await lastChange(id);
    await actingAs({ name: 'cli:kim' }, () => records.update(PETS_ADMIN, id, patch({ name: 'New' })));
    await expect(undoing.undo(PETS_ADMIN, change)).rejects.toThrow('was changed meanwhile by cli:kim');
    await undoing.undo(PETS_ADMIN, await lastChange(id));
    await pets.update(id, patch({ name: 'Of a client' }));
    await expect(undoing.undo(PETS_ADMIN, change)).rejects.toThrow('by an API client');
    expect(await valuesOf(id)).toMatchObject({ name: 'Of a client', status: 'sold' });
  });

  it('of an addition is refused once the record has changed, which would be lost', async () => {
    const id = await add('Young');
    const addition = await lastChange(id);
    await pets.update(id, patch({ name: 'Grown' }));
    await expect(undoing.undo(PETS_ADMIN, addition)).rejects.toThrow('by an API client');
    expect(await records.get(PETS_ADMIN, id)).toMatchObject({
      values: { name: 'Grown' },
      removedAt: undefined,
    });
  });

  it('is refused without an audit event about these records', async () => {
    await expect(undoing.undo(PETS_ADMIN, 987_654_321n)).rejects.toThrow(
      'No change 987654321 of pets is recorded.',
    );
    const { id } = (
      await service.app.get(AuditLog).list({ subjectType: 'keys' }, { limit: 1 })
    )[0] as AuditEvent;
    await expect(undoing.undo(PETS_ADMIN, id)).rejects.toThrow(`No change ${id} of pets is recorded.`);
  });

  it('takes back a bulk change exactly, and names and skips records that were changed since', async () => {
    await service.app.get(PetsSeed, { strict: false }).add(MANY - (await all()).length);
    const before = await all();
    expect(before).toHaveLength(MANY);
    const { changed, change } = await bulk.updateAll(PETS_ADMIN, {}, patch({ status: 'sold' }), MANY);
    expect(changed).toBe(before.filter(({ status }) => status !== 'sold').length);
    const [one, other] = before.filter(({ status }) => status !== 'sold').map(({ id }) => id) as [
      bigint,
      bigint,
    ];
    await pets.update(one, patch({ name: 'Changed since' }));
    await pets.delete(other);
    const outcome = await undoing.undo(PETS_ADMIN, change as bigint);
    expect(outcome).toMatchObject({
      undone: changed - 2,
      leftAlone: [
        { id: one, because: 'changed' },
        { id: other, because: 'removed' },
      ],
    });
    const isLeft = ({ id }: { id: unknown }) => id === one || id === other;
    const after: unknown[] = (await all()).filter((pet) => !isLeft(pet));
    expect(after).toEqual(before.filter((pet) => !isLeft(pet)));
    expect((await valuesOf(one)) as unknown as PetDto).toMatchObject({
      name: 'Changed since',
      status: 'sold',
    });
  });
});
