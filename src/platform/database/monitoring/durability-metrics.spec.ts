import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeEachEngine } from '../../../../test/support/databases/databases';
import { makeFolder } from '../../../../test/support/folders';
import { startTestService, type TestService } from '../../../../test/support/service/service';

describeEachEngine('The metrics of durability', (engine) => {
  const folder = join(makeFolder(), 'backups');
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService(engine, { BACKUP_PATH: folder });
  });
  afterAll(() => service.stop());

  async function valueOf(name: string): Promise<number | undefined> {
    const response = await fetch(`${service.managementUrl}/metrics`);
    const line = new RegExp(`^${name} (\\S+)$`, 'm').exec(await response.text());
    return line ? Number(line[1]) : undefined;
  }

  it('give the time of the newest backup file, and 0 without one', async () => {
    const backup = () => valueOf('petstore_last_backup_timestamp_seconds');
    expect(await backup()).toBe(0);
    mkdirSync(folder);
    expect(await backup()).toBe(0);
    const write = (name: string, time: number) => {
      writeFileSync(join(folder, name), '');
      utimesSync(join(folder, name), time, time);
    };
    write('a.sqlite', 1_900_000_000);
    write('b.sqlite', 1_800_000_000);
    write('c.sqlite.unfinished', 2_000_000_000);
    expect(await backup()).toBe(1_900_000_000);
  });

  it("give the free space of SQLite's disk, or the number of PostgreSQL's synchronous standbys", async () => {
    const free = await valueOf('petstore_database_disk_free_bytes');
    const size = await valueOf('petstore_database_disk_size_bytes');
    const standbys = await valueOf('petstore_synchronous_standbys');
    if (engine === 'postgres') {
      expect({ free, size, standbys }).toEqual({ free: undefined, size: undefined, standbys: 0 });
    } else {
      expect(free).toBeGreaterThan(0);
      expect(free).toBeLessThan(size ?? 0);
      expect(standbys).toBeUndefined();
    }
  });
});
