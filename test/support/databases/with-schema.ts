import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';

/** What a data source knows besides the entities and migrations of the service. */
export interface SchemaAddition {
  readonly entities?: readonly Function[];
  readonly migrations?: readonly (new () => MigrationInterface)[];
}

/** Recognizes a test that has added to the schema, so that a database made now is of no use to others. */
export function isSchemaAddedTo(): boolean {
  return jest.isMockFunction(Reflect.get(DataSource.prototype, 'initialize'));
}

/**
 * Adds entities and migrations to every data source that is opened from now on, after those of the service.
 *
 * @returns takes that back
 */
export function addToSchema({ entities = [], migrations = [] }: SchemaAddition): () => void {
  const initialize: (this: DataSource) => Promise<DataSource> = Reflect.get(
    DataSource.prototype,
    'initialize',
  );
  const replaced = jest.spyOn(DataSource.prototype, 'initialize').mockImplementation(function (
    this: DataSource,
  ) {
    const known = this.options as { entities: readonly Function[]; migrations: readonly Function[] };
    this.setOptions({
      entities: [...known.entities, ...entities],
      migrations: [...known.migrations, ...migrations],
    });
    return initialize.call(this);
  });
  return () => replaced.mockRestore();
}

/** A migration of a release to come. */
export class CreateTails1790000000009 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE TABLE "tails" ("id" integer PRIMARY KEY)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('tails');
  }
}

/** Adds a migration to the service while it does some work: a database that it has migrated before is behind. */
export async function ofNextRelease<Result>(work: () => Promise<Result>): Promise<Result> {
  const takeBack = addToSchema({ migrations: [CreateTails1790000000009] });
  try {
    return await work();
  } finally {
    takeBack();
  }
}
