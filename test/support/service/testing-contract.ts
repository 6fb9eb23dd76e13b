/* The suites that every module passes, as `@petstore/platform/testing/contract`. */
import { listedFeatures } from '../../../src/own-service';
import { ownMigrations } from '../../../src/platform/database/driver/data-source';
import { type Features, schemaOf } from '../../../src/platform/features/feature-modules';
import { describeOperations } from '../../contract/support/describe-operations';
import { describeMigrations } from '../databases/describe-migrations';
import { describeEachEngine } from '../databases/databases';
import { featureNames } from './feature-operations';
import { type ModuleSamples, teach } from '../samples/module-samples';
import type { TestService } from './service';
import { besidePets, packagedFeatures, testedFeatures } from './tested-features';
import { startTestService } from './testing';

/** How much is made up for an operation: enough to find a fault within seconds. */
const RUNS = { requests: 100, bodies: 40 };

/**
 * Tries what the contract promises of every operation of the features, on each engine: its documented responses, exact values,
 * the order of its faults.
 *
 * @param features by default those of the service, or of the package
 * @param samples of the features, besides those that stand beside them in `src`
 */
export function describeEveryOperation(features?: Features, samples: readonly ModuleSamples[] = []): void {
  describeEachEngine('Every operation', (engine) => {
    let service: TestService;
    beforeAll(async () => {
      service = await startTestService(engine, features);
      teach(service, samples);
    });
    afterAll(() => service.stop());

    describeOperations(engine, () => service, featureNames(features ?? testedFeatures()), {
      features: featureNames(features ? besidePets(features) : listedFeatures()),
      runs: RUNS,
    });
  });
}

/**
 * Checks that each migration of the features keeps the rules for tables that are large and in use. Those of the platform and of
 * other packages are checked where they are made.
 *
 * @param features of a package; by default those of the service, or of the package
 * @param accepted names of migrations that break one on purpose, as they drop what two releases before retired
 */
export function describeEveryMigration(
  features: Features | undefined = packagedFeatures(),
  accepted: readonly string[] = [],
): void {
  const parts = schemaOf(features ?? listedFeatures());
  const judged = features ? parts.flatMap(({ migrations }) => migrations) : ownMigrations();
  const names = judged.map(({ name }) => name);
  describeMigrations(parts, { accepted, isJudged: (name) => names.includes(name) });
}
