import type { CheckContext } from '../../platform/cli/cli';
import { SETTINGS_CHECK } from '../../platform/config/settings.check';
import { MIGRATIONS } from '../../platform/database/schema/migrations.check';
import type { Check } from '../../platform/health/check';
import { REDIS } from '../../platform/rate-limit/redis.check';
import { TRACES } from '../../platform/telemetry/traces.check';
import { CLOCK } from '../database/clock.check';
import { DATABASE } from '../database/database.check';
import { DISK } from '../database/disk.check';
import { integrityCheck } from '../database/integrity.check';
import { REPLICAS } from '../database/replicas.check';
import { RESTORE } from '../database/restore.check';
import { WORKERS } from '../database/distribution/workers.check';
import { READ_ONLY } from '../read-only/read-only.check';
import { KEYS_CHECK } from './keys.check';
import { OPEN_FILES } from './open-files.check';
import { MANAGEMENT_PORT, PORT } from './ports.check';
import { VERSIONS } from './versions.check';

/** The checks of commands, ordered so that one explains the next. Those of the running service are providers. */
export const CHECKS: readonly Check<CheckContext>[] = [
  VERSIONS,
  SETTINGS_CHECK,
  DATABASE,
  MIGRATIONS,
  integrityCheck(),
  DISK,
  CLOCK,
  PORT,
  MANAGEMENT_PORT,
  KEYS_CHECK,
  READ_ONLY,
  RESTORE,
  REDIS,
  REPLICAS,
  WORKERS,
  TRACES,
  OPEN_FILES,
];
