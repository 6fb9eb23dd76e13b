import type { CheckContext } from '../../platform/cli/cli';
import { type Check, ok } from '../../platform/health/check';
import { ReadOnlyHealth } from '../../platform/read-only/read-only-health';

/** Checks that writes are taken: a read-only mode that an operator forgot looks like a fault to clients. */
export const READ_ONLY: Check<CheckContext> = {
  name: 'readOnly',
  needs: 'service',
  limitMs: 15_000,
  async check({ service }) {
    return (await service()).get(ReadOnlyHealth).check() ?? ok('Writes are accepted.');
  },
};
