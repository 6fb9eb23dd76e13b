import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { searchTokens } from '../../../packages/tools/src/leaks/search-tokens';
import type { FoundToken, TokenForm } from '../../../packages/tools/src/leaks/scan-files';
import { type Cli, JSON_OPTION } from '../../platform/cli/cli';
import { CommandError, UsageError } from '../../platform/cli/command-error';
import { redactTokens } from '../../platform/logging/redact-tokens';
import { findTokens, TOKEN_LENGTH, TOKEN_PATTERN } from '../../platform/security/api-key-token';
import type { KeyStatus, KeyView } from '../dto/key-view';
import type { LeakedKeysService } from './leaked-keys.service';

const KEYS: TokenForm = { pattern: TOKEN_PATTERN, length: TOKEN_LENGTH, find: findTokens };

/** A key that was found, without its token. The members are stable: scripts read them. */
interface Finding extends Omit<FoundToken, 'token'> {
  /** Null if no key of this service has the token. */
  readonly keyId: string | null;
  readonly status: KeyStatus | 'unknown';
}

interface ScanOptions {
  readonly disable?: true;
  readonly json?: true;
}

/**
 * `petstore keys scan`: finds keys in files and in the history of a git repository. It is loaded alone: a search that finds
 * nothing, as most do, needs neither the service nor its database.
 */
export function addScanCommand(program: Command, cli: Cli): void {
  const keys = program.commands.find((command) => command.name() === 'keys') ?? program.command('keys');
  keys
    .command('scan')
    .description('find API keys in files, and in the history of a git repository; never shows them')
    .argument('<path>', 'a file or a folder')
    .option('--disable', 'disable the active keys that are found, even the last one that may manage keys')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      '\nFor the history it shows the first commit that added a key to a file. Exit code 1 when an active key was found, 0 otherwise.\n\nExamples:\n  petstore keys scan .\n  petstore keys scan /srv/checkout --disable --json',
    )
    .action(async (path: string, { disable, json }: ScanOptions) => {
      const found = await findIn(path, cli);
      const findings = found.length === 0 ? [] : await judgeHere(found, cli, disable);
      if (json) cli.output.json(findings);
      else showFindings(cli, findings);
      const alive = new Set(findings.filter(({ status }) => status === 'active').map(({ keyId }) => keyId));
      if (alive.size > 0) throw new CommandError(verdict(alive.size, disable));
    });
}

function verdict(count: number, disable: true | undefined): string {
  const found = count === 1 ? 'One active key was found' : `${count} active keys were found`;
  return `${found}${disable ? (count === 1 ? ' and is disabled' : ' and are disabled') : ''}.`;
}

/** @throws UsageError when there is no such file or folder */
async function findIn(path: string, cli: Cli): Promise<FoundToken[]> {
  if (!existsSync(path)) throw new UsageError(`There is no file or folder ${path}.`);
  const unread: string[] = [];
  const found = await searchTokens(path, KEYS, (file) => unread.push(file));
  for (const file of unread) cli.output.message(`${file} could not be read.`);
  return found;
}

/** Judges by the keys of this service, which is loaded only here. */
async function judgeHere(
  found: readonly FoundToken[],
  cli: Cli,
  disable: true | undefined,
): Promise<Finding[]> {
  const { LeakedKeysService } = await import('./leaked-keys.service.js');
  return cli.withApp((app) => judge(found, app.get(LeakedKeysService), disable));
}

/** Finds the keys of the tokens. For a key that this disables, the status is the one it had before. */
async function judge(
  found: readonly FoundToken[],
  leaked: LeakedKeysService,
  disable: true | undefined,
): Promise<Finding[]> {
  const known = new Map<string, KeyView | undefined>();
  const findings: Finding[] = [];
  for (const { token, file, line, commit } of found) {
    if (!known.has(token)) {
      known.set(token, await leaked.find(token));
      if (disable) await leaked.disable(token, placeOf({ file, line, commit }));
    }
    const key = known.get(token);
    findings.push({
      file: file && redactTokens(file),
      line,
      commit,
      keyId: key?.id ?? null,
      status: key?.status ?? 'unknown',
    });
  }
  return findings;
}

function placeOf({ file, line, commit }: Omit<FoundToken, 'token'>): string {
  const where = `${redactTokens(file ?? 'message')}:${line}`;
  return commit === null ? where : `${where} of commit ${commit}`;
}

function showFindings(cli: Cli, findings: readonly Finding[]): void {
  if (findings.length === 0) return cli.output.message('No API key was found.');
  cli.output.table({
    header: ['FILE', 'LINE', 'COMMIT', 'KEY', 'STATUS'],
    rows: findings.map(({ file, line, commit, keyId, status }) => [
      file ?? '(message)',
      String(line),
      commit ?? '-',
      keyId ?? '-',
      status,
    ]),
  });
}
