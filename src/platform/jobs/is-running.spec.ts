import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { isRunning } from './is-running';

describe('isRunning()', () => {
  it('is true until the process has ended', async () => {
    const child = spawn(process.execPath, ['--eval', 'setTimeout(() => {}, 60_000)']);
    await once(child, 'spawn');
    const pid = child.pid as number;
    expect(isRunning(pid)).toBe(true);
    child.kill();
    await once(child, 'exit');
    expect(isRunning(pid)).toBe(false);
  });

  it('is true for process 1, which may not be signalled', () => {
    expect(isRunning(1)).toBe(true);
  });
});
