import { type DataSource, type EntityMetadata, IsNull, Not } from 'typeorm';
import type { ApiKeysService } from '../../auth/api-keys.service';
import type { Settings } from '../../platform/config/settings';
import { explainFault } from '../../platform/cli/command-error';
import { driverCode, isUnavailable } from '../../platform/database/driver/driver-errors';
import { migrate } from '../../platform/database/schema/migrate';
import { readSchemaState } from '../../platform/database/schema/schema-state';
import { inspectDatabase } from './inspect-database';

/** Rows of a table of a restored database. */
export interface RestoredTable {
  readonly table: string;
  readonly rows: number;
  /** Time of its newest row; null if there is none, or its rows have no time. */
  readonly newestAt: Date | null;
}

/** Result of a drill. The members are stable: scripts read them. */
export interface DrillFindings {
  /** Faults, a sentence each; without any the backup can be restored and served. */
  readonly problems: readonly string[];
  /** Migrations that a start of this version would apply, and that were applied. */
  readonly migrated: readonly string[];
  /** Empty if there are faults. */
  readonly tables: readonly RestoredTable[];
}

/** SQLite's code of a full disk, and SQLSTATE of a right that is missing. */
const NOT_OF_THE_BACKUP = /^(SQLITE_FULL|42501)$/;

/**
 * Examines a restored database; a fault on which the examination ends is a finding, too.
 *
 * @param keys those of the served database
 */
export async function examined(
  restored: DataSource,
  settings: Settings,
  keys: ApiKeysService,
): Promise<DrillFindings> {
  try {
    return await examineRestored(restored, settings, keys);
  } catch (error) {
    if (!isOfTheBackup(error)) throw error;
    return failed([explainFault(error)]);
  }
}

/** Tells a fault of the backup from a full disk, a lost connection to the server and a missing right. */
function isOfTheBackup(error: unknown): boolean {
  const code = driverCode(error) ?? '';
  if (NOT_OF_THE_BACKUP.test(code)) return false;
  // What SQLite cannot read in its file is a fault of the file.
  return code.startsWith('SQLITE_') || !Error.isError(error) || !isUnavailable(error);
}

/** Does with a restored database what `db status` and `db check` do with a served one, migrates it, and counts its rows. */
async function examineRestored(
  restored: DataSource,
  settings: Settings,
  keys: ApiKeysService,
): Promise<DrillFindings> {
  const context = { settings, database: () => Promise.resolve(restored) };
  const damages = faultsOf(await inspectDatabase({ ...context, isDeep: true })).filter(
    ({ name }) => name !== 'migrations',
  );
  if (damages.length > 0) return failed(textsOf(damages));
  const { applied, pending, unknown } = await readSchemaState(restored);
  if (applied.length === 0) return failed(['The backup has none of the tables of this service.']);
  const migrated = unknown.length === 0 && pending.length > 0 ? await migrate(restored) : [];
  const problems = textsOf(faultsOf(await inspectDatabase({ ...context, isDeep: false })));
  if (problems.length > 0) return failed(problems, migrated);
  const stranger = await strangerIn(restored, keys);
  if (stranger !== undefined) return failed([stranger], migrated);
  return { problems, migrated, tables: await tablesOf(restored) };
}

function faultsOf(inspections: Awaited<ReturnType<typeof inspectDatabase>>) {
  return inspections.filter(({ status }) => status === 'failed');
}

function textsOf(faults: ReturnType<typeof faultsOf>): string[] {
  return faults.flatMap(({ problems }) => problems);
}

/** The findings about a backup that cannot be restored and served. */
export function failed(problems: readonly string[], migrated: readonly string[] = []): DrillFindings {
  return { problems, migrated, tables: [] };
}

const OLDEST_KEYS = 'SELECT "id" FROM "api_keys" ORDER BY "created_at" LIMIT 100';

/** Says that a backup is of another service of the same tables: keys are never removed, and have ids of their own. */
async function strangerIn(restored: DataSource, keys: ApiKeysService): Promise<string | undefined> {
  const ids = (await restored.query<{ id: string }[]>(OLDEST_KEYS)).map(({ id }) => id);
  const isKnown = ids.length === 0 || (await keys.byId(ids)).size > 0 || (await keys.count({}, 1)) === 0;
  if (isKnown) return undefined;
  return 'The served database knows no API key of the backup: the backup is of another service.';
}

async function tablesOf(restored: DataSource): Promise<RestoredTable[]> {
  const tables: RestoredTable[] = [];
  for (const entity of restored.entityMetadatas) {
    const rows = await restored.getRepository(entity.target).count({ withDeleted: true });
    tables.push({ table: entity.tableName, rows, newestAt: await newestIn(restored, entity) });
  }
  return tables.sort((one, other) => one.table.localeCompare(other.table));
}

/** Members that have the time at which a row was made. */
const MADE_AT = new Set(['createdAt', 'at', 'publishedAt', 'startedAt']);

async function newestIn(restored: DataSource, entity: EntityMetadata): Promise<Date | null> {
  const member = entity.columns.map(({ propertyName }) => propertyName).find((name) => MADE_AT.has(name));
  if (member === undefined) return null;
  const row = await restored.getRepository(entity.target).findOne({
    select: { [member]: true },
    where: { [member]: Not(IsNull()) },
    order: { [member]: 'DESC' },
    withDeleted: true,
  });
  return row ? (row[member] as Date) : null;
}
