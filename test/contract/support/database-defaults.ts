import type { RunningService } from '../../../src/process/start-service';
import { startAnotherNode, type TestService } from '../../support/service/service';
import { runSql } from './sql';

/** What a database of PostgreSQL may say of its connections, which a service has from its restart on. */
const DEFAULTS = [
  `datestyle = 'German'`,
  `timezone = 'Asia/Kathmandu'`,
  `extra_float_digits = -15`,
  `standard_conforming_strings = off`,
  `search_path = 'nowhere'`,
];

/** Gives the database of a service these defaults, and starts another node of it, whose connections have them. */
export async function restartWithDefaults(service: TestService): Promise<RunningService> {
  const name = new URL(service.database.url).pathname.slice(1);
  for (const each of DEFAULTS) await runSql(service.database, `ALTER DATABASE "${name}" SET ${each}`);
  return startAnotherNode(service);
}
