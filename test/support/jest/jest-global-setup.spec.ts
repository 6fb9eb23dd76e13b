import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { acceptsConnections } from '../databases/accepts-connections';
import { until } from '../until';

describe('A Jest run with its global setup', () => {
  it('leaves no server and no folder when a test fails, and says that it failed', async () => {
    const jest = startJest(runOnce('failing-suite'));
    const server = await announced(jest);

    expect(await once(jest, 'exit')).toEqual([1, null]);

    expect(existsSync(server.folder)).toBe(false);
    expect(await isListening(server.url)).toBe(false);
  });

  it.each(['SIGINT', 'SIGKILL'] as const)(
    'leaves no server and no folder when %s interrupts it',
    async (signal) => {
      const jest = startJest(runOnce('endless-suite'));
      const server = await announced(jest);
      expect(existsSync(server.folder)).toBe(true);
      expect(await isListening(server.url)).toBe(true);

      jest.kill(signal);
      expect(await once(jest, 'exit')).toEqual([null, signal]);

      // Removing the folder is the last thing done.
      await until(() => !existsSync(server.folder));
      expect(await isListening(server.url)).toBe(false);
    },
  );
});

describe('Jest in watch mode', () => {
  it('runs a changed file again on the same database server', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'petstore-watch-'));
    const announcing = JSON.stringify(join(__dirname, '..', 'fixtures', 'announce-server'));
    const write = (answer: number) =>
      writeFile(
        join(folder, 'watched.spec.ts'),
        `import { announceServer } from ${announcing};
         it('answers', () => { announceServer(); process.stdout.write('ANSWER ${answer}\\n'); });`,
      );
    await write(41);
    const jest = startJest(['--watchAll', '--roots', folder, '--testRegex', 'watched[.]spec[.]ts$']);
    let output = '';
    jest.stdout!.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await until(() => output.includes('ANSWER 41\n'));
    // What changes during a run is not noticed.
    await until(async () => {
      await write(42);
      await sleep(500);
      return output.includes('ANSWER 42\n');
    });
    const servers = [...new Set(output.match(/(?<=SERVER ).*/g))];
    expect(servers).toHaveLength(1);

    const { folder: server } = JSON.parse(servers.join()) as AnnouncedServer;
    jest.kill('SIGKILL');
    await once(jest, 'exit');
    await until(() => !existsSync(server));
    await rm(folder, { recursive: true });
  });
});

interface AnnouncedServer {
  readonly folder: string;
  readonly url: string;
}

function runOnce(suite: string): string[] {
  return ['--runInBand', '--testRegex', `fixtures/${suite}\\.ts$`];
}

function startJest(options: readonly string[]): ChildProcess {
  const project = join(__dirname, '..', '..', '..');
  const jest = join(dirname(require.resolve('jest/package.json')), 'bin', 'jest.js');
  return spawn(process.execPath, [jest, ...options], { cwd: project, stdio: ['ignore', 'pipe', 'ignore'] });
}

async function announced(jest: ChildProcess): Promise<AnnouncedServer> {
  for await (const line of createInterface({ input: jest.stdout! })) {
    const announcement = /^SERVER (.*)$/.exec(line)?.[1];
    if (announcement) {
      return JSON.parse(announcement) as AnnouncedServer;
    }
  }
  throw new Error('The Jest run ended before its suite announced the server.');
}

function isListening(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return acceptsConnections(hostname, Number(port));
}
