import { describeEachEngine } from '../../../../test/support/databases/databases';
import {
  newSample,
  openSampleDatabase,
  Sample,
  type SampleDatabase,
  Span,
} from '../../../../test/support/databases/sample-database';
import type { Database } from '../database';
import { EntityRepository, type New } from '../entities/entity-repository';
import { parameter } from './statement';

type Values = Partial<New<Sample>>;

const instant = (text: string) => new Date(text);

/** Each column of a sample, by the name it has in the statement below. */
const NAMES = {
  number: 'amount',
  int: 'count',
  double: 'ratio',
  flag: 'isFresh',
  date: 'day',
  instant: 'at',
  uuid: 'token',
  text: 'label',
} as const;

const ROWS: Values[] = [
  {},
  {
    amount: 2n ** 63n - 1n,
    count: 2 ** 31 - 1,
    ratio: 5e-324,
    isFresh: true,
    day: '9999-12-31',
    at: instant('9999-12-31T23:59:59.999Z'),
    token: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  },
  {
    amount: -(2n ** 63n),
    count: -(2 ** 31),
    ratio: -1.7976931348623157e308,
    isFresh: false,
    day: '0001-01-01',
    at: instant('0001-01-01T00:00:00.000Z'),
    token: '00000000-0000-0000-0000-000000000000',
  },
];

/** Reads the sample of a label with each column under another name. */
function aliasedStatement(database: Database) {
  return database.prepare<Record<string, unknown>>((manager) => {
    const query = manager.createQueryBuilder(Sample, 'sample').select('sample.id', 'key');
    for (const [alias, name] of Object.entries(NAMES)) query.addSelect(`sample.${name}`, alias);
    return query.where('sample.label = :label', { label: parameter('label') });
  });
}

describeEachEngine('A statement written by hand', (engine) => {
  let samples: SampleDatabase;
  let table: EntityRepository<Sample>;

  beforeAll(async () => {
    samples = await openSampleDatabase(engine);
    table = new EntityRepository(samples.database, Sample);
  });
  afterAll(() => samples.close());

  it('reads every column exactly under its alias', async () => {
    const statement = aliasedStatement(samples.database);
    for (const [place, values] of ROWS.entries()) {
      const row = await table.insert(newSample(`aliased ${place}`, values));
      const expected = Object.entries(NAMES).map(([alias, name]) => [alias, row[name]]);
      const found = await samples.database.query(statement, { label: row.label });
      expect(found.map((one) => ({ ...one }))).toStrictEqual([
        { key: row.id, ...Object.fromEntries(expected) },
      ]);
    }
  });

  it('reads the columns of all joined tables', async () => {
    const at = instant('1883-11-18T12:03:57.999Z');
    const first = await table.insert(newSample('first', { at, isFresh: false, count: 1 }));
    const second = await table.insert(newSample('second', { at, isFresh: true, count: 2 }));
    await new EntityRepository(samples.database, Span).insertMany([{ after: first.id, limit: 7 }]);
    const statement = samples.database.prepare((manager) =>
      manager
        .createQueryBuilder(Span, 'span')
        .innerJoin(Sample, 'one', 'one.id = span.after')
        .innerJoin(Sample, 'other', 'other.id > one.id AND other.at = one.at')
        .select('span.limit', 'limit')
        .addSelect('one.isFresh', 'isFresh')
        .addSelect('other.isFresh', 'otherIsFresh')
        .addSelect('other.at', 'otherAt')
        .addSelect('other.id', 'otherId')
        .where('one.id = :id', { id: parameter('id') }),
    );
    expect(await samples.database.query(statement, { id: first.id })).toEqual([
      { limit: 7, isFresh: false, otherIsFresh: true, otherAt: at, otherId: second.id },
    ]);
  });

  it('finds rows by comparisons', async () => {
    const values = { isFresh: true, at: instant('1899-12-31T23:59:59.999Z'), day: '1899-12-31' };
    const { id } = await table.insert(newSample('compared', values));
    const statement = samples.database.prepare((manager) =>
      manager
        .createQueryBuilder(Sample, 'sample')
        .select('sample.id', 'id')
        .where('sample.isFresh = :isFresh', { isFresh: parameter('isFresh') })
        .andWhere('sample.at <= :at', { at: parameter('at') })
        .andWhere('sample.at >= :since', { since: parameter('since') })
        .andWhere('sample.day = :day', { day: parameter('day') }),
    );
    const query = (changes: Values & { since?: Date }) =>
      samples.database.query(statement, { ...values, since: values.at, ...changes });
    expect(await query({})).toEqual([{ id }]);
    expect(await query({ isFresh: false })).toEqual([]);
    expect(await query({ day: '1900-01-01' })).toEqual([]);
    expect(await query({ at: instant('1899-12-31T23:59:59.998Z') })).toEqual([]);
    expect(await query({ since: instant('1900-01-01T00:00:00.000Z') })).toEqual([]);
  });

  it('writes values of every type', async () => {
    const { id, ...empty } = await table.insert(newSample('written'));
    const columns = ['amount', 'count', 'ratio', 'isFresh', 'day', 'at', 'token'] as const;
    const statement = samples.database.prepare(
      (manager) =>
        manager
          .createQueryBuilder()
          .update(Sample)
          .set(Object.fromEntries(columns.map((name) => [name, () => `:${name}`])) as never)
          .setParameters(Object.fromEntries(columns.map((name) => [name, parameter(name)])))
          .where('id = :id', { id: parameter('id') }),
      'RETURNING "id"',
    );
    for (const values of ROWS.toReversed()) {
      expect(await samples.database.query(statement, { ...empty, ...values, id })).toEqual([{ id }]);
      expect({ ...(await table.findOne(id)) }).toStrictEqual({ ...empty, ...values, id });
    }
  });
});
