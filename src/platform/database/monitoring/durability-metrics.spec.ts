import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeEachEngine } from '../../../../test/support/databases/databases';
import { makeFolder } from '../../../../test/support/folders';
import { startTestService, type TestService } from '../../../../test/support/service/service';
import { until } from '../../../../test/support/until';

/** How backups begin. */
const SQLITE = `SQLite format 3\0${'x'.repeat(100)}`;
const PG_DUMP = `PGDMP\x01\x0f${'x'.repeat(100)}`;

describeEachEngine('The metrics of durability', (engine) => {
  const folder = join(makeFolder(), 'backups');
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService(engine, { BACKUP_PATH: folder });
  });
  afterAll(() => service.stop());

  async function valueOf(name: string, { managementUrl } = service): Promise<number | undefined> {
    const response = await fetch(`${managementUrl}/metrics`);
    const line = new RegExp(`^${name} (\\S+)$`, 'm').exec(await response.text());
    return line ? Number(line[1]) : undefined;
  }

  /** A scrape does not wait long for the disk or the database: on a slow machine the next one has the value. */
  async function known(name: string, of = service): Promise<number> {
    let value: number | undefined;
    await until(async () => (value = await valueOf(name, of)) !== undefined);
    return value as number;
  }

  const lastBackup = (of = service) => known('petstore_last_backup_timestamp_seconds', of);

  function write(path: string, content: string, time: number): void {
    writeFileSync(path, content);
    utimesSync(path, time, time);
  }

  it('give the time of the newest file that is a backup of this engine, and 0 without one', async () => {
    const [own, other] = engine === 'postgres' ? [PG_DUMP, SQLITE] : [SQLITE, PG_DUMP];
    expect(await lastBackup()).toBe(0);
    mkdirSync(folder);
    expect(await lastBackup()).toBe(0);
    write(join(folder, 'petstore.dump'), '', 2_000_000_000);
    expect(await lastBackup()).toBe(0);
    write(join(folder, 'a'), own, 1_900_000_000);
    write(join(folder, 'b'), own, 1_800_000_000);
    write(join(folder, 'c.unfinished'), own, 2_000_000_000);
    write(join(folder, 'd'), other, 2_000_000_000);
    write(join(folder, 'e'), own.slice(0, 3), 2_000_000_000);
    write(join(folder, 'notes.txt'), 'of another kind\n', 2_000_000_000);
    mkdirSync(join(folder, 'f'));
    expect(await lastBackup()).toBe(1_900_000_000);
  });

  it('give the time of a file that BACKUP_PATH names itself, whatever is in it', async () => {
    const marker = join(makeFolder(), 'last-backup');
    const marked = await startTestService(engine, { BACKUP_PATH: marker });
    try {
      expect(await lastBackup(marked)).toBe(0);
      write(marker, '', 1_900_000_000);
      expect(await lastBackup(marked)).toBe(1_900_000_000);
    } finally {
      await marked.stop();
    }
  });

  it("give the free space of SQLite's disk, or the number of PostgreSQL's synchronous standbys", async () => {
    const [free, size] = ['petstore_database_disk_free_bytes', 'petstore_database_disk_size_bytes'] as const;
    const standbys = 'petstore_synchronous_standbys';
    if (engine === 'postgres') {
      expect(await known(standbys)).toBe(0);
      expect([await valueOf(free), await valueOf(size)]).toEqual([undefined, undefined]);
    } else {
      expect(await known(free)).toBeGreaterThan(0);
      expect(await known(free)).toBeLessThan(await known(size));
      expect(await valueOf(standbys)).toBeUndefined();
    }
  });
});
