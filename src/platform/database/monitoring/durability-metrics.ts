import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Injectable } from '@nestjs/common';
import type { Settings } from '../../config/settings';
import { InjectSettings } from '../../config/settings.module';
import { addGaugeIfKnown } from '../../telemetry/add-gauge';
import { Metrics } from '../../telemetry/metrics';
import type { Engine } from '../column-types';
import { Database } from '../database';
import { parseDatabaseUrl } from '../driver/database-url';
import { newestBackup } from './newest-backup';

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
    const add = (name: string, help: string, read: Read) => addGaugeIfKnown(registry, name, help, read);
    add(
      'petstore_last_backup_timestamp_seconds',
      'Time of the newest backup in BACKUP_PATH, 0 without a backup; without BACKUP_PATH, time of the last archived write-ahead log, if any.',
      () => (backupPath === undefined ? this.ask(ARCHIVED) : timeOfNewest(backupPath, location.engine)),
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

/**
 * Resolves to the time at which the newest backup was written, in seconds since 1970; 0 without a backup. A path that is no
 * folder is a file that a script touches after each backup, so its content does not matter.
 */
async function timeOfNewest(path: string, engine: Engine): Promise<number> {
  try {
    return ((await newestBackup(path, engine))?.writtenMs ?? 0) / 1_000;
  } catch {
    return ((await stat(path).catch(() => undefined))?.mtimeMs ?? 0) / 1_000;
  }
}
