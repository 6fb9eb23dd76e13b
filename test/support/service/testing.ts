/* The test kit of modules in repositories of their own, as `@petstore/platform/testing`. */
import { PetsModule } from '../../../src/pets/pets.module';
import type { Features } from '../../../src/platform/features/feature-modules';
import type { Engine } from '../databases/databases';
import { startTestService as startService, type TestService } from './service';

export {
  createTestDatabase,
  describeEachEngine,
  type Engine,
  ENGINES,
  type TestDatabase,
} from '../databases/databases';
export { type AddSample, type ModuleSamples, teach } from '../samples/module-samples';
export { addReferences, addSample } from '../samples/samples';
export type { TestService } from './service';
export { expectStatements } from './statements';

/**
 * Starts the service with pets and these features alone, as production does: real HTTP on loopback, a real and empty database, a
 * key with every scope.
 *
 * @param environment settings on top of the test's own
 */
export function startTestService(
  engine: Engine,
  features: Features,
  environment: Record<string, string> = {},
): Promise<TestService> {
  return startService(engine, environment, { features: { PetsModule, ...features } });
}
