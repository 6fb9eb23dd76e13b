import { describeLocation } from '../../src/platform/database/driver/database-url';
import { describeOneEngine, type TestDatabase } from '../support/databases/databases';
import { createMigratedDatabase } from '../support/databases/migrated-database';
import { until } from '../support/until';
import { CliInProcess } from './support/cli-in-process';
import { execute } from './support/execute';

const STATUSES = ['available', 'pending', 'sold', null];

interface Row {
  name: string;
  category_id: bigint;
  status: string | null;
}

describeOneEngine('petstore seed', (engine) => {
  let database: TestDatabase;
  let cli: CliInProcess;

  const rows = () => execute<Row>(database, 'SELECT name, category_id, status FROM pets ORDER BY id');
  const stored = async () => {
    const [row] = await execute<{ count: bigint }>(database, 'SELECT count(*) AS count FROM pets');
    return Number(row?.count);
  };

  beforeEach(async () => {
    database = await createMigratedDatabase(engine);
    cli = new CliInProcess({ DATABASE_URL: database.url });
  });
  afterEach(() => database.drop());

  it('adds exactly as many as asked, across batches and statements', async () => {
    expect(await cli.run('seed', '--count', '2201')).toEqual({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(`^2,201 [^]* ${describeLocation(database.url)}\n$`) as string,
    });
    expect(await cli.run('seed', '--count', '1')).toEqual({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(`^1 pet [^]* ${describeLocation(database.url)}\n$`) as string,
    });
    expect(await stored()).toBe(2202);
  });

  it('adds plausible pets with many names, categories 1 to 10, every status and none', async () => {
    await cli.run('seed', '--count', '1000');
    const pets = await rows();
    expect(new Set(pets.map(({ name }) => name)).size).toBeGreaterThan(100);
    expect(pets.every(({ name }) => /^[A-Z][a-z]+( [a-z]+)*( [A-Z][a-z]+)?$/.test(name))).toBe(true);
    const categories = [...new Set(pets.map(({ category_id }) => Number(category_id)))];
    expect(categories.sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    for (const status of STATUSES) {
      expect(pets.filter((pet) => pet.status === status).length).toBeGreaterThan(100);
    }
  });

  it('adds the same pets every time', async () => {
    await cli.run('seed', '--count', '300');
    await cli.run('seed', '--count', '300');
    const pets = await rows();
    expect(pets.slice(300)).toEqual(pets.slice(0, 300));
  });

  it('adds pets of many years on request: status goes with age, and most of the oldest are removed', async () => {
    await cli.run('seed', '--count', '2200', '--aged');
    const aged = await execute<Row & { created_at: unknown; removed_at: unknown }>(
      database,
      'SELECT status, created_at, removed_at FROM pets ORDER BY created_at, id',
    );
    const byAge = aged.map(({ status }) => status).filter((status, index, all) => status !== all[index - 1]);
    expect(byAge).toEqual([null, 'sold', 'available', 'pending']);
    const [oldest, newest] = [aged.slice(0, 700), aged.slice(750)];
    expect(oldest.filter(({ removed_at }) => removed_at !== null).length).toBeGreaterThan(650);
    expect(newest.filter(({ removed_at }) => removed_at !== null)).toEqual([]);
    const years = aged.map(({ created_at }) => new Date(created_at as string).getUTCFullYear());
    expect(new Set(years).size).toBeGreaterThan(5);
  });

  it('ends after a whole batch when it is interrupted, and says how many there are: exit code 1', async () => {
    const child = cli.process.start('seed', '--count', '100000000');
    let stderr = '';
    child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
    const ended = new Promise((resolve) => void child.on('close', resolve));
    await until(async () => (await stored()) > 0);
    child.kill('SIGINT');
    expect(await ended).toBe(1);
    const count = await stored();
    expect(stderr).toContain(` ${count.toLocaleString('en')} of 100,000,000 `);
    expect(count % 1_000).toBe(0);
  });

  it('shows a progress bar on a terminal', async () => {
    const { code, stdout } = await cli.process.runOnTerminal(['seed', '--count', '5000']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/Adding pets \[=+\] 100% \| 5,000\/5,000/);
    expect(stdout).toContain('5,000 ');
  });
});
