import type { DataSource } from 'typeorm';
import { recordMigrations } from './recorder';
import { RULES } from './rules';

/** A rule that a migration breaks. */
export interface Finding {
  readonly migration: string;
  readonly rule: string;
  readonly sentence: string;
  /** The section of docs/schema-changes.md that says what to do instead. */
  readonly section: string;
}

/**
 * Judges each migration by itself: on a database that has all before it, where every table is taken as large and in use by the
 * previous version. Those behind a migration that fails are not judged.
 *
 * @param dataSource is open on an empty database of its own, in which all its migrations are carried out
 * @throws Error when the database has tables, of whomever they are
 */
export async function judgeMigrations(dataSource: DataSource): Promise<Finding[]> {
  const engine = dataSource.options.type === 'postgres' ? 'postgres' : 'sqlite';
  const rules = RULES.filter(({ onSqlite }) => engine === 'postgres' || onSqlite);
  const recordings = await recordMigrations(dataSource, engine);
  return recordings.flatMap(({ migration, effects }) =>
    effects.flatMap((effect) =>
      rules.flatMap(({ name, section, find }) => {
        const sentence = find(effect, engine);
        return sentence === undefined ? [] : [{ migration, rule: name, sentence, section }];
      }),
    ),
  );
}

/** A finding in words. */
export function describeFinding({ migration, sentence, section }: Finding): string {
  return `${migration}: ${sentence} See docs/schema-changes.md#${section}`;
}
