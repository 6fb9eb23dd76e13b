import { startPostgresServer, type PostgresServer } from './postgres-server';

declare global {
  /** The server of this Jest run, in Jest's own process only. */
  var testPostgresServer: PostgresServer | undefined;
}

/** Starts one PostgreSQL for the whole run; the workers find it by their environment. */
export default async function startServices(): Promise<void> {
  const server = await startPostgresServer();
  globalThis.testPostgresServer = server;
  process.env.TEST_POSTGRES_URL = server.url;
  process.env.TEST_FOLDER = server.folder;
}
