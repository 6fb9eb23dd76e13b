import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createToken } from '../../../src/platform/security/api-key-token';
import { makeFolder } from '../../support/folders';
import { endServiceProcesses } from '../../support/processes/service-process';
import type { Fault } from './faults';
import { Nodes } from './nodes';
import { type Run, runHistory } from './run-history';

const CLIENTS = 16;

/** Faults of a long run, about. */
const MOST_FAULTS = 20;

/** Nodes of a world with PostgreSQL. */
export const NODES = 3;

/** Returns no row when all stored events have been delivered. */
export const WAITING = 'SELECT "id" FROM "stored_events" LIMIT 1';

/** Source of histories: a database and its faults. */
export interface World {
  /** Operations between two faults of a short run, on average. */
  readonly operationsPerFault: number;
  /** Makes an empty database. */
  createDatabase(): Promise<WorldDatabase>;
  end(): Promise<void>;
}

export interface WorldDatabase {
  readonly nodes: number;
  readonly environment: Readonly<Record<string, string>>;
  /** Faults of it and of the nodes. */
  readonly faults: (nodes: Nodes) => Fault[];
  /** Resolves to whether no stored event is left. */
  readonly isDelivered: () => Promise<boolean>;
  readonly drop: () => Promise<unknown>;
}

/**
 * Lets clients use the service on a new database of a world while faults happen.
 *
 * @param project folder of the built service; this project unless given
 */
export async function historyIn(
  world: World,
  seed: number,
  operations: number,
  project?: string,
): Promise<Run> {
  const { nodes: count, environment, faults, isDelivered, drop } = await world.createDatabase();
  const operationsPerFault = Math.max(world.operationsPerFault, operations / MOST_FAULTS);
  const key = createToken();
  const ledger = join(makeFolder(), 'ledger');
  const settings = {
    BOOTSTRAP_API_KEY: key,
    MIGRATE_ON_START: 'true',
    ...environment,
  };
  try {
    const nodes = await Nodes.start(count, settings, ledger, project);
    const options = { seed, clients: CLIENTS, operations, operationsPerFault, key, ledger, isDelivered };
    return await runHistory(nodes, faults(nodes), options);
  } finally {
    await endServiceProcesses();
    await drop();
  }
}

/** A name for a database that no other has. */
export function newName(): string {
  return `world_${randomUUID().replaceAll('-', '')}`;
}

/** The address of another database on the same server. */
export function addressOf(url: string, database: string): string {
  return Object.assign(new URL(url), { pathname: `/${database}` }).href;
}
