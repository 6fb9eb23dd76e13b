import type { Tree } from '@angular-devkit/schematics';
import type { Plan } from '../module/finish.ts';
import { isRepository } from '../module/repository.ts';
import { Refusal } from '../refusal.ts';
import { formatted } from '../text/format.ts';
import { MIGRATIONS, nextMigrationTime } from '../text/migration-time.ts';
import { pathsBelow } from '../text/sources.ts';
import { spell, wordsOf } from '../text/spelling.ts';
import { findDifference } from './difference.ts';
import { BuiltService } from './service.ts';
import { migrationSource } from './source.ts';

/** Options of the schematic; see `schema.json`. */
export interface MigrationOptions {
  readonly name: string;
}

/**
 * Decides the migration that gives the tables what the entities declare: it compares them with a database in memory, to which
 * every migration has been applied.
 *
 * @throws Refusal when something would be changed or dropped
 */
export async function planMigration({ name }: MigrationOptions, tree: Tree): Promise<Plan> {
  if (isRepository(tree)) {
    throw new Refusal(
      'The migration of a module in a repository of its own is written by hand (docs/day-two.md).',
    );
  }
  const root = process.cwd();
  const { kebab, pascal } = spell(wordsOf(name));
  const time = nextMigrationTime(pathsBelow(tree, MIGRATIONS), Date.now());
  const path = `${MIGRATIONS}/${time}-${kebab}.ts`;
  const service = BuiltService.build(root);
  const dataSource = await service.migratedInMemory();
  try {
    const difference = await findDifference(dataSource);
    const isEmpty = difference.tables.length + difference.parts.length === 0;
    const source = migrationSource(`${pascal}${time}`, difference, await service.enginesOf(dataSource));
    return {
      files: new Map(isEmpty ? [] : [[path, await formatted(root, path, source)]]),
      byHand: [],
      unchanged: 'The tables have what the entities declare: no migration was written.',
    };
  } finally {
    await dataSource.destroy();
  }
}
