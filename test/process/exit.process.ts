import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { resultOf } from '../support/processes/command';

const EXIT = join(__dirname, '..', '..', 'dist', 'src', 'process', 'exit-at-signal.js');

/** Runs a process that is told to stop by SIGTERM of its own and says what it logs. */
function runStopping(stop: string) {
  const code = `
    const { exitAtSignal } = require(${JSON.stringify(EXIT)});
    exitAtSignal({ stop: ${stop}, limitMs: 300 }, { error: (message) => console.log(message) });
    process.kill(process.pid, 'SIGTERM');
    setInterval(() => undefined, 1_000);`;
  return resultOf(spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'pipe'] }));
}

describe('A process that is told to stop', () => {
  it('exits with 0 when everything has ended in time', async () => {
    expect(await runStopping('async () => undefined')).toMatchObject({ code: 0, stdout: '' });
  });

  it('exits with 1 and says why when something had to be cut off', async () => {
    const stop = 'async () => { throw new Error("Something was cut off."); }';
    expect(await runStopping(stop)).toMatchObject({ code: 1, stdout: 'Something was cut off.\n' });
  });

  it('exits with 1 and says so when something hangs beyond the limit', async () => {
    expect(await runStopping('() => new Promise(() => undefined)')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('did not stop within 0.3 seconds'),
    });
  });
});
