import { execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { resultOf } from '../support/processes/command';

const ROOT = join(__dirname, '../..');

/** A round of a second, with time to make some again; prints what the machine says of it. */
const ROUND = `
  import { setTimeout as sleep } from 'node:timers/promises';
  import { Machine } from './bench/lib/machine.mjs';
  const machine = new Machine(4, console.error);
  await machine.round((watch) => watch('a round', undefined, () => sleep(1_000)));
  console.log(JSON.stringify(machine.summary()));`;

/** What the machine says after a run. */
interface Quietness {
  readonly rounds: number;
  readonly again: number;
  readonly faults: string[];
}

const run = (...args: string[]) =>
  resultOf(spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] }));

/** Starts a busy process that is nobody's child, as those of others are. */
function startStranger(): number {
  return Number(
    execFileSync('sh', ['-c', 'timeout 100 sh -c "while :; do :; done" >/dev/null 2>&1 & echo $!']),
  );
}

describe('The benchmark', () => {
  it('makes a round again beside which another process ran, and knows why its figures are not to be written', async () => {
    const strangers = [startStranger(), startStranger()];
    try {
      const { stdout, stderr } = await run('--input-type=module', '--eval', ROUND);
      expect(stderr).toContain('other processes took');
      const { rounds, again, faults } = JSON.parse(stdout) as Quietness;
      expect(rounds).toBe(1);
      expect(again).toBeGreaterThan(0);
      expect(faults.join()).toContain('other processes took');
    } finally {
      for (const pid of strangers) process.kill(pid);
    }
  });

  it.each(['--quick', 'get', 'overload'])('writes no figures of a run with %s', async (word) => {
    const { code, stdout } = await run('bench/run.mjs', '--write', word);
    expect([code, stdout]).toEqual([2, '']);
  });
});
