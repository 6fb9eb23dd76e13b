import { execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { resultOf } from '../support/processes/command';

const ROOT = join(__dirname, '../..');

/** Rounds of a fifth of a second, with time to make many again; prints what the machine says of them. */
const ROUNDS = `
  import { setTimeout as sleep } from 'node:timers/promises';
  import { Machine } from './bench/lib/machine.mjs';
  const machine = new Machine(60, console.error);
  for (const title of ['a round', 'another']) {
    await machine.round((watch) => watch(title, () => sleep(200)));
  }
  console.log(JSON.stringify(machine.summary()));`;

/** A quiet round, and one of the same title whose processes, more than cores, never sleep; prints them, too. */
const CONTENTION = `
  import { spawn } from 'node:child_process';
  import { availableParallelism } from 'node:os';
  import { setTimeout as sleep } from 'node:timers/promises';
  import { Machine } from './bench/lib/machine.mjs';
  const machine = new Machine(60, console.error);
  const work = Array.from({ length: 2 * availableParallelism() }, () => 'while :; do :; done');
  const round = (start) =>
    machine.round((watch) =>
      watch('a round', async () => {
        const own = start();
        await sleep(1_000);
        for (const child of own) child.kill();
        return own.map(({ pid }) => pid);
      }),
    );
  await round(() => []);
  const { result: own } = await round(() => work.map((loop) => spawn('sh', ['-c', loop])));
  console.log(JSON.stringify({ own, ...machine.summary() }));`;

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
  it('makes a round again a few times beside which another process ran, and knows why its figures are not to be written', async () => {
    const strangers = [startStranger(), startStranger()];
    try {
      const { stdout, stderr } = await run('--input-type=module', '--eval', ROUNDS);
      expect(stderr).toContain('other processes took');
      const { rounds, again, faults } = JSON.parse(stdout) as Quietness;
      expect([rounds, again]).toEqual([2, 3]);
      expect(faults.join()).toContain('other processes took');
    } finally {
      for (const pid of strangers) process.kill(pid);
    }
  });

  it('does not take its own processes, which wait for one another, for others', async () => {
    const { stdout, stderr } = await run('--input-type=module', '--eval', CONTENTION);
    const { own, faults } = JSON.parse(stdout) as Quietness & { readonly own: number[] };
    expect(own.length).toBeGreaterThan(1);
    const told = `${stderr}${faults.join('\n')}`.split('\n').filter((line) => line !== '');
    // What runs beside this test may disturb a round.
    const foreign = /other (processes|machines) took|fixed loop took/;
    expect(told.filter((line) => !foreign.test(line))).toEqual([]);
    const named = [...told.join().matchAll(/\((\d+)\)/g)].map(([, pid]) => Number(pid));
    expect(own.filter((pid) => named.includes(pid))).toEqual([]);
  });

  it.each(['--quick', 'get', 'overload'])('writes no figures of a run with %s', async (word) => {
    const { code, stdout } = await run('bench/run.mjs', '--write', word);
    expect([code, stdout]).toEqual([2, '']);
  });
});
