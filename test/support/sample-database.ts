import { type DataSource, Entity, Unique } from 'typeorm';
import {
  GeneratedInt64Key,
  InstantColumn,
  Int64Column,
  TextColumn,
} from '../../src/platform/database/column-types';
import { createDataSource, type DatabaseSettings } from '../../src/platform/database/data-source';
import { Database } from '../../src/platform/database/database';
import { parameter, type Statement } from '../../src/platform/database/statement';
import { createTestDatabase, type Engine } from './databases';

/** A row with each kind of column, of no feature. */
@Entity('samples')
@Unique('uq_samples_label', ['label'])
export class Sample {
  @GeneratedInt64Key('pk_samples')
  id!: bigint;

  @TextColumn()
  label!: string;

  @Int64Column({ nullable: true })
  amount!: bigint | null;

  @InstantColumn({ nullable: true })
  at!: Date | null;
}

/** An open database whose one table holds samples. */
export interface SampleDatabase {
  readonly url: string;
  readonly dataSource: DataSource;
  readonly database: Database;
  /** Opens the same database once more, as another process would. Closed with the first. */
  another(settings?: Partial<DatabaseSettings>): Promise<DataSource>;
  /** Inserts a sample by TypeORM. */
  insert(label: string): Promise<void>;
  /** Labels, in the order of their rows, as seen by whoever asks. */
  labels(): Promise<string[]>;
  close(): Promise<void>;
}

/** The settings of a test's database: those of production, on a database of its own. */
export function databaseSettings(
  databaseUrl: string,
  settings: Partial<DatabaseSettings> = {},
): DatabaseSettings {
  return {
    databaseUrl,
    databasePoolSize: 10,
    databasePoolWaitMs: 5_000,
    databaseStatementTimeoutMs: 5_000,
    sqliteBusyTimeoutMs: 5_000,
    ...settings,
  };
}

/** Makes an empty database with the table of the samples. `close()` is the caller's. */
export async function openSampleDatabase(engine: Engine): Promise<SampleDatabase> {
  const own = await createTestDatabase(engine);
  const opened: DataSource[] = [];
  const open = async (settings?: Partial<DatabaseSettings>) => {
    const dataSource = createDataSource(databaseSettings(own.url, settings)).setOptions({
      entities: [Sample],
    });
    opened.push(await dataSource.initialize());
    return dataSource;
  };
  const dataSource = await open();
  await dataSource.synchronize();
  const database = new Database(dataSource);
  return {
    url: own.url,
    dataSource,
    database,
    another: open,
    insert: (label) => database.with(Sample, async (samples) => void (await samples.insert({ label }))),
    labels: async () => {
      const samples = await database.with(Sample, (repository) => repository.find({ order: { id: 'ASC' } }));
      return samples.map(({ label }) => label);
    },
    async close() {
      database.onApplicationShutdown();
      await Promise.all(opened.map((each) => each.destroy()));
      await own.drop();
    },
  };
}

/** Inserts a sample by a prepared statement; gives its id. */
export function insertStatement(database: Database): Statement<{ id: bigint }> {
  return database.prepare<{ id: bigint }>(
    (manager) =>
      manager
        .createQueryBuilder()
        .insert()
        .into(Sample)
        .values({ label: parameter('label'), amount: parameter('amount') })
        .updateEntity(false),
    'RETURNING "id"',
  );
}

/** Reads the sample of a label by a prepared statement. */
export function selectStatement(database: Database): Statement<Pick<Sample, 'id' | 'amount'>> {
  return database.prepare((manager) =>
    manager
      .createQueryBuilder(Sample, 'sample')
      .select('sample.id', 'id')
      .addSelect('sample.amount', 'amount')
      .where('sample.label = :label', { label: parameter('label') }),
  );
}
