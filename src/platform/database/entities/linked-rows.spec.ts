import { describeEachEngine } from '../../../../test/support/databases/databases';
import { openSampleDatabase, type SampleDatabase } from '../../../../test/support/databases/sample-database';
import { Pallet, PalletParcel, Parcel } from '../../../../test/support/samples/owned-samples';
import { asOwner, forAllOwners } from '../../security/owner';
import { EntityRepository } from './entity-repository';

describeEachEngine('Links of a row with others', (engine) => {
  let samples: SampleDatabase;
  let pallets: EntityRepository<Pallet>;
  let parcels: EntityRepository<Parcel>;
  let ids: bigint[];

  beforeAll(async () => {
    samples = await openSampleDatabase(engine);
    pallets = new EntityRepository(samples.database, Pallet);
    parcels = new EntityRepository(samples.database, Parcel);
    const rows = Array.from({ length: 6 }, (_, n) => ({ label: `parcel ${n}`, weight: n }));
    ids = (await asOwner('ana', () => parcels.insertMany(rows))).map(({ id }) => id);
  });
  afterAll(() => samples.close());

  const some = (...indexes: number[]) => indexes.map((index) => ids[index] as bigint);
  const forAll = <T>(work: () => Promise<T>) => forAllOwners(work);

  async function statements<T>(work: () => Promise<T>): Promise<[number, T]> {
    const query = jest.spyOn(samples.database, 'query');
    const result = await work();
    const { length } = query.mock.calls;
    query.mockRestore();
    return [length, result];
  }

  it('are the ids of these, in the order in which they were given', async () => {
    const { id } = await forAll(() => pallets.insert({ label: 'first', parcels: some(3, 0, 2) }));
    expect({ ...(await pallets.findOne(id)) }).toStrictEqual({ id, label: 'first', parcels: some(3, 0, 2) });
    await forAll(() => pallets.update({ id, label: 'first', parcels: some(2, 5) }));
    expect((await pallets.findOne(id))?.parcels).toStrictEqual(some(2, 5));
    await forAll(() => pallets.update({ id, label: 'first', parcels: [] }));
    expect((await pallets.findOne(id))?.parcels).toStrictEqual([]);
  });

  it('are read for a whole page in one statement, and not written when they are unchanged', async () => {
    const rows = Array.from({ length: 120 }, (_, n) => ({
      label: 'many',
      parcels: some(n % 6, (n + 1) % 6),
    }));
    const added = await forAll(() => pallets.insertMany(rows));
    const [count, page] = await statements(() => pallets.findPage({ limit: 100 }));
    expect([count, page.items.length]).toEqual([1, 100]);
    const after = (added[0]?.id ?? 0n) - 1n;
    const all = await pallets.findAfter({ after, limit: 200 });
    expect(all.map((row) => row.parcels)).toStrictEqual(rows.map((row) => row.parcels));
    const [first] = all as [Pallet];
    expect((await statements(() => forAll(() => pallets.update({ ...first, label: 'other' }))))[0]).toBe(2);
  });

  it('are refused with the path of one that does not exist', async () => {
    const { id } = await forAll(() => pallets.insert({ label: 'kept', parcels: some(1) }));
    const missing = {
      code: 'missing_reference',
      message: 'parcels[1] refers to a record that does not exist.',
    };
    const row = { label: 'refused', parcels: [...some(0), 999_999n, ...some(2)] };
    await expect(forAll(() => pallets.insert(row))).rejects.toMatchObject(missing);
    await expect(forAll(() => pallets.update({ ...row, id }))).rejects.toMatchObject(missing);
    expect({ ...(await pallets.findOne(id)) }).toStrictEqual({ id, label: 'kept', parcels: some(1) });
  });

  it("lead to rows of the caller alone: another's are missing, looked up in one statement", async () => {
    const rows = [0, 1, 2].map((n) => ({ label: `of Ben ${n}`, weight: n }));
    const [ofBen] = await asOwner('ben', () => parcels.insertMany(rows));
    const parcelsOfBoth = [...some(0, 1, 2), (ofBen as Parcel).id];
    await expect(
      asOwner('ana', () => pallets.insert({ label: 'both', parcels: parcelsOfBoth })),
    ).rejects.toMatchObject({ message: 'parcels[3] refers to a record that does not exist.' });
    const lookUp = jest.spyOn(samples.dataSource.getRepository(Parcel), 'find');
    await asOwner('ana', () => pallets.insert({ label: 'own', parcels: some(0, 1, 2, 3, 4, 5) }));
    expect(lookUp).toHaveBeenCalledTimes(1);
    lookUp.mockRestore();
  });

  it("are joined by queries of TypeORM's own", async () => {
    const { id } = await forAll(() => pallets.insert({ label: 'joined', parcels: some(4, 1) }));
    const found = await samples.dataSource
      .getRepository(Pallet)
      .createQueryBuilder('pallet')
      .innerJoin('pallet.parcels', 'link')
      .where('link.parcelId = :parcel AND pallet.label = :label', { parcel: some(1)[0], label: 'joined' })
      .getMany();
    expect(found.map((pallet) => pallet.id)).toEqual([id]);
  });

  it('are removed with their row, and keep the other row from being removed', async () => {
    const [parcel] = await asOwner('ana', () => parcels.insertMany([{ label: 'in use', weight: 1 }]));
    const { id } = parcel as Parcel;
    const pallet = await forAll(() => pallets.insert({ label: 'user', parcels: [id] }));
    const remove = () => samples.dataSource.query(`DELETE FROM "parcels" WHERE "id" = ${id}`);
    await expect(remove()).rejects.toThrow(/foreign key constraint/i);
    await pallets.delete(pallet.id);
    expect(await samples.dataSource.getRepository(PalletParcel).countBy({ palletId: pallet.id })).toBe(0);
    await remove();
  });
});
