import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { backUpRepeatedly } from '../../../src/admin/database/backup';
import { runSql, sqliteFile } from '../../contract/support/sql';
import { resultOf } from '../../support/processes/command';
import { createTestDatabase } from '../../support/databases/databases';
import { startTestService, type TestService } from '../../support/service/service';
import { ServiceProcess, endServiceProcesses } from '../../support/processes/service-process';
import { until } from '../../support/until';
import { CliInProcess } from '../../cli/support/cli-in-process';

describe('petstore db backup', () => {
  let service: TestService;
  let cli: CliInProcess;

  beforeAll(async () => {
    service = await startTestService('sqlite');
    cli = new CliInProcess({ DATABASE_URL: service.database.url });
  });
  afterEach(() => endServiceProcesses());
  afterAll(() => service.stop());

  it('copies committed rows beside a server that goes on writing, and the copy can be served', async () => {
    for (let i = 0; i < 50; i++) await service.post('/v1/pets', { name: `before ${i}`, categoryId: i });
    const end = new AbortController();
    let written = 0;
    const writing = (async () => {
      while (!end.signal.aborted) {
        expect((await service.post('/v1/pets', { name: 'meanwhile', categoryId: 1 })).status).toBe(201);
        written += 1;
      }
    })();
    expect(await cli.process.run('db', 'backup', 'copy.sqlite')).toEqual({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(` ${sqliteFile(service.database)} .* copy.sqlite\\.\n$`) as string,
    });
    end.abort();
    await writing;
    expect(written).toBeGreaterThan(0);
    expect(readdirSync(cli.folder).sort()).toEqual(['copy.sqlite']);
    expect((statSync(join(cli.folder, 'copy.sqlite')).mode & 0o777).toString(8)).toBe('600');

    const restored = await ServiceProcess.start({ DATABASE_URL: 'sqlite:copy.sqlite' }, { cwd: cli.folder });
    const list = await restored.fetch('/v1/pets?limit=100', service.key);
    const names = ((await list.json()) as { name: string }[]).map(({ name }) => name);
    expect(names.slice(0, 50)).toEqual(Array.from({ length: 50 }, (_, i) => `before ${i}`));
  });

  it('with --every makes one backup after the other, keeps the newest, and ends when told to', async () => {
    const folder = join(cli.folder, 'series');
    const ending = new AbortController();
    const made: string[] = [];
    const warnings: string[] = [];
    const plan = {
      folder,
      engine: 'sqlite' as const,
      everyMs: 1,
      keep: 2,
      signal: ending.signal,
      warn: (text: string) => void warnings.push(text),
    };
    await backUpRepeatedly(plan, async (file) => {
      if (made.length === 0) writeFileSync(join(folder, 'petstore-of-another.sqlite'), '');
      await cli.run('db', 'backup', file);
      if (made.push(basename(file)) === 4) ending.abort();
    });
    expect(readdirSync(folder).sort()).toEqual([...made.slice(-2), 'petstore-of-another.sqlite'].sort());
    expect(warnings).toEqual([]);

    const beside = cli.process.start('db', 'backup', 'every', '--every', '60');
    await until(
      () => existsSync(join(cli.folder, 'every')) && readdirSync(join(cli.folder, 'every')).length > 0,
    );
    const result = resultOf(beside);
    beside.kill('SIGTERM');
    expect(await result).toMatchObject({ code: 0 });
  });

  it('with --every deletes no backup while the newest is much smaller than an earlier one, and says so', async () => {
    const folder = join(cli.folder, 'shrunk');
    const sizes = [100_000, 90_000, 10_000, 11_000, 12_000];
    const ending = new AbortController();
    const warnings: string[] = [];
    let made = 0;
    const plan = {
      folder,
      engine: 'sqlite' as const,
      everyMs: 5,
      keep: 1,
      signal: ending.signal,
      warn: (text: string) => void warnings.push(text),
    };
    await backUpRepeatedly(plan, (file) => {
      writeFileSync(file, Buffer.alloc(sizes[made] as number));
      if (++made === sizes.length) ending.abort();
      return Promise.resolve();
    });
    const left = readdirSync(folder).sort();
    expect(left.map((name) => statSync(join(folder, name)).size)).toEqual([90_000, 10_000, 11_000, 12_000]);
    expect(warnings).toHaveLength(3);
    expect(warnings[2]).toBe(
      `Old backups are kept: ${left[3]} has only 11.7 KiB, and ${left[0]} has 87.9 KiB. Compare them; if the database has really become smaller, move the large backups to another folder.`,
    );
  });

  it('with --every waits between two backups for longer than a timer holds', async () => {
    const ending = new AbortController();
    const series = async (name: string, everyMs: number) => {
      const folder = join(cli.folder, name);
      const plan = {
        folder,
        engine: 'sqlite' as const,
        everyMs,
        keep: 9,
        signal: ending.signal,
        warn: () => undefined,
      };
      await backUpRepeatedly(plan, async (file) => writeFileSync(file, ''));
    };
    const made = (name: string) => readdirSync(join(cli.folder, name)).length;
    const both = Promise.all([series('monthly', 43_200 * 60_000), series('always', 1)]);
    await until(() => made('always') > 5);
    expect(made('monthly')).toBe(1);
    ending.abort();
    await both;
  });

  it('fails on a database that lacks a table, and keeps the copy', async () => {
    const database = await createTestDatabase('sqlite');
    const broken = cli.with({ DATABASE_URL: database.url });
    await broken.run('db', 'migrate');
    await runSql(database, 'DROP TABLE pets');
    const { code, stderr } = await broken.run('db', 'backup', 'lacks.sqlite');
    expect([code, stderr]).toEqual([
      1,
      'The backup lacks.sqlite was written, but tables or columns of the service are missing in the database: pets. Keep the backups before it.\n',
    ]);
    expect(existsSync(join(cli.folder, 'lacks.sqlite'))).toBe(true);
    await database.drop();
  });

  it('never overwrites an existing file', async () => {
    writeFileSync(join(cli.folder, 'taken'), 'mine');
    expect(await cli.run('db', 'backup', 'taken')).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(' taken '),
    });
  });

  it('replaces what a killed backup has left', async () => {
    for (const rest of ['again.sqlite.1.unfinished', 'again.sqlite.1.unfinished-journal']) {
      writeFileSync(join(cli.folder, rest), 'half of a page', { mode: 0o644 });
      utimesSync(join(cli.folder, rest), new Date(0), new Date(0));
    }
    expect(await cli.run('db', 'backup', 'again.sqlite')).toMatchObject({ code: 0 });
    expect(readdirSync(cli.folder).filter((name) => name.startsWith('again'))).toEqual(['again.sqlite']);
    expect((statSync(join(cli.folder, 'again.sqlite')).mode & 0o777).toString(8)).toBe('600');
  });

  it('leaves alone what another process has begun of the same file', async () => {
    const begun = join(cli.folder, 'twice.sqlite.1.unfinished');
    writeFileSync(begun, 'half of a page');
    expect(await cli.run('db', 'backup', 'twice.sqlite')).toMatchObject({ code: 0 });
    expect(readFileSync(begun, 'utf8')).toBe('half of a page');
  });

  it('with --every removes what a killed backup of the folder has left, and no backup while a clock is wrong', async () => {
    const folder = join(cli.folder, 'ahead');
    mkdirSync(folder);
    const ahead = ['petstore-2130-01-01T00-00-00-000Z.sqlite', 'petstore-2130-01-02T00-00-00-000Z.sqlite'];
    for (const name of ahead) writeFileSync(join(folder, name), '');
    const rest = join(folder, 'petstore-2020-01-01T00-00-00-000Z.sqlite.1.unfinished');
    writeFileSync(rest, '');
    utimesSync(rest, new Date(0), new Date(0));
    const ending = new AbortController();
    const warnings: string[] = [];
    const warn = (text: string) => void warnings.push(text);
    await backUpRepeatedly(
      { folder, engine: 'sqlite', everyMs: 1, keep: 1, signal: ending.signal, warn },
      (file) => {
        writeFileSync(file, '');
        ending.abort();
        return Promise.resolve();
      },
    );
    expect(readdirSync(folder).sort()).toEqual([expect.stringMatching(/^petstore-20\d\d-/), ...ahead]);
    expect(warnings).toEqual([expect.stringContaining(` ${ahead[1]} `)]);
  });

  it('names a place where it cannot write, and leaves nothing', async () => {
    const { code, stderr } = await cli.run('db', 'backup', 'nowhere/copy.sqlite');
    expect([code, stderr]).toEqual([1, expect.stringContaining(' nowhere/copy.sqlite ')]);
    expect(existsSync(join(cli.folder, 'nowhere'))).toBe(false);
  });

  it('requires a file', async () => {
    expect((await cli.run('db', 'backup')).code).toBe(2);
  });
});
