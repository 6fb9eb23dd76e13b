import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeBlocksOf } from '../modules/support/guide-blocks';
import { shellWords } from '../support/processes/shell-words';
import { until } from '../support/until';

const PROJECT = join(__dirname, '..', '..');
const PAGE = 'docs/testing-a-module.md';
const BLOCKS = codeBlocksOf(readFileSync(join(PROJECT, PAGE), 'utf8'));

/** A spec file of the folder `quotes`, as a module of the service would have it. */
function shown(file: string): string {
  return readFileSync(join(__dirname, 'quotes', file), 'utf8');
}

/** Runs a command of the page on the specs that are kept here. */
function run(command: string): { readonly process: ChildProcess; readonly output: () => string } {
  const [words = []] = shellWords('npm', command.replaceAll('src/', 'test/ordinary-nest/'));
  const process = spawn('npm', words, { cwd: PROJECT, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let output = '';
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  return { process, output: () => output };
}

describe(`What ${PAGE} shows`, () => {
  const commands = BLOCKS.filter(({ language }) => language === 'sh').map(({ text }) => text.trim());

  it('is identical to the specs in test/ordinary-nest', () => {
    const shownBlocks = BLOCKS.filter(({ language }) => language === 'ts').map(({ text }) => text);
    expect(shownBlocks).toEqual([shown('quotes.service.spec.ts'), shown('quotes.spec.ts')]);
  });

  it('runs one file by itself', async () => {
    const { process, output } = run(commands[0] ?? '');
    expect([await once(process, 'close'), output()]).toEqual([
      [0, null],
      expect.stringContaining('1 passed, 1 total'),
    ]);
  });

  it('runs the files of a folder, and goes on watching them', async () => {
    const { process, output } = run(commands[1] ?? '');
    try {
      await until(() => output().includes('Ran all test suites'));
      expect(output()).toContain('3 passed, 3 total');
      expect(process.exitCode).toBeNull();
    } finally {
      // npm and what it has started.
      globalThis.process.kill(-(process.pid as number), 'SIGTERM');
      await once(process, 'close');
    }
  });
});
