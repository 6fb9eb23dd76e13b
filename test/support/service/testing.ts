/* The test kit of modules, as `@petstore/platform/testing`. */
import type { Features } from '../../../src/platform/features/feature-modules';
import type { Engine } from '../databases/databases';
import { startTestService as startService, type TestOptions, type TestService } from './service';
import { besidePets } from './tested-features';

export {
  createTestDatabase,
  describeEachEngine,
  type Engine,
  ENGINES,
  type TestDatabase,
} from '../databases/databases';
export { type ConsoleClient, type ConsoleResponse, openConsole } from './console';
export { matching } from '../samples/matching';
export { type AddSample, type ModuleSamples, teach } from '../samples/module-samples';
export { addReferences, addSample } from '../samples/samples';
export type { Override, TestService } from './service';
export { expectStatements } from './statements';
export { TestPlatformModule } from './test-platform.module';

/**
 * Starts the service as production does: real HTTP on loopback, a real and empty database, a key with every scope.
 *
 * @param features start in place of those of the service or of the package; those of a package are started beside pets
 * @param environment settings on top of the test's own
 * @param options what replaces providers
 */
export function startTestService(
  engine: Engine,
  features?: Features,
  environment: Record<string, string> = {},
  options: Pick<TestOptions, 'override'> = {},
): Promise<TestService> {
  return startService(engine, environment, {
    ...options,
    ...(features && { features: besidePets(features) }),
  });
}
