import type { DataSource, MigrationInterface } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/databases/databases';
import { databaseSettings } from '../../../../test/support/databases/sample-database';
import { createDataSource } from '../driver/data-source';
import type { Facts } from './facts';
import { judge } from './plan-migrations';
import { recordMigrations } from './scratch';

/** Checks of `age` and `rank` that are to be validated after the migrations, as the service does. */
const BASE = `
  CREATE TABLE pets (id bigint PRIMARY KEY, age integer, rank integer);
  ALTER TABLE pets ADD CONSTRAINT chk_pets_age CHECK (age IS NOT NULL) NOT VALID;
  ALTER TABLE pets ADD CONSTRAINT chk_pets_rank CHECK (rank IS NOT NULL) NOT VALID`;

const FACTS: Facts = {
  engine: 'postgres',
  sizes: new Map([['pets', { rows: 5_000_000, bytes: 500_000_000 }]]),
  indexes: new Set(),
  serving: { versions: ['1.0.0'], columns: undefined },
  isPrepared: false,
};

function migrationOf(name: string, ...statements: string[]): MigrationInterface {
  return {
    name,
    async up(runner) {
      for (const statement of statements) await runner.query(statement);
    },
    down: () => Promise.resolve(),
  };
}

describe('Checks of earlier migrations', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createTestDatabase('postgres');
    dataSource = createDataSource(databaseSettings(database.url));
    dataSource.setOptions({ entities: [], migrations: [] });
    await dataSource.initialize();
    // In this database older rows break that of the rank.
    await dataSource.query(`${BASE}; ALTER TABLE pets VALIDATE CONSTRAINT chk_pets_age`);
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  async function rulesBrokenBy(...statements: string[]): Promise<string[]> {
    const base = migrationOf('Base1000000000000', BASE);
    const changes = migrationOf('Changes2000000000000', ...statements);
    dataSource.migrations.splice(0, Infinity, base, changes);
    const wanted = { pending: ['Changes2000000000000'], isEachAlone: false };
    const { findings } = judge(await recordMigrations(dataSource, wanted), FACTS);
    return findings.map(({ rule }) => rule);
  }

  it.each([
    [
      'make a column NOT NULL safely, where all rows fulfil them',
      'ALTER TABLE pets ALTER age SET NOT NULL',
      [],
    ],
    [
      'prove nothing where older rows break them',
      'ALTER TABLE pets ALTER rank SET NOT NULL',
      ['required-existing-column'],
    ],
    ['may be validated', 'ALTER TABLE pets VALIDATE CONSTRAINT chk_pets_rank', []],
  ])('%s', async (_title, statement, rules) => {
    expect(await rulesBrokenBy(statement)).toEqual(rules);
  });

  it('are not validated under a lock of the migrations', async () => {
    const statements = [
      'ALTER TABLE pets ADD COLUMN a int',
      'ALTER TABLE pets VALIDATE CONSTRAINT chk_pets_rank',
    ];
    expect(await rulesBrokenBy(...statements)).toEqual(['constraint-in-one-step']);
  });
});
