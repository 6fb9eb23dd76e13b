import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { isRunning } from './is-running';

describe('Whether a process runs', () => {
  it('is true until it has ended', async () => {
    const child = spawn(process.execPath, ['--eval', 'setTimeout(() => {}, 60_000)']);
    await once(child, 'spawn');
    const pid = child.pid as number;
    expect(isRunning(pid)).toBe(true);
    child.kill();
    await once(child, 'exit');
    expect(isRunning(pid)).toBe(false);
  });

  it('is true of the first one of the machine, which others may not signal', () => {
    expect(isRunning(1)).toBe(true);
  });
});
