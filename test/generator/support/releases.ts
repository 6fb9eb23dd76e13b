import type { DataSource } from 'typeorm';
import { createDataSource } from '../../../src/platform/database/driver/data-source';
import { databaseSettings } from '../../support/databases/sample-database';
import { addToSchema } from '../../support/databases/with-schema';
import { generatedClass, type Migration } from './generated-classes';
import type { Project } from './project';

/** The classes of a module in one release. */
export interface Release {
  readonly entity: Function;
  readonly migrations: readonly Migration[];
}

/** Reads the classes of the module `sculptors` as it is now, with all of its migrations. */
export function releaseOf(project: Project): Release {
  const own = [...project.sources().keys()].filter((path) => /migrations\/.*sculptors/.test(path));
  return {
    entity: generatedClass(project, /sculptor\.entity\.ts$/),
    migrations: own.map((path) => generatedClass(project, new RegExp(path)) as Migration),
  };
}

/** Gives the project the version that its next release is to have. */
export function setVersion(project: Project, version: string): void {
  const text = project.read('package.json').replace(/"version": "[^"]*"/, `"version": "${version}"`);
  project.write('package.json', text);
}

/** Opens a database as the service does with these entities and migrations beside its own; nothing is migrated. */
export async function openWith(
  url: string,
  entities: readonly Function[],
  migrations: readonly Migration[],
): Promise<DataSource> {
  const takeBack = addToSchema({ entities, migrations });
  const opened = await createDataSource(databaseSettings(url)).initialize();
  takeBack();
  return opened;
}

/** Statements that would make the schema what the entities declare. */
export async function driftOf({ driver }: DataSource): Promise<string[]> {
  const { upQueries } = await driver.createSchemaBuilder().log();
  return upQueries.map(({ query }) => query);
}
