import { setTimeout as pause } from 'node:timers/promises';
import { runOn } from '../../support/databases/postgres-replica';
import type { PostgresServer } from '../../support/databases/postgres-server';
import { SLOWLY, until } from '../../support/until';
import type { Random } from './random';

/** Something that goes wrong, and is right again when it has resolved. */
export interface Fault {
  readonly name: string;
  readonly happen: (random: Random) => Promise<unknown>;
}

/** Longest time of a fault that lasts, in milliseconds. */
const LONGEST_FAULT_MS = 2_000;

/** Lets one fault after another happen, as a seed has it. */
export class Faults {
  readonly counts = new Map<string, number>();
  private isStopped = false;

  constructor(
    private readonly random: Random,
    private readonly faults: readonly Fault[],
  ) {}

  /**
   * Goes on until {@link stop} is called.
   *
   * @param operations number of operations that clients have carried out so far
   * @param between of these there are between two faults, on average
   */
  async run(operations: () => number, between: number): Promise<void> {
    while (!this.isStopped) {
      const due = operations() + this.random.below(2 * between);
      await until(() => this.isStopped || operations() >= due, SLOWLY);
      const { name, happen } = this.random.pick(this.faults);
      await happen(this.random);
      this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    }
  }

  stop(): void {
    this.isStopped = true;
  }
}

/** Faults of a primary and its replicas, none of which takes the place of another. */
export function databaseFaults(primary: PostgresServer, replicas: readonly PostgresServer[]): Fault[] {
  const CUT = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'petstore'`;
  return [
    {
      name: 'primary killed',
      happen: async () => {
        await primary.kill('SIGKILL');
        await primary.start();
      },
    },
    { name: 'connections cut', happen: () => runOn(primary, CUT) },
    {
      name: 'replica killed',
      happen: async (random) => {
        const replica = random.pick(replicas);
        await replica.kill('SIGKILL');
        await replica.start();
      },
    },
    {
      name: 'replica behind',
      happen: async (random) => {
        const replica = random.pick(replicas);
        await runOn(replica, 'SELECT pg_wal_replay_pause()');
        await pause(random.below(LONGEST_FAULT_MS));
        await runOn(replica, 'SELECT pg_wal_replay_resume()');
      },
    },
  ];
}
