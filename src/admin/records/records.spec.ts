import { PETS_ADMIN } from '../../pets/pets.admin';
import { PetStatus } from '../../pets/pet-status';
import { actingAs } from '../../platform/security/actor';
import { readJson } from '../../platform/values/json-reader';
import { describeEachEngine } from '../../../test/support/databases/databases';
import { startTestService, type TestService } from '../../../test/support/service/service';
import type { RecordFilter, RecordOrder } from './list-request';
import { positionOf } from './list-request';
import { BulkChanges } from './bulk-changes.service';
import { RecordsService } from './records.service';
import { RecordHistory } from './history/record-history.service';
import { readPatch } from './record-values';

describeEachEngine('The records of a feature', (engine) => {
  let service: TestService;
  let records: RecordsService;
  let bulk: BulkChanges;

  beforeAll(async () => {
    service = await startTestService(engine);
    records = service.app.get(RecordsService, { strict: false });
    bulk = service.app.get(BulkChanges, { strict: false });
  });
  afterAll(() => service.stop());

  async function add(name: string, status: PetStatus | null = null, categoryId = 3n): Promise<bigint> {
    const { id } = await records.create(PETS_ADMIN, { name, categoryId, ...(status && { status }) });
    return id;
  }

  const eventsOf = async (id: bigint) =>
    (await service.app.get(RecordHistory, { strict: false }).list(PETS_ADMIN, id, 10)).entries.flatMap(
      ({ event }) => event ?? [],
    );

  /** The names of all records that a filter matches, read page by page. */
  async function names(filter: RecordFilter, order?: RecordOrder, limit = 2): Promise<unknown[]> {
    const found: unknown[] = [];
    let after: ReturnType<typeof positionOf> | undefined;
    for (;;) {
      const page = await records.search(PETS_ADMIN, { filter, order, after, limit });
      found.push(...page.map(({ values }) => values.name));
      const last = page.at(-1);
      if (!last || page.length < limit) return found;
      after = positionOf(last, order ?? { by: 'id', descending: false });
    }
  }

  it.each([
    ['émile', 'ÉMILE'],
    ['ЖУК und жаба', 'жук'],
    ['ΣΊΣΥΦΟΣ', 'υφος'],
    ['σίσυφος', 'ΥΦΟΣ'],
    ['ΟΣΑ', 'ος'],
    ['Maßstraße', 'STRASSE'],
    ['GROẞ', 'roß'],
    ['İzmir', 'i̇zmir'],
    ['𐐀𐐁 deseret', '𐐨𐐩'],
  ])('are found by a part of a text in any letter case: %s by %s', async (name, part) => {
    const id = await add(name);
    const filter = { where: { name: { contains: part } } };
    expect(await names(filter)).toEqual([name]);
    // In a transaction SQLite reads by the connection of the service, not by the thread of long reads.
    expect(
      await bulk.updateAll(PETS_ADMIN, filter, readPatch(PETS_ADMIN.patch as never, { status: 'sold' }), 1),
    ).toMatchObject({ changed: 1 });
    await records.remove(PETS_ADMIN, id);
  });

  it.each([
    ['Émilie', 'emilie'],
    ['İzmit', 'izmit'],
  ])('are other texts with other letters: %s is not found by %s', async (name, part) => {
    await add(name);
    expect(await names({ where: { name: { contains: part } } })).toEqual([]);
  });

  it('are filtered by part of a text, by value and by time, and sorted by indexed fields, page by page', async () => {
    const begun = new Date();
    await add('find 100%', PetStatus.Sold, 7n);
    await add('FIND b', PetStatus.Pending, 8n);
    await add('find c', null, 7n);
    await add('find a_', PetStatus.Available, 9007199254740993n);
    const find = { name: { contains: 'find' } };
    const all: RecordFilter = { where: find };
    expect(await names(all)).toEqual(['find 100%', 'FIND b', 'find c', 'find a_']);
    expect(await names({ where: { name: { contains: '0%' } } })).toEqual(['find 100%']);
    expect(await names({ where: { name: { contains: 'a_' } } })).toEqual(['find a_']);
    expect(await names({ where: { ...find, status: 'sold' } })).toEqual(['find 100%']);
    expect(await names({ where: { ...find, status: { isSet: false } } })).toEqual(['find c']);
    expect(await names({ where: { ...find, status: { in: ['sold'], isSet: false } } })).toEqual([]);
    expect(await names({ where: { categoryId: 9007199254740993n } })).toEqual(['find a_']);
    expect(await names({ where: { ...find, categoryId: { in: [7n, 8n], from: 8n } } })).toEqual(['FIND b']);
    expect(
      await names({ where: { name: { contains: 'find', prefix: 'find' }, categoryId: { to: 8n } } }),
    ).toEqual(['find 100%', 'find c']);
    expect(await names({ where: { ...find, createdAt: { from: begun } } })).toHaveLength(4);
    expect(await names({ where: { ...find, createdAt: { before: begun } } })).toEqual([]);
    const { orders } = records.listFacts(PETS_ADMIN);
    expect(orders.toSorted()).toEqual(['categoryId', 'createdAt', 'id', 'name', 'status']);
    for (const by of orders) {
      for (const descending of [false, true]) {
        const whole = await names(all, { by, descending }, 100);
        expect([by, descending, await names(all, { by, descending }, 1)]).toEqual([by, descending, whole]);
        expect(whole.toSorted()).toEqual((await names(all)).toSorted());
      }
    }
    expect((await names(all, { by: 'categoryId', descending: true }))[0]).toBe('find a_');
    expect(await records.count(PETS_ADMIN, all, 3)).toBe(3);
    expect(await records.count(PETS_ADMIN, all, 100)).toBe(4);
  });

  it('are changed with an audit event that has actor, action, before and after', async () => {
    const actor = { name: 'cli:ana', requestId: 'r-1', address: '192.0.2.1' };
    const id = await add('Rex', PetStatus.Available);
    await actingAs(actor, () => records.update(PETS_ADMIN, id, { status: PetStatus.Sold }));
    await actingAs(actor, () => records.remove(PETS_ADMIN, id));
    await actingAs(actor, () => records.restore(PETS_ADMIN, id));
    const events = await eventsOf(id);
    const before = { id, name: 'Rex', categoryId: 3n, status: 'available' };
    const after = { ...before, status: 'sold' };
    expect(
      events.map((event) => [
        event.actor,
        event.action,
        event.before && readJson(Buffer.from(event.before)),
        event.after && readJson(Buffer.from(event.after)),
      ]),
    ).toEqual([
      ['cli:ana', 'pets.restore', null, after],
      ['cli:ana', 'pets.remove', after, null],
      ['cli:ana', 'pets.update', before, after],
      ['service', 'pets.create', null, before],
    ]);
    expect(events[0]).toMatchObject({ requestId: 'r-1', address: '192.0.2.1', subjectId: String(id) });
  });

  it('disappear from the API when they are removed, and come back as they were when they are restored', async () => {
    const id = await add('Ghost', PetStatus.Pending);
    const before = await (await service.fetch(`/v1/pets/${id}`)).text();
    await records.remove(PETS_ADMIN, id);
    expect((await service.fetch(`/v1/pets/${id}`)).status).toBe(404);
    expect(await (await service.fetch('/v1/pets?limit=100&status=pending')).text()).not.toContain('Ghost');
    expect(await names({ where: { name: { contains: 'Ghost' } } })).toEqual([]);
    expect(await names({ where: { name: { contains: 'Ghost' } }, removed: 'only' })).toEqual(['Ghost']);
    expect((await records.get(PETS_ADMIN, id)).removedAt).toBeInstanceOf(Date);
    await expect(records.update(PETS_ADMIN, id, { name: 'x' })).rejects.toThrow(
      `The pet ${id} was removed by service.`,
    );
    await records.restore(PETS_ADMIN, id);
    await expect(records.restore(PETS_ADMIN, id)).rejects.toThrow(`The pet ${id} is not removed.`);
    expect(await (await service.fetch(`/v1/pets/${id}`)).text()).toBe(before);
  });

  it('are not changed by a caller that has not seen the last change, whose author the refusal names', async () => {
    const id = await add('Locked');
    const { version } = await records.get(PETS_ADMIN, id);
    await actingAs({ name: 'key_0123456789abcdef' }, () =>
      records.update(PETS_ADMIN, id, { name: 'Newer' }, version),
    );
    const stale = () => records.update(PETS_ADMIN, id, { name: 'Older' }, version);
    await expect(stale()).rejects.toThrow(`The pet ${id} was changed meanwhile by key_0123456789abcdef.`);
    await expect(records.remove(PETS_ADMIN, id, version)).rejects.toThrow('was changed meanwhile by key_');
    expect((await records.get(PETS_ADMIN, id)).values.name).toBe('Newer');
    expect(await eventsOf(id)).toHaveLength(2);
  });

  it('are changed in bulk only if they are as many as the operator was shown', async () => {
    const ids = [await add('bulk 1'), await add('bulk 2', PetStatus.Sold), await add('bulk 3')];
    const filter = { where: { name: { contains: 'bulk' } } };
    const patch = readPatch(PETS_ADMIN.patch as never, { status: 'sold' });
    await expect(bulk.updateAll(PETS_ADMIN, filter, patch, 2)).rejects.toThrow('3 pets match now, not 2.');
    expect(await bulk.updateAll(PETS_ADMIN, filter, patch, 3)).toMatchObject({ changed: 2 });
    const found = await records.search(PETS_ADMIN, { filter, limit: 10 });
    expect(found.map(({ values }) => [values.id, values.status])).toEqual(ids.map((id) => [id, 'sold']));
    expect(await eventsOf(ids[1] as bigint)).toHaveLength(1);
    const nothing = readPatch(PETS_ADMIN.patch as never, { status: '' });
    expect(await bulk.updateAll(PETS_ADMIN, filter, nothing, 3)).toMatchObject({ changed: 3 });
    expect(
      await records.count(PETS_ADMIN, { where: { ...filter.where, status: { isSet: false } } }, 10),
    ).toBe(3);
  });

  it('are refused as missing when they do not exist', async () => {
    for (const work of [
      () => records.get(PETS_ADMIN, 999_999n),
      () => records.update(PETS_ADMIN, 999_999n, { name: 'x' }),
      () => records.remove(PETS_ADMIN, 999_999n),
      () => records.restore(PETS_ADMIN, 999_999n),
    ]) {
      await expect(work()).rejects.toThrow('There is no pet 999999.');
    }
  });
});
