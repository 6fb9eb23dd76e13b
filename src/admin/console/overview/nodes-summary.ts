import type { NodeProcess } from '../../statistics/traffic.service';

/** The processes of one machine. */
export interface NodeSummary {
  readonly host: string;
  readonly processes: readonly NodeProcess[];
}

/** The machines that serve, with their processes. */
export class NodesSummary {
  readonly nodes: readonly NodeSummary[];

  constructor(private readonly processes: readonly NodeProcess[]) {
    const serving = processes.filter(({ state }) => state === 'serving');
    const hosts = [...new Set(serving.map(({ host }) => host))].sort();
    this.nodes = hosts.map((host) => ({ host, processes: serving.filter((each) => each.host === host) }));
  }

  /** Number of processes that vanished without announcing that they stop. */
  get lost(): number {
    return this.processes.filter(({ state }) => state === 'lost').length;
  }

  get serving(): number {
    return this.nodes.reduce((all, { processes }) => all + processes.length, 0);
  }

  /** The versions that serve; more than one while nodes are being replaced. */
  get versions(): string[] {
    return [
      ...new Set(this.nodes.flatMap(({ processes }) => processes.map(({ version }) => version))),
    ].sort();
  }
}
