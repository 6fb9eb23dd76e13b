import { spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeBlocksOf } from '../../modules/support/guide-blocks';
import { type CommandResult, resultOf } from '../../support/processes/command';
import type { ProcessOwner } from '../../support/databases/postgres-installation';

const PROJECT = join(__dirname, '..', '..', '..');
const BLOCKS = globSync('docs/operations/*.md', { cwd: PROJECT }).flatMap((page) =>
  codeBlocksOf(readFileSync(join(PROJECT, page), 'utf8')),
);
const CLI_ENTRY = join(PROJECT, 'dist', 'src', 'cli.js');

/** The commands, or the part of a configuration file, that the pages for operators give under a name. */
export function blockNamed(name: string): string {
  const block = BLOCKS.find(({ note }) => note === name);
  if (!block) throw new Error(`docs/operations has no block named ${name}.`);
  return block.text;
}

/** Runs the commands that the pages for operators give under a name, as its reader would. */
export function follow(
  name: string,
  cwd: string,
  environment: Readonly<Record<string, string>>,
  owner: ProcessOwner = {},
): Promise<CommandResult> {
  const petstore = `petstore() { '${process.execPath}' '${CLI_ENTRY}' "$@"; }`;
  const child = spawn('bash', ['-euo', 'pipefail', '-c', `${petstore}\n${blockNamed(name)}`], {
    cwd,
    env: { PATH: process.env.PATH, ...environment },
    ...owner,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return resultOf(child);
}

export function expectDone({ code, stdout, stderr }: CommandResult): void {
  expect({ code, output: code === 0 ? '' : stdout + stderr }).toEqual({ code: 0, output: '' });
}
