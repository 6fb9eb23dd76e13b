import { spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { sqliteFile } from '../../contract/support/sql';
import { CreateTails1790000000009, ofNextRelease } from '../../support/databases/with-schema';
import { createTestDatabase } from '../../support/databases/databases';
import { makeFolder } from '../../support/folders';
import { startTestService, type TestService } from '../../support/service/service';
import { until } from '../../support/until';
import { resultOf } from '../../support/processes/command';
import { CLI_ENTRY } from '../../cli/support/cli-process';
import { CliInProcess } from '../../cli/support/cli-in-process';
import { doctor } from './support/doctor';

interface Report {
  readonly backup: string;
  readonly newestAt: string | null;
  readonly problems: readonly string[];
  readonly migrated: readonly string[];
  readonly tables: readonly { table: string; rows: number; newestAt: string | null }[];
}

interface Event {
  readonly subjectId: string;
  readonly after: Readonly<Record<string, unknown>>;
}

describe('petstore db drill', () => {
  const backups = makeFolder();
  let service: TestService;
  let cli: CliInProcess;

  beforeAll(async () => {
    service = await startTestService('sqlite', { BACKUP_PATH: backups });
    cli = new CliInProcess({ DATABASE_URL: service.database.url, BACKUP_PATH: backups });
    for (let i = 0; i < 30; i++) await service.post('/v1/pets', { name: `pet ${i}`, categoryId: i });
    await cli.run('db', 'backup', join(backups, 'good.sqlite'));
  });
  afterAll(() => service.stop());

  const good = () => join(backups, 'good.sqlite');
  const scratch = () => `${sqliteFile(service.database)}-drill`;

  /** A copy of the good backup, changed. */
  function changed(change: (file: string) => void): string {
    const file = join(makeFolder(), 'changed.sqlite');
    copyFileSync(good(), file);
    change(file);
    return file;
  }

  function changedBySql(sql: string): string {
    return changed((file) => {
      const database = new SqliteDatabase(file);
      database.exec(sql);
      database.close();
    });
  }

  async function drill(...args: string[]) {
    const { code, stdout, stderr } = await cli.run('db', 'drill', ...args, '--json');
    expect(existsSync(scratch())).toBe(false);
    return { code, stderr, report: (stdout === '' ? undefined : JSON.parse(stdout)) as Report | undefined };
  }

  async function newestEvent(): Promise<Event | undefined> {
    const listed = ['audit', 'list', '--subject', 'drills', '--limit', '1'];
    return (await cli.json<{ items: Event[] }>(...listed)).items[0];
  }

  async function restoredAt(): Promise<number> {
    const name = 'petstore_last_restore_timestamp_seconds';
    let value: string | undefined;
    await until(async () => {
      const text = await (await fetch(`${service.managementUrl}/metrics`)).text();
      return (value = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]) !== undefined;
    });
    return Number(value);
  }

  it('restores the newest backup of BACKUP_PATH, counts its rows, and leaves a record where operators look', async () => {
    expect(await restoredAt()).toBe(0);
    expect((await doctor(cli)).of('restore')).toMatchObject([{ status: 'warn' }]);
    await service.post('/v1/pets', { name: 'since', categoryId: 1 });
    const { code, report } = await drill();
    expect(code).toBe(0);
    expect(report).toMatchObject({ backup: good(), problems: [], migrated: [] });
    const pets = report?.tables.find(({ table }) => table === 'pets');
    expect(pets?.rows).toBe(30);
    expect(Date.parse(pets?.newestAt ?? '')).toBeLessThanOrEqual(Date.parse(report?.newestAt ?? ''));
    expect(report?.tables.find(({ table }) => table === 'api_keys')?.newestAt).not.toBeNull();
    expect(await newestEvent()).toMatchObject({ subjectId: 'passed', after: { backup: 'good.sqlite' } });
    expect(await restoredAt()).toBeGreaterThan(0);
    expect((await doctor(cli)).of('restore')).toMatchObject([{ status: 'ok' }]);
  });

  it('applies to a backup of an older release what a start would, and changes no backup', async () => {
    const before = readFileSync(good());
    const { code, report } = await ofNextRelease(async () => {
      await cli.run('db', 'migrate');
      const drilled = await drill(good());
      await cli.run('db', 'revert', '--yes');
      return drilled;
    });
    expect([code, report?.migrated, report?.problems]).toEqual([0, [CreateTails1790000000009.name], []]);
    expect(readFileSync(good()).equals(before)).toBe(true);
  });

  it.each<[string, () => string, RegExp]>([
    ['is cut', () => changed((file) => truncateSync(file, 40_000)), /damaged|malformed/],
    [
      'has a damaged page',
      () => changed((file) => writeSync(openSync(file, 'r+'), Buffer.alloc(4_096, 7), 0, 4_096, 8 * 4_096)),
      /./,
    ],
    ['is a text', () => changed((file) => writeFileSync(file, 'no database'.repeat(1_000))), /SQLite/],
    ['is empty', () => changed((file) => truncateSync(file, 0)), /tables/],
    [
      'is of a newer release',
      () =>
        changedBySql(`INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'Later9999999999999')`),
      /Later9999999999999/,
    ],
    ['lacks a table', () => changedBySql('DROP TABLE pets'), /pets/],
    [
      'is of another service of the same tables',
      () => changedBySql(`UPDATE api_keys SET id = 'key_' || lower(hex(randomblob(8)))`),
      /another service/,
    ],
  ])('fails, and records why, when the backup %s', async (_, make, problem) => {
    const before = await restoredAt();
    const backup = make();
    const { code, stderr, report } = await drill(backup);
    expect([code, stderr]).toEqual([1, expect.stringContaining(backup)]);
    expect(report?.problems.join()).toMatch(problem);
    expect(await newestEvent()).toMatchObject({ subjectId: 'failed', after: { problems: report?.problems } });
    expect(await restoredAt()).toBe(before);
  });

  it('records nothing when there is no backup to restore', async () => {
    const before = await newestEvent();
    const empty = cli.with({ BACKUP_PATH: makeFolder() });
    expect(await empty.run('db', 'drill')).toMatchObject({ code: 1 });
    expect(await drill(join(backups, 'none'))).toMatchObject({ code: 1, report: undefined });
    expect(await drill(sqliteFile(service.database))).toMatchObject({ code: 2, report: undefined });
    const { code } = await new CliInProcess({ DATABASE_URL: service.database.url }).run('db', 'drill');
    expect([code, await newestEvent()]).toEqual([2, before]);
  });

  it('leaves nothing and records nothing when the disk takes no copy', async () => {
    const before = await newestEvent();
    const command = ['bash', '-c', 'ulimit -f 100; exec "$@"', 'limited', process.execPath, CLI_ENTRY];
    const [program = '', ...words] = [...command, 'db', 'drill'];
    const env = { PATH: process.env.PATH, DATABASE_URL: service.database.url, BACKUP_PATH: backups };
    const child = spawn(program, words, { env, cwd: cli.folder, stdio: ['ignore', 'pipe', 'pipe'] });
    expect(await resultOf(child)).toMatchObject({ code: 1, stderr: expect.stringContaining('EFBIG') });
    expect([existsSync(scratch()), await newestEvent()]).toEqual([false, before]);
  });

  it('is refused beside another drill, and removes what a killed one has left', async () => {
    mkdirSync(scratch());
    writeFileSync(join(scratch(), 'scratch.sqlite'), 'left');
    const other = new SqliteDatabase(join(scratch(), 'lock'));
    other.exec('BEGIN EXCLUSIVE');
    expect(await cli.run('db', 'drill')).toMatchObject({ code: 4 });
    expect(readFileSync(join(scratch(), 'scratch.sqlite'), 'utf8')).toBe('left');
    other.close();
    expect((await drill()).code).toBe(0);
  });

  it('may be made while the service is read-only', async () => {
    await cli.run('read-only', 'on');
    expect((await drill()).code).toBe(0);
    await cli.run('read-only', 'off');
  });

  it('cannot tell backups of services apart where the served database has no key yet', async () => {
    const database = await createTestDatabase('sqlite');
    const fresh = cli.with({ DATABASE_URL: database.url });
    await fresh.run('db', 'migrate');
    expect(await fresh.run('db', 'drill', good())).toMatchObject({ code: 0 });
    await database.drop();
  });
});
