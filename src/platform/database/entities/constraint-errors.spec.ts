import { describeEachEngine } from '../../../../test/support/databases/databases';
import {
  Joint,
  newSample,
  openSampleDatabase,
  Part,
  Sample,
  type SampleDatabase,
  Tag,
} from '../../../../test/support/databases/sample-database';
import { DuplicateValueError, MissingReferenceError, StillReferencedError } from '../../errors/http-errors';
import type { Database } from '../database';
import { driverCode, isUniqueViolation } from '../driver/driver-errors';
import { EntityRepository } from './entity-repository';

/** A key no row has. */
const NOWHERE = 999n;

describeEachEngine('A foreign key of an entity', (engine) => {
  let samples: SampleDatabase;
  let database: Database;
  let parts: EntityRepository<Part>;
  let tags: EntityRepository<Tag>;
  let joints: EntityRepository<Joint>;
  let part: bigint;

  beforeEach(async () => {
    samples = await openSampleDatabase(engine);
    database = samples.database;
    parts = new EntityRepository(database, Part);
    tags = new EntityRepository(database, Tag);
    joints = new EntityRepository(database, Joint);
    part = (await parts.insert({ line: null, line2: null })).id;
  });
  afterEach(() => samples.close());

  /** Both ways a repository works: on its own, and within a transaction, which then fails as a whole. */
  const ways = [
    ['outside a transaction', <T>(work: () => Promise<T>) => work()],
    ['in a transaction', <T>(work: () => Promise<T>) => database.transaction(work)],
  ] as const;

  async function expectMissing(work: Promise<unknown>, member: string): Promise<void> {
    const error = await work.then(
      () => undefined,
      (cause: unknown) => cause,
    );
    expect(error).toBeInstanceOf(MissingReferenceError);
    expect((error as InstanceType<typeof MissingReferenceError>).toBody()).toEqual({
      code: 'missing_reference',
      message: `${member} refers to a record that does not exist.`,
      status: 409,
    });
    expect(driverCode((error as Error).cause)).toBe(
      engine === 'postgres' ? '23503' : 'SQLITE_CONSTRAINT_FOREIGNKEY',
    );
  }

  async function count(entity: typeof Tag | typeof Joint): Promise<number> {
    return samples.dataSource.getRepository<Tag | Joint>(entity).count();
  }

  describe.each(ways)('%s', (_way, run) => {
    it('refuses a reference to nothing, and names its member', async () => {
      await expectMissing(
        run(() => tags.insert({ partId: NOWHERE })),
        'partId',
      );
      expect(await count(Tag)).toBe(0);
    });

    it.each([
      ['firstId', { firstId: NOWHERE }],
      ['secondId', { secondId: NOWHERE }],
      ['tagId', { tagId: NOWHERE }],
      ['tagId', { secondId: null, tagId: NOWHERE }],
    ])('refuses one of several references: %s of %p', async (member, wrong) => {
      const tag = await tags.insert({ partId: part });
      const joint = { firstId: part, secondId: part, tagId: tag.id };
      await expectMissing(
        run(() => joints.insert({ ...joint, ...wrong })),
        member,
      );
      expect(await count(Joint)).toBe(0);

      const stored = await joints.insert(joint);
      await expectMissing(
        run(() => joints.update({ ...stored, ...wrong })),
        member,
      );
      expect(await joints.findOne(stored.id)).toEqual(stored);
    });

    it('accepts null', async () => {
      const joint = await run(() => joints.insert({ firstId: part, secondId: null, tagId: null }));
      expect(await joints.findOne(joint.id)).toEqual(joint);
      const changed = await run(() => joints.update({ ...joint, secondId: part }));
      await run(() => joints.update({ ...changed, secondId: null }));
      expect(await joints.findOne(joint.id)).toEqual(joint);
    });

    it('keeps the referenced row from being removed until the reference is gone', async () => {
      const tag = await tags.insert({ partId: part });
      const refused = run(() => parts.delete(part));
      await expect(refused).rejects.toBeInstanceOf(StillReferencedError);
      await expect(refused).rejects.toMatchObject({
        code: 'still_referenced',
        status: 409,
        cause: expect.any(Error),
      });
      expect(await parts.findOne(part)).not.toBeNull();

      await run(() => tags.delete(tag.id));
      expect(await run(() => parts.delete(part))).toBe(true);
    });

    it('refuses a reference to a row that was removed', async () => {
      await parts.delete(part);
      await expectMissing(
        run(() => tags.insert({ partId: part })),
        'partId',
      );
    });
  });

  it('accepts a reference to a row of the same transaction', async () => {
    const tag = await database.transaction(async () => {
      const own = await parts.insert({ line: null, line2: null });
      return tags.insert({ partId: own.id });
    });
    expect(await tags.findOne(tag.id)).toEqual(tag);
  });

  it('rolls back the whole transaction for a reference to nothing', async () => {
    const work = async () => {
      await tags.insert({ partId: part });
      await tags.insert({ partId: NOWHERE });
    };
    await expectMissing(database.transaction(work), 'partId');
    expect(await count(Tag)).toBe(0);
  });

  it.each([3, 200, 201])('refuses all of %i rows for one reference to nothing', async (length) => {
    const rows = Array.from({ length }, (_, n) => ({ partId: n === 1 ? NOWHERE : part }));
    await expectMissing(tags.insertMany(rows), 'partId');
    expect(await count(Tag)).toBe(0);
  });

  it('refuses one insertion alone among many that run at once', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 9 }, (_, n) => tags.insert({ partId: n % 3 === 1 ? NOWHERE : part })),
    );
    expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual(
      Array.from({ length: 9 }, (_, n) => n % 3 !== 1),
    );
    expect(await count(Tag)).toBe(6);
  });

  it('is not blamed for a duplicate value, whose member is named', async () => {
    const table = new EntityRepository(database, Sample);
    const { id } = await table.insert(newSample('taken'));
    const other = await table.insert(newSample('free'));
    const message = 'label must be unique: another record already has this value.';
    for (const work of [
      () => table.insert(newSample('taken')),
      () => table.update({ ...other, label: 'taken' }),
      () => database.transaction(() => table.insertMany([newSample('first'), newSample('taken')])),
    ]) {
      const error = await work().catch((cause: unknown) => cause);
      expect(error).toBeInstanceOf(DuplicateValueError);
      expect(error).toMatchObject({
        code: 'duplicate_value',
        status: 409,
        message,
        faults: [{ field: 'label', message }],
      });
      expect(isUniqueViolation(error)).toBe(true);
    }
    expect(await table.findOne(id)).toMatchObject({ label: 'taken' });
  });
});
