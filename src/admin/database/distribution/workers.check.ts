import type { CheckContext } from '../../../platform/cli/cli';
import { engineOf } from '../../../platform/database/column-types';
import { type Check, failed, ok } from '../../../platform/health/check';
import { awaySentence, readWorkers } from './workers';

/** Checks that each worker of Citus answers. */
export const WORKERS: Check<CheckContext> = {
  name: 'workers',
  needs: 'database',
  limitMs: 10_000,
  async check({ database }) {
    // Without a database it is unknown whether there are workers; the database has a line of its own.
    const dataSource = await database().catch(() => undefined);
    const workers =
      dataSource && engineOf(dataSource) === 'postgres' ? await readWorkers(dataSource) : undefined;
    if (!workers || workers.length === 0) return [];
    const away = awaySentence(workers);
    if (away === undefined) return ok(`All ${workers.length} Citus workers answer.`);
    return failed(
      away,
      'Requests for rows of the worker get 503; other requests are served. Start the worker, or its standby.',
    );
  },
};
