import { existsSync, readFileSync } from 'node:fs';
import { nameOf, processorTimes } from './process-usage.mjs';

/** Turns of the fixed loop: some 10 ms. The shortest of some loops counts, for what this run has started may delay one. */
const TURNS = 10_000_000;
const LOOPS = 3;

/** The most of a round in which the machine was quiet: for the loop in its shortest times of this run, else in shares of a core. */
const BOUNDS = { loop: 1.15, stolen: 0.01, others: 0.1 };

/** How often a round is made again: what has disturbed it so often is not soon over. */
const MOST_AGAIN = 3;

const percent = (share) => `${(100 * share).toFixed(1)} %`;

const WORDS = {
  loop: (times) => `a fixed loop took ${times.toFixed(2)} of its shortest time`,
  stolen: (share) => `other machines took ${percent(share)} of a core`,
  others: (share, whose) => `other processes took ${percent(share)} of a core, most of it ${whose()}`,
};

/**
 * The machine beside the rounds of a run: it makes a round again in which something else ran, a few times and as long as there is
 * time, and then knows why its figures are not to be written. Processes of the run that share cores wait for one another: that is
 * part of what is measured.
 */
export class Machine {
  #shortestMs = Infinity;
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
   * @param measure does each part of it by `watch(title, work)`, which gives what the work gives
   * @returns `{result, ms}`
   */
  async round(measure) {
    for (let again = 0; ; again += 1) {
      const begin = performance.now();
      const faults = [];
      const result = await measure(async (title, work) => {
        const watched = await this.#watch(work);
        faults.push(...watched.faults.map((fault) => `${title}: ${fault}`));
        return watched.result;
      });
      const ms = performance.now() - begin;
      this.#made += 1;
      if (faults.length > 0 && this.mayRepeat(again, ms, faults)) continue;
      return { result, ms };
    }
  }

  /**
   * Whether a round of `ms`, made `again` times before, may be made once more. If not, its faults are those of the run, of which
   * nothing is to be written: no round is made again after that.
   */
  mayRepeat(again, ms, faults) {
    if (again >= MOST_AGAIN || ms > this.#spareMs || this.#faults.length > 0) {
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

  async #watch(work) {
    if (!existsSync('/proc/self/stat'))
      return { result: await work(), faults: ['only Linux tells whether the machine is quiet'] };
    const loopsMs = [fixedLoopMs()];
    const before = readMachine();
    const result = await work();
    const after = readMachine();
    loopsMs.push(fixedLoopMs());
    this.#shortestMs = Math.min(this.#shortestMs, ...loopsMs);
    const ms = after.atMs - before.atMs;
    const measured = {
      loop: Math.max(...loopsMs) / this.#shortestMs,
      stolen: (after.stolenMs - before.stolenMs) / ms,
      others: (after.times.others - before.times.others) / 1000 / ms,
    };
    const loud = Object.keys(BOUNDS).filter((name) => measured[name] > BOUNDS[name]);
    return { result, faults: loud.map((name) => WORDS[name](measured[name], () => busiest(before, after))) };
  }
}

/** The name and number of the process, of those that the run has not started, that has worked most. */
function busiest(before, after) {
  const worked = [...after.times.each].map(([pid, micros]) => [
    pid,
    micros - (before.times.each.get(pid) ?? 0),
  ]);
  const [pid] = worked.reduce((most, each) => (each[1] > most[1] ? each : most));
  return `${nameOf(pid) || 'a process that has ended'} (${pid})`;
}

/** The fewest milliseconds that always the same work takes. */
function fixedLoopMs() {
  return Math.min(...Array.from({ length: LOOPS }, oneLoopMs));
}

function oneLoopMs() {
  const begin = performance.now();
  let value = 1;
  for (let i = 0; i < TURNS; i += 1) value = (Math.imul(value, 1_664_525) + 1_013_904_223) | 0;
  // Without a use of its value the loop might be left out.
  return value === 0.5 ? 0 : performance.now() - begin;
}

function readMachine() {
  // user, nice, system, idle, iowait, irq, softirq, steal, in ticks of 10 ms (proc_stat(5))
  const stolen = Number(readFileSync('/proc/stat', 'utf8').split('\n')[0].split(/\s+/)[8]);
  return { atMs: performance.now(), stolenMs: stolen * 10, times: processorTimes(process.pid) };
}
