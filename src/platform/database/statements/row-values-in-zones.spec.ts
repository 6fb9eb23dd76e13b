import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describeEachEngine } from '../../../../test/support/databases/databases';
import {
  databaseSettings,
  newSample,
  openSampleDatabase,
  Sample,
  type SampleDatabase,
} from '../../../../test/support/databases/sample-database';
import { Database } from '../database';
import { EntityRepository } from '../entities/entity-repository';

/** Zones with hours that come twice or not at all, and with offsets in seconds until 1883, 1937 and 1972. */
const ZONES = ['America/New_York', 'Australia/Lord_Howe', 'Europe/Amsterdam', 'Africa/Monrovia', 'UTC'];
const INSTANTS = [
  '0001-01-01T00:00:00.000Z',
  '0099-12-31T23:59:59.999Z',
  '1582-10-10T12:00:00.001Z',
  '1883-11-18T16:59:59.999Z',
  '1899-12-31T23:59:59.999Z',
  '1937-06-30T23:40:28.001Z',
  '1971-12-31T23:59:59.999Z',
  '2025-10-04T15:45:00.003Z',
  '2025-11-02T05:30:00.001Z',
  '2025-11-02T06:30:00.002Z',
  '9999-12-31T23:59:59.999Z',
];

const ROOT = join(__dirname, '..', '..', '..', '..');
const COMPILED = join(ROOT, 'dist', 'src', 'platform', 'database');

/**
 * Stores a row for each instant given, in the time zone of its process, with the day in UTC. Prints all rows, and the number of
 * them that a query of TypeORM's finds for each instant; TypeORM leaves the query's values to the driver: <settings>
 * <instant>...
 */
const STORE_AND_READ = `
  const { EntitySchema } = require('typeorm');
  const { createDataSource } = require('${COMPILED}/driver/data-source.js');
  const { Database } = require('${COMPILED}/database.js');
  const { EntityRepository } = require('${COMPILED}/entities/entity-repository.js');
  const Sample = new EntitySchema({
    name: 'Sample',
    tableName: 'samples',
    columns: {
      id: { type: 'bigint', primary: true, generated: 'increment' },
      label: { type: 'text' },
      at: { type: Date },
      day: { type: 'date' },
    },
  });
  const [settings, ...instants] = process.argv.slice(1);
  (async () => {
    const dataSource = createDataSource(JSON.parse(settings)).setOptions({ entities: [Sample] });
    await dataSource.initialize();
    const database = new Database(dataSource);
    const table = new EntityRepository(database, Sample);
    await table.insertMany(
      instants.map((at) => ({ label: process.env.TZ + ' ' + at, at: new Date(at), day: at.slice(0, 10) })),
    );
    const rows = await table.findAfter({ after: 0n, limit: 1000 });
    const found = [];
    for (const at of instants) found.push(await dataSource.getRepository(Sample).countBy({ at: new Date(at) }));
    process.stdout.write(JSON.stringify({ rows: rows.map(({ label, at, day }) => [label, at, day]), found }));
    await dataSource.destroy();
  })();
`;

describeEachEngine('An instant and a day', (engine) => {
  let samples: SampleDatabase;

  beforeEach(async () => {
    samples = await openSampleDatabase(engine);
  });
  afterEach(() => samples.close());

  async function storeAndRead(
    zone: string,
    instants: readonly string[],
  ): Promise<{ rows: [string, string, string][]; found: number[] }> {
    const settings = JSON.stringify(databaseSettings(samples.url));
    const run = promisify(execFile)(process.execPath, ['-e', STORE_AND_READ, settings, ...instants], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, TZ: zone },
    });
    return JSON.parse((await run).stdout) as Awaited<ReturnType<typeof storeAndRead>>;
  }

  it('are the same for processes and queries of TypeORM in every time zone', async () => {
    const rowsOf = (zone: string) => INSTANTS.map((at) => [`${zone} ${at}`, at, at.slice(0, 10)]);
    const expected: string[][] = [];
    for (const [index, zone] of ZONES.entries()) {
      expected.push(...rowsOf(zone));
      const found = INSTANTS.map(() => index + 1);
      expect([zone, await storeAndRead(zone, INSTANTS)]).toEqual([zone, { rows: expected, found }]);
    }
    const here = await new EntityRepository(samples.database, Sample).findAfter({ after: 0n, limit: 1_000 });
    expect(here.map(({ label, at, day }) => [label, at?.toISOString(), day])).toEqual(expected);
  });
});

describe('An instant and a day on PostgreSQL', () => {
  let samples: SampleDatabase;

  beforeEach(async () => {
    samples = await openSampleDatabase('postgres');
  });
  afterEach(() => samples.close());

  it('are the same for a session in another time zone', async () => {
    const inUtc = new EntityRepository(samples.database, Sample);
    // One connection, which a module sets another time zone on.
    const dataSource = await samples.another({ databasePoolSize: 1 });
    await dataSource.query(`SET timezone TO 'America/New_York'`);

    const inNewYork = new EntityRepository(new Database(dataSource), Sample);
    for (const text of INSTANTS) {
      const values = { at: new Date(text), day: text.slice(0, 10) };
      const { id } = await inNewYork.insert(newSample(text, values));
      expect(await inNewYork.findOne(id)).toMatchObject(values);
      expect(await inUtc.findOne(id)).toMatchObject(values);
      expect(await inNewYork.findAfter({ after: 0n, limit: 10 }, { at: values.at })).toHaveLength(1);
    }
  });
});
