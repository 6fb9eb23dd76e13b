import { DataSource, type MigrationInterface } from 'typeorm';

/** Has every data source that is opened meanwhile know more migrations, after those of the service. */
export async function withMigrations<T>(
  more: readonly (new () => MigrationInterface)[],
  work: () => Promise<T>,
): Promise<T> {
  const initialize: (this: DataSource) => Promise<DataSource> = Reflect.get(
    DataSource.prototype,
    'initialize',
  );
  const replaced = jest.spyOn(DataSource.prototype, 'initialize').mockImplementation(function (
    this: DataSource,
  ) {
    const known = this.options.migrations as readonly Function[];
    this.setOptions({ migrations: [...known, ...more] });
    return initialize.call(this);
  });
  try {
    return await work();
  } finally {
    replaced.mockRestore();
  }
}
