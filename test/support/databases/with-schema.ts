import { DataSource, type MigrationInterface } from 'typeorm';

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
 * Has every data source that is opened from now on know more entities and migrations, after those of the service.
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
