import type { IncomingMessage } from 'node:http';
import type { EntityMetadata } from 'typeorm';
import { describeEachEngine } from '../../../../test/support/databases/databases';
import { openSampleDatabase, type SampleDatabase } from '../../../../test/support/databases/sample-database';
import { Parcel, ParcelNote, Shipment } from '../../../../test/support/samples/owned-samples';
import { asOwner, forAllOwners, forNoOwner } from '../../security/owner';
import type { Principal } from '../../security/principal';
import { inRequest } from '../../tracing/request-context';
import { SortParameter } from '../../validation/parameters';
import { ownerColumnOf } from '../column-types';
import { EntityList } from './entity-list';
import { EntityRepository } from './entity-repository';
import { RowOwners } from './row-owners';

class ByWeight {
  @SortParameter('weight') sort?: string;
}

class ByLabel {
  @SortParameter('label') sort?: string;
}

/** Does work as a request of a client does. */
function asClient<T>(lineageId: string, work: () => T, owner?: string): T {
  const principal: Principal = { keyId: `${lineageId}_2`, lineageId, owner, scopes: new Set() };
  return inRequest({ exchange: { principal } } as unknown as IncomingMessage, work);
}

describeEachEngine('Rows with owners', (engine) => {
  let samples: SampleDatabase;
  let parcels: EntityRepository<Parcel>;
  let ofAna: Parcel;
  let ofBen: Parcel;

  beforeEach(async () => {
    samples = await openSampleDatabase(engine);
    parcels = new EntityRepository(samples.database, Parcel);
    ofAna = await asClient('ana', () => parcels.insert({ label: 'vase', weight: 3 }));
    ofBen = await asClient('ben', () => parcels.insert({ label: 'book', weight: 1 }));
  });
  afterEach(() => samples.close());

  const all = () => forAllOwners(() => parcels.findAfter({ after: 0n, limit: 100 }));
  const labels = (rows: readonly Parcel[]) => rows.map(({ label }) => label);

  it('belong to the client whose request adds them, whatever key of a rotation it has', async () => {
    expect(ofAna).toStrictEqual({ id: ofAna.id, ownerId: 'ana', label: 'vase', weight: 3 });
    const added = await asClient('ana', () =>
      parcels.insertMany([
        { label: 'lamp', weight: 2 },
        { label: 'cup', weight: 2 },
      ]),
    );
    expect(added.map(({ ownerId }) => ownerId)).toEqual(['ana', 'ana']);
    expect((await all()).map(({ ownerId, label }) => [ownerId, label])).toEqual([
      ['ana', 'vase'],
      ['ben', 'book'],
      ['ana', 'lamp'],
      ['ana', 'cup'],
    ]);
  });

  it('are listed, counted and found by their owner alone', async () => {
    await asClient('ana', () => parcels.insertMany([1, 2, 3].map((n) => ({ label: `cup ${n}`, weight: n }))));
    await asClient('ana', async () => {
      const first = await parcels.findPage({ limit: 2 });
      expect(labels(first.items)).toEqual(['vase', 'cup 1']);
      const second = await parcels.findPage({ limit: 2, cursor: first.next });
      expect([labels(second.items), second.next]).toEqual([['cup 2', 'cup 3'], undefined]);
      const byWeight = { by: 'weight', descending: false } as const;
      expect(labels((await parcels.findPage({ limit: 9 }, {}, byWeight)).items)).toEqual([
        'cup 1',
        'cup 2',
        'vase',
        'cup 3',
      ]);
      expect(labels(await parcels.findAfter({ after: 0n, limit: 9 }, { weight: 1 }))).toEqual(['cup 1']);
      expect(labels((await parcels.findPage({ limit: 9 }, { ownerId: 'ben' })).items)).toHaveLength(4);
      expect(await parcels.count({}, 100)).toBe(4);
      expect(await parcels.findOne(ofBen.id)).toBeNull();
      expect(await samples.database.transaction(() => parcels.findOneForUpdate(ofBen.id))).toBeNull();
      expect({ ...(await parcels.findOne(ofAna.id)) }).toStrictEqual(ofAna);
    });
  });

  it('are changed, removed and restored by their owner alone', async () => {
    await asClient('ana', async () => {
      await parcels.update({ ...ofBen, label: 'stolen' });
      await parcels.update({ ...ofBen, ownerId: 'ana', label: 'stolen' });
      expect(await parcels.delete(ofBen.id)).toBe(false);
      expect(await parcels.deleteMany([ofBen.id])).toEqual([]);
    });
    expect((await all())[1]).toMatchObject(ofBen);
    expect(await asClient('ben', () => parcels.deleteMany([ofAna.id, ofBen.id]))).toEqual([ofBen.id]);
    expect(await asClient('ana', () => parcels.restore(ofBen.id))).toBe(false);
    expect(await asClient('ben', () => parcels.restore(ofBen.id))).toBe(true);
    await asClient('ben', () => parcels.update({ ...ofBen, ownerId: 'ana', weight: 9 }));
    expect((await all())[1]).toMatchObject({ ownerId: 'ben', weight: 9 });
  });

  it('are all seen and changed by work for all owners, and those of one by work for one', async () => {
    await forAllOwners(async () => {
      await parcels.update({ ...ofBen, weight: 7 });
      expect(await parcels.delete(ofAna.id)).toBe(true);
      expect(await parcels.count({}, 100)).toBe(1);
      expect(await parcels.repository.countBy({ weight: 7 })).toBe(1);
    });
    // An operator whom no client asks, for a client.
    await asOwner('ben', async () => expect(await parcels.count({}, 100)).toBe(1));
    await asOwner('ana', async () => expect(await parcels.count({}, 100)).toBe(0));
  });

  it.each([
    ['outside a request', (work: () => Promise<unknown>) => work()],
    ['on an event', (work: () => Promise<unknown>) => asClient('ana', () => forNoOwner(work))],
  ])('are out of reach %s until the work says whose they are', async (_, run) => {
    const sentence =
      'The rows of parcels have owners, and this work has no caller: say whose rows it is about, by asOwner() or forAllOwners().';
    const works: (() => unknown)[] = [
      () => parcels.findPage({ limit: 1 }),
      () => parcels.findAfter({ after: 0n, limit: 1 }),
      () => parcels.findOne(ofAna.id),
      () => parcels.findOneForUpdate(ofAna.id),
      () => parcels.count({}, 1),
      () => parcels.insert({ label: 'x', weight: 1 }),
      () => parcels.insertMany([{ label: 'x', weight: 1 }]),
      () => parcels.update(ofAna),
      () => parcels.delete(ofAna.id),
      () => parcels.restore(ofAna.id),
      () => parcels.deleteBatch('weight', 99),
      () => parcels.repository,
    ];
    for (const work of works) await expect(run(async () => work())).rejects.toThrow(sentence);
    expect(await all()).toHaveLength(2);
  });

  it('are added by an operator only for an owner, and by a client only for itself', async () => {
    await expect(forAllOwners(async () => parcels.insert({ label: 'x', weight: 1 }))).rejects.toMatchObject({
      code: 'owner_required',
      status: 409,
    });
    await forAllOwners(() => parcels.insert({ label: 'x', weight: 1, ownerId: 'ben' }));
    await expect(
      asClient('ana', async () => parcels.insert({ label: 'y', weight: 1, ownerId: 'ben' })),
    ).rejects.toThrow('A row of parcels for one owner was added in work for another.');
  });

  it("are not read by TypeORM's own repository, nor deleted by a value, for one owner", async () => {
    await asClient('ana', async () => {
      expect(() => parcels.repository).toThrow('has the rows of all owners: say so by forAllOwners().');
      await expect(parcels.deleteBatch('weight', 99)).rejects.toThrow('has the rows of all owners');
    });
  });

  it('of others are missing to whoever refers to them', async () => {
    const notes = new EntityRepository(samples.database, ParcelNote);
    const missing = {
      code: 'missing_reference',
      message: 'parcelId refers to a record that does not exist.',
    };
    await asClient('ana', async () => {
      const note = await notes.insert({ parcelId: ofAna.id });
      await expect(notes.insert({ parcelId: ofBen.id })).rejects.toMatchObject(missing);
      await expect(notes.insert({ parcelId: 999n })).rejects.toMatchObject(missing);
      await expect(notes.insertMany([{ parcelId: ofAna.id }, { parcelId: ofBen.id }])).rejects.toMatchObject(
        missing,
      );
      await expect(notes.update({ ...note, parcelId: ofBen.id })).rejects.toMatchObject(missing);
    });
    await forAllOwners(() => notes.insert({ parcelId: ofBen.id }));
  });

  it('have unique values each by itself, and the error does not name the owner', async () => {
    await asClient('ben', () => parcels.insert({ label: 'vase', weight: 1 }));
    await expect(asClient('ana', () => parcels.insert({ label: 'vase', weight: 1 }))).rejects.toMatchObject({
      message: 'label must be unique: another record already has this value.',
    });
  });

  it('can belong to whom keys were given to, and then a key without one is refused', async () => {
    const shipments = new EntityRepository(samples.database, Shipment);
    const items = [{ parcelId: ofAna.id }];
    const shipment = await asClient('ana', () => shipments.insert({ items }), 'shop');
    expect(await asClient('cleo', () => shipments.findOne(shipment.id), 'shop')).toMatchObject({
      tenant: 'shop',
      items,
    });
    expect(await asClient('ana', () => shipments.findOne(shipment.id), 'other shop')).toBeNull();
    await expect(asClient('ana', async () => shipments.findOne(shipment.id))).rejects.toMatchObject({
      code: 'no_owner',
      status: 403,
    });
    await expect(
      asClient('ana', () => shipments.insert({ items: [...items, { parcelId: ofBen.id }] }), 'shop'),
    ).rejects.toMatchObject({ message: 'items[1].parcelId refers to a record that does not exist.' });
    const stolen = { ...shipment, items: [] };
    await asClient('ben', () => shipments.update(stolen), 'other shop');
    expect(await forAllOwners(() => shipments.findOne(shipment.id))).toMatchObject({ items });
  });

  it('need an index for the lists of an owner', () => {
    const metadata = Object.create(samples.dataSource.getMetadata(Parcel), {
      indices: { value: [] },
    }) as EntityMetadata;
    expect(() => new RowOwners({ metadata, owners: ownerColumnOf(Parcel) })).toThrow(
      'parcels has no index on (ownerId, id), which the lists of an owner need.',
    );
  });

  it.each([
    [ByWeight, 'ByWeight sorts by weight, but parcels has no index on (ownerId, weight, id)'],
    [
      ByLabel,
      'ByLabel sorts by label, but parcels has no index on (ownerId, label, id) that createTextIndex() makes',
    ],
  ])('need an index for each order of the lists of an owner: %p', (query, fault) => {
    const metadata = samples.dataSource.getMetadata(Parcel);
    expect(() => new EntityList(metadata, query)).not.toThrow();
    const indices = metadata.indices.filter(({ name }) => !/_owner_id_(weight|label)_id$/.test(name));
    const unindexed = Object.create(metadata, { indices: { value: indices } }) as EntityMetadata;
    expect(() => new EntityList(unindexed, query)).toThrow(
      `${fault}: the rows of other owners would be passed over.`,
    );
  });
});
