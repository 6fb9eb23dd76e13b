import type { DataSource } from 'typeorm';
import { engineOf } from '../column-types';
import type { Serving } from './facts';

/** Processes that have reported within three minutes, each once a minute, and have not left. */
const SERVING = (columns: string) => `
  SELECT "version", ${columns} AS "columns" FROM "serving_processes"
  WHERE "left_at" IS NULL AND "seen_at" > now() - interval '3 minutes'`;

/**
 * Reads which versions serve on a PostgreSQL database, of whatever version its schema is, and the columns that they use. A SQLite
 * file has one version, which does not serve while it migrates.
 */
export async function readServing(dataSource: DataSource): Promise<Serving> {
  if (engineOf(dataSource) === 'sqlite') return { versions: [], columns: undefined };
  const runner = dataSource.createQueryRunner();
  try {
    if (!(await runner.hasTable('serving_processes'))) return { versions: [], columns: undefined };
    const tells = await runner.hasColumn('serving_processes', 'used_columns');
    const processes = (await runner.query(SERVING(tells ? '"used_columns"' : 'NULL'))) as {
      version: string;
      columns: string | null;
    }[];
    const versions = [...new Set(processes.map(({ version }) => version))].sort();
    const used = processes.map(({ columns }) => columns?.split(' '));
    const columns = used.every((each) => each !== undefined) ? new Set(used.flat()) : undefined;
    return { versions, columns };
  } finally {
    await runner.release();
  }
}
