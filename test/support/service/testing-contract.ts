/* The suites that every module passes, as `@petstore/platform/testing/contract`. */
import { PetsModule } from '../../../src/pets/pets.module';
import { listedFeatures } from '../../../src/own-service';
import { ownMigrations } from '../../../src/platform/database/driver/data-source';
import { type Features, schemaOf } from '../../../src/platform/features/feature-modules';
import { describeOperations } from '../../contract/support/describe-operations';
import { describeMigrations } from '../databases/describe-migrations';
import { describeEachEngine } from '../databases/databases';
import { featureNames } from './feature-operations';
import { type ModuleSamples, teach } from '../samples/module-samples';
import type { TestService } from './service';
import { startTestService } from './testing';

/** How much is made up for an operation: enough to find a fault within seconds. */
const RUNS = { requests: 100, bodies: 40 };

/** The features of the service that are its own: pets are tested where they are made. */
function ownFeatures(): Features {
  return Object.fromEntries(Object.entries(listedFeatures()).filter(([, feature]) => feature !== PetsModule));
}

/**
 * Tries what the contract promises of every operation of the features, on each engine: its documented responses, exact values,
 * the order of its faults.
 *
 * @param features those of a module in a repository of its own; by default those of the service
 * @param samples of the features, where they have some that do not stand beside the modules of a service
 */
export function describeEveryOperation(features?: Features, samples: readonly ModuleSamples[] = []): void {
  describeEachEngine('Every operation', (engine) => {
    let service: TestService;
    beforeAll(async () => {
      service = await startTestService(engine, features);
      teach(service, samples);
    });
    afterAll(() => service.stop());

    describeOperations(engine, () => service, featureNames(features ?? ownFeatures()), {
      features: featureNames(features ? { PetsModule, ...features } : listedFeatures()),
      runs: RUNS,
    });
  });
}

/**
 * Checks that each migration of the features keeps the rules for tables that are large and in use. Those of the platform and of
 * other packages are checked where they are made.
 *
 * @param features those of a module in a repository of its own; by default those of the service
 * @param accepted names of migrations that break one on purpose, as they drop what two releases before retired
 */
export function describeEveryMigration(features?: Features, accepted: readonly string[] = []): void {
  const parts = schemaOf(features ?? listedFeatures());
  const judged = features ? parts.flatMap(({ migrations }) => migrations) : ownMigrations();
  const names = judged.map(({ name }) => name);
  describeMigrations(parts, { accepted, isJudged: (name) => names.includes(name) });
}
