/* The test kit of modules in repositories of their own, as `@petstore/platform/testing`. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PetsModule } from '../../../src/pets/pets.module';
import { rememberService } from '../../../src/platform/config/package-version';
import type { Features } from '../../../src/platform/features/feature-modules';
import type { Engine } from '../databases/databases';
import { startTestService as startService, type TestOptions, type TestService } from './service';

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

// A service of another repository has its entities and migrations in its own `src`; a module lists its own.
const main = join(process.cwd(), 'src', 'main.ts');
if (existsSync(main)) rememberService(main);

/**
 * Starts the service with pets and these features alone, as production does: real HTTP on loopback, a real and empty database, a
 * key with every scope.
 *
 * @param environment settings on top of the test's own
 * @param options what replaces providers
 */
export function startTestService(
  engine: Engine,
  features: Features,
  environment: Record<string, string> = {},
  options: Pick<TestOptions, 'override'> = {},
): Promise<TestService> {
  return startService(engine, environment, { ...options, features: { PetsModule, ...features } });
}
