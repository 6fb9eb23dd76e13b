import { startTestService, type TestService } from '../../support/service/service';
import type { Engine } from '../../support/databases/databases';
import { withFeatures } from '../../support/service/with-features';
import { until } from '../../support/until';
import { ask } from './request';

/**
 * One service for all tests of a block. After the last it must still respond, and must have met no fault it did not
 * expect.
 *
 * @param features modules that it has besides those of `src/features.ts`, by name
 * @returns gives the service, once the tests run
 */
export function useService(
  engine: Engine,
  environment: Record<string, string> = {},
  features: Readonly<Record<string, unknown>> = {},
): () => TestService {
  let service: TestService | undefined;
  beforeAll(async () => {
    service = await withFeatures(features, () => startTestService(engine, environment));
  });
  afterAll(async () => {
    const log = service?.log() ?? '';
    try {
      // On a busy machine the first check may take too long.
      await until(
        async () => (await ask(service as TestService, { target: '/health/ready' })).status === 200,
      );
      expect(log.split('\n').filter((line) => /"level":[56]0/.test(line))).toEqual([]);
    } finally {
      await service?.stop();
    }
  });
  return () => service as TestService;
}
