import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { acceptsConnections } from '../databases/accepts-connections';

describe('A Jest run with its global setup', () => {
  it('leaves no server and no folder when a test fails, and says that it failed', async () => {
    const jest = startJest('failing-suite');
    const server = await announced(jest);

    expect(await once(jest, 'exit')).toEqual([1, null]);

    expect(existsSync(server.folder)).toBe(false);
    expect(await isListening(server.url)).toBe(false);
  });

  it.each(['SIGINT', 'SIGKILL'] as const)(
    'leaves no server and no folder when %s interrupts it',
    async (signal) => {
      const jest = startJest('endless-suite');
      const server = await announced(jest);
      expect(existsSync(server.folder)).toBe(true);
      expect(await isListening(server.url)).toBe(true);

      jest.kill(signal);
      expect(await once(jest, 'exit')).toEqual([null, signal]);

      // Removing the folder is the last thing done; a run that leaves it ends here by the timeout.
      while (existsSync(server.folder)) {
        await sleep(20);
      }
      expect(await isListening(server.url)).toBe(false);
    },
  );
});

interface AnnouncedServer {
  readonly folder: string;
  readonly url: string;
}

function startJest(suite: string): ChildProcess {
  const project = join(__dirname, '..', '..', '..');
  const jest = join(dirname(require.resolve('jest/package.json')), 'bin', 'jest.js');
  return spawn(process.execPath, [jest, '--runInBand', '--testRegex', `fixtures/${suite}\\.ts$`], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
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
