import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../support/folders';
import { copyBuild } from '../../support/processes/copied-build';

const PROJECT = join(__dirname, '..', '..', '..');

/** A fault that the service could have: a text of a built file, and the one in its place. */
export interface PlantedFault {
  readonly name: string;
  /** Where it shows itself. */
  readonly world: 'postgres' | 'sqlite' | 'failover';
  readonly replacements: readonly Replacement[];
}

interface Replacement {
  /** Path in the folder of the built sources. */
  readonly file: string;
  readonly text: string | RegExp;
  readonly by: string;
}

export const PLANTED_FAULTS: readonly PlantedFault[] = [
  {
    name: 'a response before the commit',
    world: 'postgres',
    replacements: [
      {
        file: 'platform/database/driver/transactions.js',
        text: /await runner\.commitTransaction\(\);\s+\}\s+\}\s+finally \{\s+\/\/ [^\n]+\s+await transaction\.opening\?\.catch\(\(\) => undefined\);\s+await runner\.end\(\);\s+\}/,
        by: `const commit = () => runner.commitTransaction().finally(() => runner.end());
          setTimeout(() => commit().catch(() => undefined), 5);
          } else await runner.end();
        } catch (error) { await runner.end(); throw error; }`,
      },
    ],
  },
  {
    name: 'a commit that the disk does not have yet',
    world: 'postgres',
    replacements: [
      {
        file: 'platform/database/driver/data-source.js',
        text: "application_name: 'petstore',",
        by: "application_name: 'petstore', options: '-c synchronous_commit=off',",
      },
    ],
  },
  {
    name: 'a commit that no second machine has yet',
    world: 'failover',
    replacements: [
      {
        file: 'platform/database/driver/data-source.js',
        text: "application_name: 'petstore',",
        by: "application_name: 'petstore', options: '-c synchronous_commit=local',",
      },
    ],
  },
  {
    name: 'a replica that is not waited for',
    world: 'postgres',
    replacements: [
      {
        file: 'platform/database/replicas/replica.js',
        text: 'const deadline = now + PATIENCE_MS;',
        by: 'return true;',
      },
    ],
  },
  {
    name: 'a promoted replica that is read on',
    world: 'postgres',
    replacements: [
      {
        file: 'platform/database/replicas/replica.js',
        text: 'if (!position)',
        by: 'if (!position) return (this.replayed = { ...this.replayed, offset: 1n << 62n }); if (false)',
      },
    ],
  },
  {
    name: 'a position of the log that is up to 50 ms old',
    world: 'postgres',
    replacements: [
      {
        file: 'platform/database/replicas/shared-question.js',
        text: /this\.following \?\?= this\.current\.then\(this\.begin, this\.begin\);\s+return this\.following;/,
        by: 'return this.current;',
      },
      {
        file: 'platform/database/replicas/shared-question.js',
        text: /if \(!this\.following\)\s+this\.current = undefined;/,
        by: 'setTimeout(() => (this.current = undefined), 50);',
      },
    ],
  },
  {
    name: 'a cursor that is off by one',
    world: 'postgres',
    replacements: [
      {
        file: 'platform/database/statements/page.js',
        text: '(0, cursor_1.encodeCursor)(id, filter)',
        by: '(0, cursor_1.encodeCursor)(id + 1n, filter)',
      },
    ],
  },
  {
    name: 'a full page that is taken for the last one',
    world: 'postgres',
    replacements: [
      { file: 'platform/database/statements/page.js', text: 'if (rows.length < limit)', by: 'if (true)' },
    ],
  },
  {
    name: 'a replay without the lock',
    world: 'postgres',
    replacements: [
      {
        file: 'platform/http/idempotency/idempotency.js',
        text: 'if (!(await this.responses.lock(place)))',
        by: 'if (false)',
      },
      {
        file: 'platform/http/idempotency/idempotency.js',
        text: 'if (!(await this.responses.insert(response, expiry())))',
        by: 'if (!(await this.responses.insert(response, expiry())) && false)',
      },
    ],
  },
  {
    name: 'a response that is kept for too short a time',
    world: 'postgres',
    replacements: [
      {
        file: 'platform/http/idempotency/idempotency.js',
        text: 'exports.RESPONSE_LIFETIME_MS = calendar_1.DAY_MS;',
        by: 'exports.RESPONSE_LIFETIME_MS = 24;',
      },
    ],
  },
  {
    name: 'a pet that is kept in memory after a change',
    world: 'postgres',
    replacements: [
      {
        file: 'pets/pets.service.js',
        text: 'const pet = await this.pets.findOne(id);',
        by: 'const kept = (this.kept ??= new Map()); if (!kept.has(id)) kept.set(id, this.pets.findOne(id)); const pet = await kept.get(id);',
      },
    ],
  },
  {
    name: 'a kept response that outlives a change',
    world: 'sqlite',
    replacements: [
      {
        file: 'platform/http/response/response-cache.js',
        text: 'this.database.version()',
        by: '1',
      },
    ],
  },
  {
    name: 'events of one subject that are delivered side by side',
    world: 'postgres',
    replacements: [
      {
        file: 'platform/events/claim-statements.js',
        text: 'earlier."id" < stored."id"',
        by: 'earlier."id" < 0',
      },
      {
        file: 'platform/events/claim-statements.js',
        text: 'ORDER BY stored."id" LIMIT :subjects',
        by: 'ORDER BY stored."id" DESC LIMIT :subjects',
      },
    ],
  },
];

/** Builds a copy of the project with a fault. @returns its folder */
export function plant(fault: PlantedFault): string {
  const project = makeFolder();
  copyBuild(project);
  for (const [file, text] of faultyFiles(fault)) writeFileSync(join(project, 'dist', 'src', file), text);
  return project;
}

/** Returns the built files of a fault, as they are with it. @throws Error when a text of the fault is not there once */
export function faultyFiles({ name, replacements }: PlantedFault): Map<string, string> {
  const files = new Map<string, string>();
  for (const { file, text, by } of replacements) {
    const parts = (files.get(file) ?? readFileSync(join(PROJECT, 'dist', 'src', file), 'utf8')).split(text);
    if (parts.length !== 2) throw new Error(`The text of "${name}" is ${parts.length - 1} times in ${file}.`);
    files.set(file, parts.join(by));
  }
  return files;
}
