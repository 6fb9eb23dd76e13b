import { join } from 'node:path';
import { FakeClock } from '../../faults/support/fake-clock';
import { freePort } from '../../support/processes/free-port';
import { ServiceProcess } from '../../support/processes/service-process';
import { makeFolder } from '../../support/folders';
import type { Fault } from './faults';

const FEATURE = ['--require', join(__dirname, '..', '..', 'support', 'fixtures', 'registers-feature.cjs')];

/** Farthest that a clock is set from that of the machine, in seconds. */
const CLOCK_JUMP_S = 3_600;

/** The nodes of a service with a feature by which pets are changed. Each keeps its port when it is started again. */
export class Nodes {
  private readonly processes: ServiceProcess[] = [];
  private readonly clocks: FakeClock[] = [];
  private readonly cwd = makeFolder();

  private constructor(
    readonly ports: readonly number[],
    private readonly environment: Readonly<Record<string, string>>,
    private readonly project: string | undefined,
  ) {}

  /**
   * @param ledger file for the events of pets, in the order of their deliveries
   * @param project folder of the built service; this project unless given
   */
  static async start(
    count: number,
    environment: Readonly<Record<string, string>>,
    ledger: string,
    project?: string,
  ): Promise<Nodes> {
    const ports: number[] = [];
    while (ports.length < count) ports.push(await freePort('127.0.0.1'));
    const nodes = new Nodes(ports, { ...environment, LEDGER: ledger }, project);
    // The first one migrates.
    for (let index = 0; index < count; index++) await nodes.launch(index);
    return nodes;
  }

  /** Faults of one of them. */
  get faults(): Fault[] {
    return [
      {
        name: 'node killed',
        happen: async (random) => {
          const index = random.below(this.ports.length);
          await this.processes[index]?.kill('SIGKILL');
          await this.launch(index);
        },
      },
      {
        name: 'node replaced',
        happen: async (random) => {
          const index = random.below(this.ports.length);
          await this.processes[index]?.kill('SIGTERM');
          await this.launch(index);
        },
      },
    ];
  }

  /** Sets the clock of one of them; where the database has a clock of its own. */
  get clockFault(): Fault {
    return {
      name: 'clock set',
      happen: (random) => {
        random.pick(this.clocks).set(random.below(2 * CLOCK_JUMP_S) - CLOCK_JUMP_S);
        return Promise.resolve();
      },
    };
  }

  private async launch(index: number): Promise<void> {
    const clock = (this.clocks[index] ??= new FakeClock());
    this.processes[index] = await ServiceProcess.start(
      { ...this.environment, ...clock.environment, PORT: String(this.ports[index]) },
      { cwd: this.cwd, nodeOptions: FEATURE, ...(this.project !== undefined && { project: this.project }) },
    );
  }
}
