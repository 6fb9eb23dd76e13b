import { startPostgresServer, type PostgresServer } from '../databases/postgres-server';

declare global {
  /** The server of this Jest run, in Jest's own process only. */
  var testPostgresServer: PostgresServer | undefined;
}

/**
 * No test ends the server of the run, so it need not survive a crash. Hundreds of databases are made and dropped, and each
 * of these would wait for the disk.
 */
const NOTHING_IS_SYNCED = ['fsync=off', 'full_page_writes=off'];

/** Starts one PostgreSQL for the whole run; the workers find it by their environment. In watch mode it is there from run to run. */
export default async function startServices(): Promise<void> {
  process.env.TEST_RUN = String(Number(process.env.TEST_RUN ?? 0) + 1);
  if (globalThis.testPostgresServer) return;
  const server = await startPostgresServer(undefined, NOTHING_IS_SYNCED);
  globalThis.testPostgresServer = server;
  process.env.TEST_POSTGRES_URL = server.url;
  process.env.TEST_FOLDER = server.folder;
}
