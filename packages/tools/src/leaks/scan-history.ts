import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import type { FoundToken, TokenForm } from './scan-files';
import { linesOf } from './text-lines';

/** Begins the line of a commit: no line of a difference or of a message begins with it. */
const COMMIT_MARK = '\0';

/** Keeps git from running anything that the configuration of a repository names. */
const QUIETLY = [
  '--no-pager',
  '--no-optional-locks',
  '--literal-pathspecs',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.quotePath=false',
];

const COMMITS = ['log', '--all', '--reverse', '--no-show-signature', '--no-color', '--format=%x00%H%n%B'];

const DIFFERENCES = [
  '--patch',
  '--unified=0',
  '--text',
  '--no-ext-diff',
  '--no-textconv',
  '--no-renames',
  '--diff-merges=first-parent',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '--relative',
];

/**
 * Finds tokens in the commits of the git repository that a path is in: tokens that a commit added to a file at or below the
 * path, and tokens in the messages of commits.
 *
 * @throws Error when there is no git, or it fails
 */
export async function* scanHistory(path: string, tokens: TokenForm): AsyncGenerator<FoundToken> {
  const isFolder = (await stat(path)).isDirectory();
  const folder = isFolder ? path : dirname(path);
  if (!(await isRepository(folder))) return;
  const { pattern } = tokens;
  yield* readLog(folder, tokens, [...COMMITS, '--extended-regexp', `--grep=${pattern}`]);
  const files = isFolder ? '.' : basename(path);
  yield* readLog(folder, tokens, [...COMMITS, ...DIFFERENCES, `-G${pattern}`, '--', files]);
}

async function isRepository(folder: string): Promise<boolean> {
  const git = spawnGit(folder, ['rev-parse', '--git-dir']);
  git.stdout.resume();
  const [code] = (await once(git, 'close')) as [number];
  return code === 0;
}

async function* readLog(
  folder: string,
  tokens: TokenForm,
  options: readonly string[],
): AsyncGenerator<FoundToken> {
  const git = spawnGit(folder, options);
  const closed = once(git, 'close');
  const complaint = textOf(git.stderr);
  const reader = new LogReader();
  for await (const { text: line, isStart } of linesOf(git.stdout, tokens.length - 1)) {
    if (isStart) reader.begin(line);
    const place = reader.place;
    if (place) for (const token of tokens.find(line)) yield { token, ...place };
  }
  const [code] = (await closed) as [number];
  if (code !== 0) throw new Error(`git could not read the history: ${(await complaint).trim()}`);
}

function spawnGit(folder: string, options: readonly string[]) {
  return spawn('git', [...QUIETLY, '-C', folder, ...options], { stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Follows the lines that `git log --patch` writes, and keeps the position of the present one. */
class LogReader {
  /** Position of the present line; undefined unless it belongs to a message or was added by a commit. */
  place: Omit<FoundToken, 'token'> | undefined;
  private commit = '';
  private file: string | null = null;
  private line = 0;
  private isMessage = false;
  private removed = 0;
  private added = 0;

  begin(text: string): void {
    this.place = undefined;
    if (text.startsWith(COMMIT_MARK)) this.beginCommit(text.slice(1));
    else if (this.removed > 0 && text.startsWith('-')) this.removed -= 1;
    else if (this.added > 0 && text.startsWith('+')) this.beginAdded();
    else if (this.isMessage && !text.startsWith('diff --git ')) this.tellPlace();
    else this.readHeader(text);
  }

  private beginCommit(commit: string): void {
    Object.assign(this, { commit, file: null, line: 0, isMessage: true, removed: 0, added: 0 });
  }

  private beginAdded(): void {
    this.added -= 1;
    this.tellPlace();
  }

  private tellPlace(): void {
    if (this.isMessage) this.line += 1;
    this.place = { file: this.file, line: this.line, commit: this.commit };
    if (!this.isMessage) this.line += 1;
  }

  private readHeader(text: string): void {
    this.isMessage = false;
    const [, file] = /^\+\+\+ "?b\/(.*?)"?\t?$/.exec(text) ?? [];
    if (file !== undefined) this.file = Buffer.from(file, 'latin1').toString();
    const [, removed = '1', line, added = '1'] = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(text) ?? [];
    if (line === undefined) return;
    this.removed = Number(removed);
    this.line = Number(line);
    this.added = Number(added);
  }
}
