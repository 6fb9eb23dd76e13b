import { type FileHandle, open, readdir, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Gauge } from '@prometheus-io/client';
import pTimeout from 'p-timeout';
import type { Settings } from '../../config/settings';
import { InjectSettings } from '../../config/settings.module';
import { Metrics } from '../../telemetry/metrics';
import { Database } from '../database';
import { type DatabaseLocation, parseDatabaseUrl } from '../driver/database-url';

/** Longest wait of a scrape, in milliseconds: without disk or database the other metrics are there in time. */
const SCRAPE_TIMEOUT_MS = 500;

/** Maximum number of files in a folder whose times are read. The last by name count: backups are named by their time. */
const MAX_FILES = 100;

/** First bytes of backups of `petstore db backup`: a SQLite file, a dump of pg_dump in its custom format. */
const BEGINNINGS: Readonly<Record<DatabaseLocation['engine'], Buffer>> = {
  sqlite: Buffer.from('SQLite format 3\0'),
  postgres: Buffer.from('PGDMP'),
};

const ARCHIVED = `SELECT coalesce(extract(epoch FROM last_archived_time), 0)::float8 AS value
  FROM pg_stat_archiver WHERE current_setting('archive_mode') <> 'off'`;

/** A role without the right to read statistics sees no `sync_state`: then the number is not known. */
const SYNCHRONOUS_STANDBYS = `SELECT CASE WHEN count(*) = count(sync_state)
    THEN count(*) FILTER (WHERE sync_state IN ('sync', 'quorum')) END::int4 AS value FROM pg_stat_replication`;

type Read = () => Promise<number | undefined>;

/**
 * Metrics of the safety of the data: the last backup, standbys that have every commit, and room on the disk. Read at each
 * scrape.
 */
@Injectable()
export class DurabilityMetrics {
  constructor(
    { registry }: Metrics,
    private readonly database: Database,
    @InjectSettings() { databaseUrl, backupPath }: Settings,
  ) {
    const location = parseDatabaseUrl(databaseUrl);
    const add = (name: string, help: string, read: Read) => registry.registerMetric(gauge(name, help, read));
    add(
      'petstore_last_backup_timestamp_seconds',
      'Time of the newest backup in BACKUP_PATH, 0 without a backup; without BACKUP_PATH, time of the last archived write-ahead log, if any.',
      () =>
        backupPath === undefined ? this.ask(ARCHIVED) : newestIn(backupPath, BEGINNINGS[location.engine]),
    );
    add(
      'petstore_synchronous_standbys',
      'Standbys of PostgreSQL that confirm each commit before it is acknowledged; no value while that is unknown.',
      () => this.ask(SYNCHRONOUS_STANDBYS),
    );
    const disk = async () =>
      location.engine === 'sqlite' && location.file !== ':memory:'
        ? statfs(dirname(location.file))
        : undefined;
    add('petstore_database_disk_free_bytes', 'Free space on the disk of the SQLite file.', async () => {
      const found = await disk();
      return found && found.bavail * found.bsize;
    });
    add('petstore_database_disk_size_bytes', 'Size of the disk of the SQLite file.', async () => {
      const found = await disk();
      return found && found.blocks * found.bsize;
    });
  }

  /** @returns undefined on SQLite, and while no connection is free */
  private async ask(query: string): Promise<number | undefined> {
    // A scrape never waits for a connection behind others.
    if (this.database.engine === 'sqlite' || this.database.pool.waiting) return undefined;
    const [row] = await this.database.dataSource.query<{ value: number | null }[]>(query);
    return row?.value ?? undefined;
  }
}

/** Makes a gauge that has no value while its value is unknown. */
function gauge(name: string, help: string, read: Read): Gauge {
  return new Gauge({
    name,
    help,
    registers: [],
    async collect() {
      const value = await pTimeout(read(), { milliseconds: SCRAPE_TIMEOUT_MS }).catch(() => undefined);
      this.reset();
      // A gauge without labels is 0 once it was reset.
      if (value === undefined) this.remove();
      else this.set(value);
    },
  });
}

/**
 * Resolves to the time at which the newest backup was written, in seconds since 1970; 0 without a backup. A path that is no
 * folder is a file that a script touches after each backup, so its content does not matter.
 */
async function newestIn(path: string, beginning: Buffer): Promise<number> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => undefined);
  if (!entries) return timeOf(await stat(path).catch(() => undefined));
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.unfinished'));
  const names = files.map(({ name }) => join(path, name)).sort();
  const times = names.slice(-MAX_FILES).map((name) => timeOfBackup(name, beginning));
  return Math.max(0, ...(await Promise.all(times)));
}

/** Resolves to 0 for a file that does not begin as a backup does, and for one that this process cannot read. */
async function timeOfBackup(file: string, beginning: Buffer): Promise<number> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file);
    const { buffer } = await handle.read(Buffer.alloc(beginning.length), 0, beginning.length, 0);
    return buffer.equals(beginning) ? timeOf(await handle.stat()) : 0;
  } catch {
    return 0;
  } finally {
    await handle?.close();
  }
}

function timeOf(found: { readonly mtimeMs: number } | undefined): number {
  return found ? found.mtimeMs / 1_000 : 0;
}
