import { resolve } from 'node:path';
import type { CheckContext } from '../../platform/cli/cli';
import { petstore } from '../../platform/config/called-as';
import { engineOf } from '../../platform/database/column-types';
import { describeLocation, parseDatabaseUrl } from '../../platform/database/driver/database-url';
import { keepsStatements } from '../../platform/database/driver/data-source';
import { readServerFacts, type ServerFacts } from './server-facts';
import { MissingDatabaseError, serverMayCreate } from '../../platform/database/driver/missing-database';
import { DatabaseOpenError, OlderDatabaseError } from '../../platform/database/driver/open';
import { unwritable } from '../../platform/database/monitoring/unwritable';
import type { Settings } from '../../platform/config/settings';
import { byteSize } from '../../platform/values/byte-size';
import { type Check, degraded, failed, type Finding, ok } from '../../platform/health/check';

/** Checks that the database can be opened and answers. */
export const DATABASE: Check<CheckContext> = {
  name: 'database',
  // The check opens the database itself, and says why that cannot be done.
  needs: 'settings',
  limitMs: 10_000,
  async check(context) {
    const { settings } = context;
    try {
      const dataSource = await context.database();
      return findingsOf(await readServerFacts(dataSource), context, keepsStatements(dataSource));
    } catch (error) {
      if (error instanceof MissingDatabaseError) return [missing(settings)];
      if (!(error instanceof DatabaseOpenError)) throw error;
      const isOlder = error instanceof OlderDatabaseError;
      return [failed(error.message, isOlder ? BEGIN_ANEW : adviceFor(settings.databaseUrl))];
    }
  },
};

const BEGIN_ANEW = 'Choose a new database with DATABASE_URL.';

function missing(settings: Settings): Finding {
  const found = `There is no database at ${sqliteFile(settings.databaseUrl)}.`;
  const migrate = `${petstore()} db migrate`;
  const look = 'if there was one, check DATABASE_URL and the working directory';
  return serverMayCreate(settings)
    ? degraded(found, `The service creates it at its first start; ${look}.`)
    : failed(found, `Run "${migrate}" for a new one; ${look}, or restore a backup.`, migrate);
}

/** The absolute path of the file of a DATABASE_URL, if it names one. */
export function sqliteFile(databaseUrl: string): string | undefined {
  const location = parseDatabaseUrl(databaseUrl);
  return location.engine === 'sqlite' && location.file !== ':memory:' ? resolve(location.file) : undefined;
}

function adviceFor(databaseUrl: string): string {
  return sqliteFile(databaseUrl) === undefined
    ? 'Check that the server runs, that this machine can reach it, and that user, password and database of DATABASE_URL are right.'
    : 'Check who owns the file and its folder, and whether another program has it open; otherwise restore a backup.';
}

function findingsOf(
  { version, latencyMs, sizeBytes, server }: ServerFacts,
  { settings }: CheckContext,
  isPrepared: boolean,
): Finding[] {
  const { databaseUrl, databasePoolSize } = settings;
  const where = describeLocation(databaseUrl);
  const found = `${version}: ${where}, ${byteSize(sizeBytes)}, answers in ${Math.ceil(latencyMs)} ms.`;
  const pooler =
    'A pooler in front of the server mixes up prepared statements, so the server plans each statement anew.';
  const answers = ok(isPrepared ? found : `${found} ${pooler}`);
  return server ? [answers, ...checkServer(server, databasePoolSize)] : [answers];
}

/** @param poolSize the connections that one node may open */
export function checkServer(
  { isStandby, refusal, mostConnections, openConnections }: NonNullable<ServerFacts['server']>,
  poolSize: number,
): Finding[] {
  const fault = unwritable(isStandby, refusal);
  const findings: Finding[] = fault ? [fault] : [];
  if (poolSize > mostConnections) {
    findings.push(
      degraded(
        `One node may open ${poolSize} connections (DATABASE_POOL_SIZE), but the server allows users only ${mostConnections}.`,
        'Lower DATABASE_POOL_SIZE, or raise max_connections of the server.',
      ),
    );
  }
  if (openConnections >= mostConnections) {
    findings.push(
      degraded(
        `All ${mostConnections} connections of the server are in use.`,
        'pg_stat_activity shows who uses the connections.',
      ),
    );
  }
  return findings;
}

/** True of a PostgreSQL server. */
export function isServer(dataSource: Awaited<ReturnType<CheckContext['database']>>): boolean {
  return engineOf(dataSource) === 'postgres';
}
