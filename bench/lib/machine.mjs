import { existsSync, readFileSync } from 'node:fs';
import { runDelayMs, treeCpuMicros } from './process-usage.mjs';

/** Turns of the fixed loop: some 20 ms. */
const TURNS = 20_000_000;

/**
 * The most of a round in which the machine was quiet: for the loop in its shortest times of this run, else in shares of a core.
 * Server and load that share cores wait for one another: `delayed` is what comes on top of the least of rounds of one title.
 */
const BOUNDS = { loop: 1.15, stolen: 0.01, others: 0.1, delayed: 0.1 };

const percent = (share) => `${(100 * share).toFixed(1)} %`;

const WORDS = {
  loop: (times) => `a fixed loop took ${times.toFixed(2)} of its shortest time`,
  stolen: (share) => `other machines took ${percent(share)} of a core`,
  others: (share) => `other processes took ${percent(share)} of a core`,
  delayed: (share) => `server and load could have run and did not for ${percent(share)} more of the time`,
};

/**
 * The machine beside the rounds of a run: it makes a round again in which something else ran, as long as there is time, and
 * then knows why its figures are not to be written.
 */
export class Machine {
  #shortestMs = Infinity;
  #leastDelayed = new Map();
  #spareMs;
  #made = 0;
  #again = 0;
  #faults = [];
  #progress;

  /**
   * @param spareSeconds how long rounds are made again in all
   * @param progress is told why a round is made again
   */
  constructor(spareSeconds, progress) {
    this.#spareMs = spareSeconds * 1000;
    this.#progress = progress;
  }

  /**
   * Makes a round, and again while it was not quiet.
   *
   * @param measure does each part of it by `watch(title, pid, work)`, which gives what the work gives; `pid` is that of a
   *   server, which must not wait for a processor, as this process must not
   * @returns `{result, ms}`
   */
  async round(measure) {
    for (;;) {
      const begin = performance.now();
      const faults = [];
      const result = await measure(async (title, pid, work) => {
        const watched = await this.#watch(title, pid, work);
        faults.push(...watched.faults.map((fault) => `${title}: ${fault}`));
        return watched.result;
      });
      const ms = performance.now() - begin;
      this.#made += 1;
      if (faults.length > 0 && this.mayRepeat(ms, faults)) continue;
      return { result, ms };
    }
  }

  /** Whether there is time to make a round of `ms` again; if not, its faults are those of the run. */
  mayRepeat(ms, faults) {
    if (ms > this.#spareMs) {
      this.#faults.push(...faults);
      return false;
    }
    this.#spareMs -= ms;
    this.#again += 1;
    this.#progress(`    again: ${faults.join('; ')}`);
    return true;
  }

  /** Rounds that stayed, how many others were made again, and what was wrong with those that stayed. */
  summary() {
    return { rounds: this.#made - this.#again, again: this.#again, faults: this.#faults };
  }

  async #watch(title, pid, work) {
    if (!existsSync('/proc/self/schedstat'))
      return { result: await work(), faults: ['only Linux tells whether the machine is quiet'] };
    const loopsMs = [fixedLoopMs()];
    const before = readMachine(pid);
    const result = await work();
    const after = readMachine(pid);
    loopsMs.push(fixedLoopMs());
    this.#shortestMs = Math.min(this.#shortestMs, ...loopsMs);
    const share = (name) => (after[name] - before[name]) / (after.atMs - before.atMs);
    const delayed = share('delayedMs');
    const leastDelayed = Math.min(delayed, this.#leastDelayed.get(title) ?? Infinity);
    this.#leastDelayed.set(title, leastDelayed);
    const measured = {
      loop: Math.max(...loopsMs) / this.#shortestMs,
      stolen: share('stolenMs'),
      others: share('busyMs') - share('ownMs'),
      delayed: delayed - leastDelayed,
    };

    const loud = Object.keys(BOUNDS).filter((name) => measured[name] > BOUNDS[name]);
    return { result, faults: loud.map((name) => WORDS[name](measured[name])) };
  }
}

/** Milliseconds that always the same work takes. */
function fixedLoopMs() {
  const begin = performance.now();
  let value = 1;
  for (let i = 0; i < TURNS; i += 1) value = (Math.imul(value, 1_664_525) + 1_013_904_223) | 0;
  // Without a use of its value the loop might be left out.
  return value === 0.5 ? 0 : performance.now() - begin;
}

function readMachine(pid) {
  // user, nice, system, idle, iowait, irq, softirq, steal, in ticks of 10 ms (proc_stat(5))
  const [, user, nice, system, , , irq, softirq, stolen] = readFileSync('/proc/stat', 'utf8')
    .split('\n')[0]
    .split(/\s+/)
    .map(Number);
  return {
    atMs: performance.now(),
    busyMs: (user + nice + system + irq + softirq) * 10,
    stolenMs: stolen * 10,
    ownMs: treeCpuMicros(process.pid) / 1000,
    delayedMs: runDelayMs(process.pid) + (pid === undefined ? 0 : runDelayMs(pid)),
  };
}
