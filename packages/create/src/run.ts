import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { logging } from '@angular-devkit/core';
import { NodeWorkflow } from '@angular-devkit/schematics/tools/index.js';
import { lastValueFrom } from 'rxjs';
import type { Request } from './commands.ts';
import { inflect } from './feature/names.ts';
import { Refusal } from './refusal.ts';
import { OPERATIONS } from './feature/operations.ts';
import { spell, wordsOf } from './text/spelling.ts';

/** Outcome of a request. */
export interface Outcome {
  readonly output: string;
  /** True if everything is done; otherwise the output says what is left to be done by hand. */
  readonly isComplete: boolean;
}

/**
 * Runs a schematic in the working directory.
 *
 * @throws Refusal
 */
export async function run({ schematic, options, dryRun, folder }: Request): Promise<Outcome> {
  if (folder !== undefined) enterRepository(folder);
  const workflow = new NodeWorkflow(process.cwd(), { dryRun });
  const changes: string[] = [];
  workflow.reporter.subscribe(({ kind, path }) => changes.push(`${kind.toUpperCase()} ${path.slice(1)}`));
  const logger = new logging.Logger('generate');
  const remarks: string[] = [];
  const left: string[] = [];
  logger.subscribe(({ level, message }) => {
    remarks.push(message);
    if (level === 'warn') left.push(message);
  });

  const execution = workflow.execute({
    collection: join(import.meta.dirname, '..'),
    schematic,
    options,
    logger,
  });
  await lastValueFrom(execution, { defaultValue: undefined });
  if (dryRun) remarks.push('Dry run: nothing was written.');
  else if (changes.length > 0 && options['record'] !== true) {
    const hasConflicts = left.length > 0 && schematic === 'update';
    if (left.length > 0 && !hasConflicts)
      remarks.push('The rest was written; what is shown above is left to be done by hand.');
    if (
      schematic === 'feature' &&
      folder === undefined &&
      changes.some((change) => change.startsWith('CREATE '))
    ) {
      remarks.push(scopesLine(options));
    }
    const next =
      folder === undefined ? nextSteps(schematic, options) : `npm run types, npm test, in ${folder}`;
    remarks.push(`Next: ${hasConflicts ? 'settle the conflicts, ' : ''}${next}`);
  }
  return { output: `${[...changes, ...remarks].join('\n')}\n`, isComplete: left.length === 0 };
}

/**
 * Makes the repository of a module the working directory.
 *
 * @throws Refusal when there is none, or nothing to compile it against
 */
function enterRepository(folder: string): void {
  if (!existsSync(join(folder, 'tsconfig.build.json'))) {
    throw new Refusal(`There is no repository of a module in ${folder}: npm run new-module writes one.`);
  }
  if (!existsSync(join(folder, 'node_modules', '@petstore', 'platform'))) {
    throw new Refusal(`The platform is not installed in ${folder}: run npm install there.`);
  }
  process.chdir(folder);
}

/** The commands to run next, of those that the project has. */
function nextSteps(schematic: string, { name, plural }: Request['options']): string {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object };
  const steps =
    schematic === 'migration'
      ? ['npm run migrations:check', 'npm test']
      : [
          // A page is no part of the document.
          ...(schematic === 'page' ? [] : ['npm run artefacts']),
          'npm run types',
          typeof name === 'string' ? `npm test -- src/${folderOf(name, plural)}` : 'npm test',
        ];
  const isThere = (step: string) => !step.startsWith('npm run ') || step.slice('npm run '.length) in scripts;
  return steps.filter(isThere).join(', ');
}

/** Explains how an older key gets the scopes of the module. */
function scopesLine({ name, plural, operations }: Request['options']): string {
  const folder = folderOf(String(name), plural);
  const known =
    typeof operations === 'string' ? operations.split(',').map((each) => each.trim()) : OPERATIONS;
  const uses = [
    ...(known.some((each) => !isWrite(each)) ? ['read'] : []),
    ...(known.some((each) => isWrite(each)) ? ['write'] : []),
  ];
  const scopes = uses.map((use) => `${folder}:${use}`).join(',');
  return `Existing keys lack the new scopes. Add them to the scopes of a key: npm run -s petstore -- keys update <id> --scopes <scopes>,${scopes}`;
}

function isWrite(operation: string): boolean {
  return operation !== 'list' && operation !== 'get';
}

function folderOf(name: string, plural: unknown): string {
  if (typeof plural === 'string') return spell(wordsOf(plural)).kebab;
  return inflect(name)?.plural.kebab ?? name;
}
