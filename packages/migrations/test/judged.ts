import { type Finding, judgeMigrations } from '@petstore/migrations';
import { type DataSource, type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { createDataSource } from '../../../src/platform/database/driver/data-source';
import {
  createTestDatabase,
  type Engine,
  type TestDatabase,
} from '../../../test/support/databases/databases';
import { databaseSettings } from '../../../test/support/databases/sample-database';

/** The tables that are there. */
export class Base1000000000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const id = { name: 'id', type: 'bigint', isPrimary: true } as const;
    await queryRunner.createTable(new Table({ name: 'owners', columns: [id] }));
    await queryRunner.createTable(
      new Table({
        name: 'pets',
        columns: [
          id,
          { name: 'name', type: 'varchar', length: '100' },
          { name: 'nickname', type: 'text', isNullable: true },
          { name: 'age', type: 'integer', isNullable: true },
          { name: 'rank', type: 'integer', default: '0' },
          { name: 'owner_id', type: 'bigint', isNullable: true },
          { name: 'born', type: 'timestamp', isNullable: true },
          { name: 'weight', type: 'integer', isNullable: true },
        ],
        uniques: [{ name: 'uq_pets_name', columnNames: ['name'] }],
      }),
    );
    await queryRunner.query('CREATE UNIQUE INDEX "idx_pets_nickname" ON "pets" ("nickname")');
    await queryRunner.query(`
      ALTER TABLE pets ADD CONSTRAINT chk_pets_rank CHECK (rank >= 0) NOT VALID;
      ALTER TABLE pets ADD CONSTRAINT chk_pets_weight CHECK (weight IS NOT NULL) NOT VALID;
      CREATE TYPE mood AS ENUM ('calm', 'wild');
      ALTER TABLE pets ADD COLUMN mood mood;
      CREATE INDEX idx_pets_age ON pets (age, id);
      CREATE UNIQUE INDEX idx_pets_by_hand ON pets (owner_id, id);
      CREATE FUNCTION fill_pets() RETURNS void LANGUAGE sql AS 'UPDATE pets SET age = 1';
      CREATE FUNCTION refuse_row() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
      CREATE FUNCTION keep_row() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
      CREATE TRIGGER keep BEFORE INSERT ON owners FOR EACH ROW EXECUTE FUNCTION keep_row()`);
  }

  async down(): Promise<void> {}
}

/** What a migration does. */
export type Up = string | ((queryRunner: QueryRunner) => Promise<unknown>);

/** Whether a migration runs in a transaction. */
export type Transaction = Pick<MigrationInterface, 'transaction'>;

/** A migration behind {@link Base1000000000000}. */
export function migrationOf(up: Up, transaction: Transaction = {}): MigrationInterface {
  return {
    ...transaction,
    name: 'Changes2000000000000',
    up: async (runner) => void (await (typeof up === 'string' ? runner.query(up) : up(runner))),
    down: () => Promise.resolve(),
  };
}

/** An empty database with migrations that are judged. */
export class Judged {
  private constructor(
    private readonly database: TestDatabase,
    readonly dataSource: DataSource,
  ) {}

  static async on(engine: Engine): Promise<Judged> {
    const database = await createTestDatabase(engine);
    const dataSource = createDataSource(databaseSettings(database.url));
    return new Judged(database, await dataSource.setOptions({ entities: [], migrations: [] }).initialize());
  }

  judge(...migrations: readonly MigrationInterface[]): Promise<Finding[]> {
    this.dataSource.migrations.splice(0, Infinity, ...migrations);
    return judgeMigrations(this.dataSource);
  }

  async drop(): Promise<void> {
    await this.dataSource.destroy();
    await this.database.drop();
  }
}
