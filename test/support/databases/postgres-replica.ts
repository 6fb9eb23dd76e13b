import { appendFile, cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { Client } from 'pg';
import { giveTree, type ProcessOwner, serverOwner } from './postgres-installation';
import { type ClusterPlace, dataFolder, type PostgresServer, startCluster } from './postgres-server';

/** What a copy of a running server must not have (PostgreSQL manual, 25.3.4.2). */
const LEFT_OUT = ['postmaster.pid', 'postmaster.opts', 'pg_internal.init'];
const EMPTIED = [
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
];

/**
 * Starts a streaming replica of a server, which goes on meanwhile. The superuser is that of the primary.
 *
 * It is made as pg_basebackup makes one, which the packaged PostgreSQL lacks: a copy of the files between
 * pg_backup_start and pg_backup_stop.
 * @param settings of the replica besides those of the primary
 */
export function startPostgresReplica(
  primary: PostgresServer,
  settings: readonly string[] = [],
): Promise<PostgresServer> {
  const make = async ({ folder, owner }: ClusterPlace) => {
    await copyCluster(primary, folder, owner);
    return new URL(primary.url).password;
  };
  return startCluster(make, undefined, settings);
}

/** Makes a server a streaming replica anew, whatever has become of it: kills it, copies the primary, and starts it again. */
export async function remakePostgresReplica(server: PostgresServer, primary: PostgresServer): Promise<void> {
  await server.kill('SIGKILL');
  await rm(dataFolder(server.folder), { recursive: true });
  await copyCluster(primary, server.folder, await serverOwner());
  await server.start();
}

/** What is needed to connect to a server. */
type Address = Pick<PostgresServer, 'url'>;

/** A connection as the superuser of a server; the caller ends it. */
export async function connectTo(server: Address): Promise<Client> {
  const client = new Client({ connectionString: server.url });
  await client.connect();
  return client;
}

/** Runs one statement as the superuser of a server. */
export async function runOn<Row extends object>(server: Address, sql: string): Promise<Row[]> {
  const client = await connectTo(server);
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function copyCluster(primary: PostgresServer, folder: string, owner: ProcessOwner): Promise<void> {
  const client = await connectTo(primary);
  try {
    await client.query(`SELECT pg_backup_start('replica', fast => true)`);
    await copyFiles(dataFolder(primary.folder), dataFolder(folder));
    const { rows } = await client.query<{ labelfile: string }>(
      'SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)',
    );
    await writeFile(join(dataFolder(folder), 'backup_label'), rows[0]?.labelfile ?? '');
  } finally {
    await client.end();
  }
  const { hostname, port, username, password } = new URL(primary.url);
  const source = `host=${hostname} port=${port} user=${username} password=${password}`;
  await appendFile(
    join(dataFolder(folder), 'postgresql.auto.conf'),
    `primary_conninfo = '${source}'\nwal_retrieve_retry_interval = '100ms'\n`,
  );
  await writeFile(join(dataFolder(folder), 'standby.signal'), '');
  await giveTree(owner, folder);
}

async function copyFiles(from: string, to: string): Promise<void> {
  await cp(from, to, {
    recursive: true,
    filter: (path) => {
      const [top = '', ...below] = relative(from, path).split(sep);
      return (
        !LEFT_OUT.includes([top, ...below].at(-1) as string) && !(EMPTIED.includes(top) && below.length > 0)
      );
    },
  });
  // Where the server expects subfolders it does not make them.
  await mkdir(join(to, 'pg_wal', 'archive_status'), { recursive: true });
}
