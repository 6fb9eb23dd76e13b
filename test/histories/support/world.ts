import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { createToken } from '../../../src/platform/security/api-key-token';
import { createTestDatabase, type Engine, type TestDatabase } from '../../support/databases/databases';
import { runOn, startPostgresReplica } from '../../support/databases/postgres-replica';
import { type PostgresServer, startPostgresServer } from '../../support/databases/postgres-server';
import { makeFolder } from '../../support/folders';
import { endServiceProcesses } from '../../support/processes/service-process';
import { databaseFaults, type Fault } from './faults';
import { Nodes } from './nodes';
import { type Run, runHistory } from './run-history';

const CLIENTS = 16;
const NODES = 3;

/** A run has a fault for so many operations; a long one so many faults. */
const LEAST_PER_FAULT = 150;
const MOST_FAULTS = 500;

const WAITING = 'SELECT "id" FROM "stored_events" LIMIT 1';

/** Source of histories: a database and its faults. */
export interface World {
  readonly engine: Engine;
  /** Makes an empty database. */
  createDatabase(): Promise<WorldDatabase>;
  end(): Promise<void>;
}

interface WorldDatabase {
  readonly nodes: number;
  readonly environment: Readonly<Record<string, string>>;
  /** Faults of it and of the nodes. */
  readonly faults: (nodes: Nodes) => Fault[];
  /** Resolves to whether no stored event is left. */
  readonly isDelivered: () => Promise<boolean>;
}

/** A primary with two replicas, which stay for all databases. */
export async function startPostgresWorld(): Promise<World> {
  const primary = await startPostgresServer();
  const replicas = [await startPostgresReplica(primary), await startPostgresReplica(primary)];
  return {
    engine: 'postgres',
    createDatabase: async () => {
      const name = `world_${randomUUID().replaceAll('-', '')}`;
      await runOn(primary, `CREATE DATABASE ${name}`);
      const within = ({ url }: PostgresServer) => Object.assign(new URL(url), { pathname: `/${name}` }).href;
      return {
        nodes: NODES,
        environment: {
          DATABASE_URL: within(primary),
          DATABASE_REPLICA_URLS: replicas.map(within).join(),
        },
        faults: (nodes) => [...nodes.faults, nodes.clockFault, ...databaseFaults(primary, replicas)],
        isDelivered: async () => (await runOn({ ...primary, url: within(primary) }, WAITING)).length === 0,
      };
    },
    end: async () => {
      for (const server of [...replicas, primary]) await server.stop();
    },
  };
}

/** Files of SQLite, which one node has. */
export function startSqliteWorld(): World {
  const databases: TestDatabase[] = [];
  return {
    engine: 'sqlite',
    createDatabase: async () => {
      const database = await createTestDatabase('sqlite');
      databases.push(database);
      return {
        nodes: 1,
        environment: { DATABASE_URL: database.url },
        faults: (nodes) => nodes.faults,
        isDelivered: () => {
          const file = new Sqlite(database.url.slice('sqlite:'.length), { readonly: true });
          try {
            return Promise.resolve(file.prepare(WAITING).get() === undefined);
          } finally {
            file.close();
          }
        },
      };
    },
    end: async () => {
      for (const database of databases) await database.drop();
    },
  };
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
  const { nodes: count, environment, faults, isDelivered } = await world.createDatabase();
  const operationsPerFault = Math.max(LEAST_PER_FAULT, operations / MOST_FAULTS);
  const key = createToken();
  const ledger = join(makeFolder(), 'ledger');
  const settings = {
    BOOTSTRAP_API_KEY: key,
    MIGRATE_ON_START: 'true',
    ...environment,
  };
  const nodes = await Nodes.start(count, settings, ledger, project);
  try {
    const options = { seed, clients: CLIENTS, operations, operationsPerFault, key, ledger, isDelivered };
    return await runHistory(nodes, faults(nodes), options);
  } finally {
    await endServiceProcesses();
  }
}
