import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { makeFolder } from '../support/folders';
import { giveTree, serverOwner } from '../support/databases/postgres-installation';
import { runOn } from '../support/databases/postgres-replica';
import { dataFolder, type PostgresServer, startPostgresServer } from '../support/databases/postgres-server';
import { listNames } from '../support/samples/pet-writers';
import { endServiceProcesses, runCli, ServiceProcess } from '../support/processes/service-process';
import { until } from '../support/until';
import { blockNamed, expectDone, follow } from './support/operations-pages';

/** As the page has it. */
const ARCHIVE_COMMAND = /^archive_command = '(.*)'$/m.exec(blockNamed('archive'))?.[1] ?? '';

/** Makes a key, some pets, one of them under an idempotency key; gives the token and what is listed. */
async function fill(environment: Readonly<Record<string, string>>, cwd: string) {
  await runCli(environment, cwd, 'db', 'migrate');
  const made = await runCli(
    environment,
    cwd,
    ...['keys', 'create', '--name', 'kept', '--scopes', 'pets:read,pets:write', '--json'],
  );
  const { key } = JSON.parse(made) as { key: string };
  const service = await ServiceProcess.start(environment, { cwd });
  for (let i = 1; i <= 20; i++) await createPet(service, key, `kept ${i}`);
  const listed = await (await service.fetch('/v1/pets?limit=100', key)).text();
  return { service, key, listed };
}

function createPet(service: ServiceProcess, key: string, name: string): Promise<Response> {
  return service.fetch('/v1/pets', key, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': name.replace(' ', '-') },
    body: JSON.stringify({ name, categoryId: '9007199254740993' }).replace(/"(\d+)"/, '$1'),
  });
}

/** Serves what was restored and sees that all is there, that retries still count, and that ids go on. */
async function expectRestored(
  environment: Readonly<Record<string, string>>,
  cwd: string,
  { key, listed }: { readonly key: string; readonly listed: string },
): Promise<void> {
  const service = await ServiceProcess.start(environment, { cwd });
  expect(await (await service.fetch('/v1/pets?limit=100', key)).text()).toBe(listed);
  expect(listed).toContain('"categoryId":9007199254740993');
  const retried = await createPet(service, key, 'kept 7');
  expect([retried.status, retried.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
  const next = (await (await createPet(service, key, 'next')).json()) as { id: number };
  // Those of the pets that were made after the backup are not given again.
  expect(next.id).toBeGreaterThan(100_000);
}

describe('The commands of docs/operations', () => {
  let cwd: string;

  beforeEach(() => {
    cwd = makeFolder();
  });
  afterEach(() => endServiceProcesses());

  it('back up a SQLite database in use, and restore it', async () => {
    mkdirSync(join(cwd, 'data'));
    const before = await fill({}, cwd);
    expectDone(await follow('sqlite-backup', cwd, {}));
    expectDone(await follow('drill', cwd, { BACKUP_PATH: cwd }));
    await createPet(before.service, before.key, 'too late');
    await before.service.kill('SIGTERM');
    expectDone(await follow('sqlite-restore', cwd, {}));
    await expectRestored({}, cwd, before);
  });

  describe('on PostgreSQL', () => {
    let server: PostgresServer;
    let tools: string;
    const backups = makeFolder();
    const PGBACKREST_CONFIG = join(backups, 'pgbackrest.conf');

    beforeAll(async () => {
      // The packaged server of the other tests comes without pg_dump.
      const [installed] = globSync('/usr/lib/postgresql/*/').sort().reverse();
      if (!installed)
        throw new Error('This test needs PostgreSQL with its tools: apt-get install postgresql.');
      tools = join(installed, 'bin');
      // In place of /etc/pgbackrest.conf, for what the server runs too.
      process.env.PGBACKREST_CONFIG = PGBACKREST_CONFIG;
      server = await startPostgresServer(installed, ['archive_mode=on']);
    });
    afterAll(async () => {
      delete process.env.PGBACKREST_CONFIG;
      await server.stop();
    });

    /** What the page has, with folders of the test, and a server that listens at no socket. */
    function configuration(port: string): string {
      const own = blockNamed('pgbackrest')
        .replace('/var/lib/pgbackrest', join(backups, 'repository'))
        .replace('/var/lib/postgresql/18/main', dataFolder(server.folder))
        .replace(
          '[global]',
          `[global]\nlock-path=${join(backups, 'lock')}\nspool-path=${join(backups, 'spool')}\nlog-level-file=off`,
        );
      return `${own}\npg1-port=${port}\npg1-user=postgres\n`;
    }

    async function emptyDatabase(name: string): Promise<Record<string, string>> {
      const client = new Client({ connectionString: server.url });
      await client.connect();
      await client.query(`CREATE DATABASE ${name}`);
      await client.end();
      const url = new URL(server.url);
      url.pathname = `/${name}`;
      return { DATABASE_URL: url.href, PATH: `${tools}:${process.env.PATH}` };
    }

    it('back up a database in use, and restore it into an empty one', async () => {
      const old = await emptyDatabase('old');
      const before = await fill(old, cwd);
      expectDone(await follow('postgres-backup', cwd, old));
      expectDone(await follow('drill', cwd, { ...old, BACKUP_PATH: cwd }));
      await createPet(before.service, before.key, 'too late');
      await before.service.kill('SIGTERM');
      const restored = await emptyDatabase('restored');
      expectDone(await follow('postgres-restore', cwd, restored));
      await expectRestored(restored, cwd, before);
    });

    it('refuse a drill by a pg_restore that the server is too old for, and record nothing', async () => {
      const environment = await emptyDatabase('older');
      await runCli(environment, cwd, 'db', 'migrate');
      writeFileSync(join(cwd, 'any.dump'), 'PGDMP');
      const programs = makeFolder();
      const newer = '#!/bin/sh\necho "pg_restore (PostgreSQL) 17.2"\n';
      writeFileSync(join(programs, 'pg_restore'), newer, { mode: 0o755 });
      const PATH = `${programs}:${environment.PATH}`;
      const drill = runCli({ ...environment, PATH }, cwd, 'db', 'drill', 'any.dump');
      await expect(drill).rejects.toThrow('pg_restore 17');
      const recorded = await runCli(environment, cwd, 'audit', 'list', '--subject', 'drills', '--json');
      expect(JSON.parse(recorded)).toMatchObject({ items: [] });
    });

    it('make a dump without what was erased before', async () => {
      const environment = await emptyDatabase('personal');
      await runCli(environment, cwd, 'db', 'migrate');
      const made = ['keys', 'create', '--name', 'k', '--scopes', 'pets:read', '--owner', 'Olga Dumped'];
      const { id } = JSON.parse(await runCli(environment, cwd, ...made, '--json')) as { id: string };
      const dumped = () => execFileSync(join(tools, 'pg_dump'), [environment.DATABASE_URL ?? '']).toString();
      expect(dumped()).toContain('Olga Dumped');
      await runCli(environment, cwd, 'keys', 'revoke', id, '--yes');
      const erase = ['audit', 'erase', '--subject', `keys/${id}`, '--reason', 'letter', '--yes'];
      await runCli(environment, cwd, ...erase);
      expect(dumped()).not.toContain('Olga Dumped');
    });

    it('restore a point in time after a table was dropped, and lose only later rows', async () => {
      const environment = await emptyDatabase('dropped');
      const owner = await serverOwner();
      const { port, password } = new URL(server.url);
      writeFileSync(join(backups, 'pgbackrest.conf'), configuration(port));
      await giveTree(owner, backups);
      await runOn(server, `ALTER SYSTEM SET archive_command = '${ARCHIVE_COMMAND}'`);
      await runOn(server, 'SELECT pg_reload_conf()');
      const pgbackrest = { PGBACKREST_CONFIG, PGHOST: '127.0.0.1', PGPASSWORD: password };
      expectDone(await follow('postgres-archive', backups, pgbackrest, owner));

      const { service, key } = await fill(environment, cwd);
      const kept = await listNames(service, key);
      const [row] = await runOn<{ moment: string }>(server, 'SELECT clock_timestamp()::text AS moment');
      for (let i = 1; i <= 3; i++) await createPet(service, key, `lost ${i}`);
      const database = new Client({ connectionString: environment.DATABASE_URL });
      await database.connect();
      await database.query('DROP TABLE pets');
      await database.end();
      expect((await service.fetch('/v1/pets', key)).status).toBe(503);
      await service.kill('SIGTERM');

      await server.kill('SIGINT');
      const moment = { ...pgbackrest, MOMENT: row?.moment ?? '' };
      expectDone(await follow('postgres-moment', backups, moment, owner));
      await server.start();
      await until(async () => {
        const [state] = await runOn<{ recovers: boolean }>(server, 'SELECT pg_is_in_recovery() AS recovers');
        return state?.recovers === false;
      });
      await runCli(environment, cwd, 'read-only', 'on');
      const restored = await ServiceProcess.start(environment, { cwd });
      expect(await listNames(restored, key)).toEqual(kept);
      expect((await createPet(restored, key, 'too early')).status).toBe(503);
    });
  });
});
