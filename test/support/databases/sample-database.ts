import { Entity, ForeignKey, Index, Unique } from 'typeorm';
import {
  BooleanColumn,
  CreatedAtColumn,
  DateColumn,
  DecimalColumn,
  DoubleColumn,
  GeneratedInt64Key,
  InstantColumn,
  Int64Column,
  IntegerColumn,
  RETIRED,
  TextColumn,
  UuidColumn,
} from '../../../src/platform/database/column-types';
import { createDataSource, type DatabaseSettings } from '../../../src/platform/database/driver/data-source';
import { Database } from '../../../src/platform/database/database';
import type { PetstoreDataSource } from '../../../src/platform/database/driver/petstore-data-source';
import type { New } from '../../../src/platform/database/entities/entity-repository';
import { StoredEvent } from '../../../src/platform/events/stored-event.entity';
import { parameter, type Statement } from '../../../src/platform/database/statements/statement';
import { createTextIndex, textIndexesOf } from '../../../src/platform/database/statements/text-index';
import { createTestDatabase, type Engine } from './databases';
import { LONGEST_WAIT_MS } from '../until';
import { Visit } from '../samples/dated-samples';
import { OWNED_SAMPLES } from '../samples/owned-samples';
import { Basket, Invoice, InvoiceLine } from '../samples/sample-arrays';

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

  @IntegerColumn({ nullable: true })
  count!: number | null;

  @DoubleColumn({ nullable: true })
  ratio!: number | null;

  @BooleanColumn({ name: 'is_fresh', nullable: true })
  isFresh!: boolean | null;

  @DateColumn({ nullable: true })
  day!: string | null;

  @UuidColumn({ nullable: true })
  token!: string | null;
}

/** A row that others refer to. The names of its texts differ by a digit. */
@Entity('parts')
export class Part {
  @GeneratedInt64Key('pk_parts')
  id!: bigint;

  @TextColumn({ nullable: true })
  line!: string | null;

  @TextColumn({ nullable: true })
  line2!: string | null;

  @TextColumn({ nullable: true, ...RETIRED })
  grade?: string | null;
}

/** A row that refers to one other. */
@Entity('tags')
export class Tag {
  @GeneratedInt64Key('pk_tags')
  id!: bigint;

  @Int64Column({ name: 'part_id' })
  @ForeignKey(() => Part, { name: 'fk_tags_part_id' })
  partId!: bigint;
}

/** A row that refers to several others; to two of them only if it says so. */
@Entity('joints')
export class Joint {
  @GeneratedInt64Key('pk_joints')
  id!: bigint;

  @Int64Column({ name: 'first_id' })
  @ForeignKey(() => Part, { name: 'fk_joints_first_id' })
  firstId!: bigint;

  @Int64Column({ name: 'second_id', nullable: true })
  @ForeignKey(() => Part, { name: 'fk_joints_second_id' })
  secondId!: bigint | null;

  @Int64Column({ name: 'tag_id', nullable: true })
  @ForeignKey(() => Tag, { name: 'fk_joints_tag_id' })
  tagId!: bigint | null;
}

/** A row whose members have the names of what a page is read by. */
@Entity('spans')
export class Span {
  @GeneratedInt64Key('pk_spans')
  id!: bigint;

  @Int64Column()
  after!: bigint;

  @IntegerColumn()
  limit!: number;
}

/** A row that lists can be ordered by each column of; some have indexes of lists with a filter only. */
@Entity('listings')
@Index('idx_listings_amount_id', ['amount', 'id'])
@Index('idx_listings_price_id', ['price', 'id'])
@Index('idx_listings_is_fresh_id', ['isFresh', 'id'])
@Index('idx_listings_day_id', ['day', 'id'])
@Index('idx_listings_at_id', ['at', 'id'])
@Index('idx_listings_token_id', ['token', 'id'])
@Index('idx_listings_created_at_id', ['createdAt', 'id'])
@Index('idx_listings_shelf_id', ['shelf', 'id'])
@Index('idx_listings_shelf_rank_id', ['shelf', 'rank', 'id'])
export class Listing {
  @GeneratedInt64Key('pk_listings')
  id!: bigint;

  @TextColumn()
  @Index('idx_listings_title', { synchronize: false })
  title!: string;

  @TextColumn()
  shelf!: string;

  @IntegerColumn()
  rank!: number;

  @Int64Column({ nullable: true })
  amount!: bigint | null;

  @DoubleColumn({ nullable: true })
  price!: number | null;

  @BooleanColumn({ name: 'is_fresh' })
  isFresh!: boolean;

  @DateColumn({ nullable: true })
  day!: string | null;

  @InstantColumn()
  at!: Date;

  @UuidColumn({ nullable: true })
  token!: string | null;

  @CreatedAtColumn()
  createdAt?: Date | null;
}

/** A row with a decimal of as many digits as there can be. */
@Entity('fees')
@Index('idx_fees_amount_id', ['amount', 'id'])
export class Fee {
  @GeneratedInt64Key('pk_fees')
  id!: bigint;

  @DecimalColumn({ precision: 15, scale: 2 }, { nullable: true })
  amount!: string | null;
}

/** A sample to store: null wherever no value is given. */
export function newSample(label: string, values: Partial<New<Sample>> = {}): New<Sample> {
  const empty = {
    amount: null,
    at: null,
    count: null,
    ratio: null,
    isFresh: null,
    day: null,
    token: null,
  };
  return { label, ...empty, ...values };
}

/** An open database with the tables of these entities. */
export interface SampleDatabase {
  readonly url: string;
  readonly dataSource: PetstoreDataSource;
  readonly database: Database;
  /** Opens the same database once more, as another process would. Closed with the first. */
  another(settings?: Partial<DatabaseSettings>): Promise<PetstoreDataSource>;
  /** Inserts a sample by TypeORM. */
  insert(label: string): Promise<void>;
  /** Labels, in the order of their rows, as this client sees them. */
  labels(): Promise<string[]>;
  close(): Promise<void>;
}

/** The settings of a test's database: those of production, with the patience that a busy machine needs. */
export function databaseSettings(
  databaseUrl: string,
  settings: Partial<DatabaseSettings> = {},
): DatabaseSettings {
  return {
    databaseUrl,
    databasePoolSize: 10,
    databaseStatementTimeoutMs: 60_000,
    ...settings,
  };
}

/** Lets a query runner hold its transaction for as long as a test may wait; the service ends one that is idle for ten seconds. */
export function keepIdleRunners(dataSource: PetstoreDataSource): PetstoreDataSource {
  return Object.assign(dataSource, { idleRunnerMs: LONGEST_WAIT_MS });
}

/** Makes an empty database with these tables. `close()` is the caller's. */
export async function openSampleDatabase(engine: Engine): Promise<SampleDatabase> {
  const own = await createTestDatabase(engine);
  const opened: PetstoreDataSource[] = [];
  const open = async (settings?: Partial<DatabaseSettings>) => {
    const dataSource = createDataSource(databaseSettings(own.url, settings)).setOptions({
      entities: [
        Sample,
        Part,
        Tag,
        Joint,
        Span,
        Listing,
        Fee,
        Basket,
        Invoice,
        InvoiceLine,
        Visit,
        ...OWNED_SAMPLES,
        StoredEvent,
      ],
    });
    opened.push(await dataSource.initialize());
    return dataSource;
  };
  const dataSource = await open();
  await dataSource.synchronize();
  const runner = dataSource.createQueryRunner();
  for (const index of dataSource.entityMetadatas.flatMap(textIndexesOf)) await createTextIndex(runner, index);
  await runner.release();
  const database = new Database(dataSource);
  return {
    url: own.url,
    dataSource,
    database,
    another: async (settings) => keepIdleRunners(await open(settings)),
    insert: async (label) => void (await dataSource.getRepository(Sample).insert({ label })),
    labels: async () => {
      const samples = await dataSource.getRepository(Sample).find({ order: { id: 'ASC' } });
      return samples.map(({ label }) => label);
    },
    async close() {
      await database.onApplicationShutdown();
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
