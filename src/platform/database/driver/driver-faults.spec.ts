import { describeEachEngine } from '../../../../test/support/databases/databases';
import {
  insertStatement,
  openSampleDatabase,
  Sample,
  type SampleDatabase,
  selectStatement,
} from '../../../../test/support/databases/sample-database';
import { until } from '../../../../test/support/until';
import { ServiceUnavailableError } from '../../errors/http-errors';
import { Database } from '../database';
import { driverCode, isUniqueViolation } from './driver-errors';
import { poolOf } from './data-source';

/** Resolves to the error that a promise is rejected with. */
function errorOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describeEachEngine('An error of the database', (engine) => {
  let samples: SampleDatabase;

  beforeEach(async () => {
    samples = await openSampleDatabase(engine);
  });
  afterEach(() => samples.close());

  it('is recognised and unchanged when it is the violation of a unique constraint', async () => {
    const insert = insertStatement(samples.database);
    await samples.insert('one');
    const errors = [
      await errorOf(samples.insert('one')),
      await errorOf(samples.database.query(insert, { label: 'one', amount: null })),
      await errorOf(samples.database.transaction(() => samples.insert('one'))),
    ];
    for (const error of errors) {
      expect(isUniqueViolation(error)).toBe(true);
      expect(error).not.toBeInstanceOf(ServiceUnavailableError);
    }
  });

  it('is not taken for the violation of a unique constraint when another constraint refuses a value', async () => {
    const error = await errorOf(samples.insert(null as unknown as string));
    expect(Error.isError(error)).toBe(true);
    expect(isUniqueViolation(error)).toBe(false);
    expect(error).not.toBeInstanceOf(ServiceUnavailableError);
  });

  it('is 503 while another process holds the lock', async () => {
    const blocker = (await samples.another()).createQueryRunner();
    const impatient = new Database(
      await samples.another({ databaseStatementTimeoutMs: engine === 'sqlite' ? 50 : 1_000 }),
    );
    const insertion = insertStatement(impatient);
    const insert = (label: string) => impatient.dataSource.getRepository(Sample).insert({ label });
    await blocker.startTransaction();
    await blocker.query(engine === 'sqlite' ? 'SELECT 1' : 'LOCK TABLE "samples"');
    const errors = [
      await errorOf(insert('by TypeORM')),
      await errorOf(impatient.query(insertion, { label: 'prepared', amount: null })),
      await errorOf(impatient.transaction(() => insert('in a transaction'))),
    ];
    await blocker.rollbackTransaction();
    await blocker.release();

    for (const error of errors) {
      expect(error).toBeInstanceOf(ServiceUnavailableError);
      expect(Error.isError((error as Error).cause)).toBe(true);
    }
    // On a slow machine it takes too long once more.
    await until(() =>
      insert('afterwards').then(
        () => true,
        () => false,
      ),
    );
    expect(await samples.labels()).toEqual(['afterwards']);
  });

  it('is 503 when a table is missing, because the database is not migrated or was changed', async () => {
    const select = selectStatement(samples.database);
    await samples.dataSource.query('DROP TABLE "samples"');
    for (const work of [() => samples.labels(), () => samples.database.query(select, { label: 'x' })]) {
      const error = await errorOf(work());
      expect(error).toBeInstanceOf(ServiceUnavailableError);
      expect((error as Error).message).toBe(
        'The database of the service lacks a table or a column: it is not migrated, or someone has changed it.',
      );
    }
  });
});

describe('An error of PostgreSQL', () => {
  let samples: SampleDatabase;

  beforeEach(async () => {
    samples = await openSampleDatabase('postgres');
  });
  afterEach(() => samples.close());

  it('is 503 while the pool has no free connection', async () => {
    const database = new Database(await samples.another({ databasePoolSize: 1 }));
    const { options } = poolOf(database.dataSource);
    const patience = options.connectionTimeoutMillis;
    const find = () => database.dataSource.getRepository(Sample).find();
    const release = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const busy = database.transaction(async () => {
      await find();
      held.resolve();
      await release.promise;
    });
    await held.promise;
    options.connectionTimeoutMillis = 1;
    const error = await errorOf(find());
    options.connectionTimeoutMillis = patience;
    release.resolve();
    await busy;

    expect(error).toBeInstanceOf(ServiceUnavailableError);
    await expect(find()).resolves.toEqual([]);
  });

  it.each(['TypeORM', 'a prepared statement'])(
    'is 503 when a session may not write, and replaces the connection; with %s',
    async (way) => {
      const { dataSource } = samples;
      const [{ name }] = await dataSource.query<[{ name: string }]>('SELECT current_database() AS name');
      const readOnly = (value: string) =>
        dataSource.query(`ALTER DATABASE "${name}" SET default_transaction_read_only = ${value}`);
      const database = new Database(await samples.another({ databasePoolSize: 1 }));
      const insertion = insertStatement(database);
      const insert = (label: string) =>
        way === 'TypeORM'
          ? database.dataSource.getRepository(Sample).insert({ label })
          : database.query(insertion, { label, amount: null });
      await readOnly('on');
      await poolOf(database.dataSource)
        .query('SELECT pg_terminate_backend(pg_backend_pid())')
        .catch(() => 0);
      expect(await errorOf(insert('refused'))).toBeInstanceOf(ServiceUnavailableError);
      await readOnly('off');
      await insert('kept');
      expect(await samples.labels()).toEqual(['kept']);
    },
  );

  it.each(['TypeORM', 'a prepared statement'])(
    'is 503 when the connection breaks in a transaction, and replaces the connection; with %s',
    async (way) => {
      const insertion = insertStatement(samples.database);
      const other = await samples.another();
      const work = samples.database.transaction(async () => {
        const [self] = await samples.dataSource.query<{ pid: number }[]>('SELECT pg_backend_pid() AS pid');
        await other.query('SELECT pg_terminate_backend($1, 5000)', [self?.pid]);
        if (way === 'TypeORM') await samples.insert('lost');
        else await samples.database.query(insertion, { label: 'lost', amount: null });
      });
      const error = await errorOf(work);
      expect(error).toBeInstanceOf(ServiceUnavailableError);
      // What the log says of it, in place of the words of TypeORM and of the driver for their own states.
      expect(driverCode(error)).toBe('57P01');
      await samples.insert('kept');
      expect(await samples.labels()).toEqual(['kept']);
    },
  );

  it('tells what ended the connection to the statements behind the one that was under way', async () => {
    const end = samples.database.prepare<object>(
      (manager) =>
        manager
          .createQueryBuilder(Sample, 'sample')
          .select('pg_terminate_backend(pg_backend_pid())', 'ended'),
      '',
    );
    const select = selectStatement(samples.database);
    await samples.insert('one');
    let errors: unknown[] = [];
    const work = samples.database.transaction(async () => {
      await samples.labels();
      errors = await Promise.all([
        errorOf(samples.database.query(end, {})),
        errorOf(samples.database.query(select, { label: 'x' })),
        errorOf(samples.database.query(select, { label: 'y' })),
      ]);
      throw errors[0];
    });
    await expect(work).rejects.toBeInstanceOf(ServiceUnavailableError);
    expect(errors.map(driverCode)).toEqual(['57P01', '57P01', '57P01']);
  });
});
