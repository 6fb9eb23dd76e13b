import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { createToken } from '../../src/platform/security/api-key-token';
import { timed } from '../support/http/timed-response';
import { makeFolder } from '../support/folders';
import { endServiceProcesses, ServiceProcess } from '../support/processes/service-process';
import { milliseconds } from './support/responses';
import { type Disk, limitedFiles, smallFileSystem, whyNoFileSystem } from './support/disks';
import { recordFigure } from '../support/samples/figures';
import { expectSoundSqlite } from './support/integrity';
import { Load } from './support/load';
import { expectAcknowledged, expectEachOnce } from './support/pets';

/** More than one: what a full disk leaves behind shows when it is full again. */
const ROUNDS = 3;

const key = createToken();
const cwd = makeFolder();

function start(file: string, disk?: Disk): Promise<ServiceProcess> {
  const environment = { DATABASE_URL: `sqlite:${file}`, BOOTSTRAP_API_KEY: key };
  return ServiceProcess.start(environment, { cwd, ...(disk && { through: disk.through }) });
}

/** Copies the database as it is on the disk, where what is not committed cannot be seen. */
function copyOf(file: string): string {
  const copy = join(makeFolder(), 'copy.sqlite');
  copyFileSync(file, copy);
  copyFileSync(`${file}-wal`, `${copy}-wal`);
  return copy;
}

function expectCommitted(copy: string, ids: Iterable<string>): void {
  expectSoundSqlite(copy);
  const sqlite = new SqliteDatabase(copy, { readonly: true });
  const rows = sqlite.prepare('SELECT CAST(id AS TEXT) FROM pets').pluck().all() as string[];
  sqlite.close();
  const there = new Set(rows);
  expect([...ids].filter((id) => !there.has(id))).toEqual([]);
}

const reason = whyNoFileSystem(makeFolder());
const disks: [string, (folder: string) => Disk][] = [['files that may not grow', limitedFiles]];
if (reason === undefined) disks.push(['a full disk', smallFileSystem]);
else recordFigure('a full disk', 'not tried: this machine lets no user mount a file system', reason);

describe.each(disks)('A service on SQLite that meets %s', (name, makeDisk) => {
  afterEach(() => endServiceProcesses());

  it('acknowledges no pet that it cannot store, still reads, and writes again when there is room', async () => {
    const disk = makeDisk(makeFolder());
    const service = await start(disk.file, disk);
    const load = new Load(service, key);
    let longest = 0;
    for (let round = 0; round < ROUNDS; round++) {
      load.start();
      await load.progress(50);
      disk.fill(service.pid);
      await load.more(503, 50);
      await load.pause();

      expectCommitted(copyOf(disk.fileFromHere(service.pid)), load.writers.acknowledged.keys());
      await expectAcknowledged(service, key, load.writers);
      const list = await timed(() => service.fetch('/v1/pets?limit=100', key));
      expect(list?.status).toBe(200);
      // No client reads any more, and SQLite may find room in its write-ahead log again: refused, or kept like the others.
      expect(await load.writers.writeOne(service)).toBe(true);

      disk.clear(service.pid);
      load.start();
      longest = Math.max(longest, await load.progress(1));
    }
    await load.stop();
    const { responses, writers } = load;
    expect(responses.wrong).toEqual([]);
    expect(responses.statuses).toEqual([200, 201, 503]);
    expect(load.withoutResponse).toBe(0);

    const copy = copyOf(disk.fileFromHere(service.pid));
    expectCommitted(copy, writers.acknowledged.keys());
    await service.kill('SIGKILL');
    const next = await start(copy);
    await expectAcknowledged(next, key, writers);
    await expectEachOnce(next, key, writers);

    responses.record(name);
    recordFigure(name, 'pets acknowledged and checked', writers.acknowledged.size);
    recordFigure(name, 'longest until a pet was acknowledged again', milliseconds(longest));
  });
});
