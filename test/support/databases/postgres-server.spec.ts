import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { acceptsConnections } from './accepts-connections';
import { startPostgresServer, type PostgresServer } from './postgres-server';
import { until } from '../until';

describe('The PostgreSQL server of the run', () => {
  it('is version 18 and reachable through the environment', async () => {
    const [row] = await query(process.env.TEST_POSTGRES_URL!, 'SELECT version()');

    expect(row?.version).toMatch(/^PostgreSQL 18\./);
  });

  it('does not wait for the disk, because no test ends it', async () => {
    const [row] = await query(process.env.TEST_POSTGRES_URL!, `SELECT current_setting('fsync') AS fsync`);

    expect(row?.fsync).toBe('off');
  });
});

describe('A PostgreSQL server of a test', () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await startPostgresServer();
  });

  afterAll(() => server.stop());

  it.each([
    ['fsync', 'on'],
    ['synchronous_commit', 'on'],
    ['full_page_writes', 'on'],
    ['server_encoding', 'UTF8'],
    ['TimeZone', 'UTC'],
    ['max_connections', '200'],
    ['unix_socket_directories', ''],
  ])('runs with %s = %j', async (setting, value) => {
    const [row] = await query(server.url, `SELECT current_setting('${setting}') AS value`);

    expect(row?.value).toBe(value);
  });

  it('differs from that of the run', () => {
    expect(new URL(server.url).port).not.toBe(new URL(process.env.TEST_POSTGRES_URL!).port);
  });

  it('refuses a client without the password', async () => {
    const url = new URL(server.url);
    url.password = 'another';

    await expect(query(url.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
  });

  it('listens on the loopback address only', async () => {
    const port = Number(new URL(server.url).port);
    const others = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ family, internal }) => family === 'IPv4' && !internal);

    expect(await acceptsConnections('127.0.0.1', port)).toBe(true);
    for (const { address } of others) {
      expect({ address, accepts: await acceptsConnections(address, port) }).toEqual({
        address,
        accepts: false,
      });
    }
  });

  it.each(['SIGKILL', 'SIGQUIT', 'SIGINT'] as const)(
    'keeps exactly its committed rows and its URL over %s and a new start',
    async (signal) => {
      const { url, pid } = server;
      const table = `over_${signal.toLowerCase()}`;
      await query(url, `CREATE TABLE ${table} (id integer)`);
      await query(url, `INSERT INTO ${table} SELECT generate_series(1, 1000)`);
      const client = new Client({ connectionString: url });
      const disconnected = lost(client);
      await client.connect();
      await client.query(`BEGIN; INSERT INTO ${table} VALUES (-1)`);

      await server.kill(signal);

      await disconnected;
      expect(() => server.pid).toThrow('down');
      await expect(query(url, 'SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });

      await server.start();

      expect(server.url).toBe(url);
      expect(server.pid).not.toBe(pid);
      expect(await query(url, `SELECT count(*)::int, min(id) FROM ${table}`)).toEqual([
        { count: 1000, min: 1 },
      ]);
    },
  );

  it('starts again although a session was busy when its postmaster was killed', async () => {
    const client = new Client({ connectionString: server.url });
    await client.connect();
    const disconnected = lost(client);
    const response = client.query('SELECT pg_sleep(3600)').catch((error: unknown) => error);

    await server.kill('SIGKILL');
    await server.start();

    expect(String(await response)).toContain('terminat');
    await disconnected;
    expect(await query(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

describe('Stopping a PostgreSQL server', () => {
  it('ends its process and removes its folder', async () => {
    const server = await startPostgresServer();
    const { pid, folder } = server;
    expect(existsSync(folder)).toBe(true);

    await server.stop();

    expect(existsSync(folder)).toBe(false);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  it('works for a server that was killed', async () => {
    const server = await startPostgresServer();
    await server.kill('SIGKILL');

    await server.stop();

    expect(existsSync(server.folder)).toBe(false);
  });

  it('reports a server that ended by itself, with its log', async () => {
    const server = await startPostgresServer();
    process.kill(server.pid, 'SIGINT');
    await untilDown(server);

    await expect(server.stop()).rejects.toThrow(/ended by itself[^]*received fast shutdown request/);

    expect(existsSync(server.folder)).toBe(false);
  });
});

describe('Starting a PostgreSQL server', () => {
  it('fails with its log when its data is damaged', async () => {
    const server = await startPostgresServer();
    await server.kill('SIGINT');
    await rm(join(server.folder, 'data', 'global', 'pg_control'));

    await expect(server.start()).rejects.toThrow(/did not start[^]*pg_control/);

    await expect(server.stop()).rejects.toThrow('ended by itself');
  });
});

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Resolves when the server has ended the connection; the errors that tell of it are expected. */
function lost(client: Client): Promise<void> {
  client.on('error', () => undefined);
  return new Promise((resolve) => client.once('end', () => resolve()));
}

function untilDown(server: PostgresServer): Promise<void> {
  return until(() => !isUp(server));
}

function isUp(server: PostgresServer): boolean {
  try {
    return server.pid > 0;
  } catch {
    return false;
  }
}
