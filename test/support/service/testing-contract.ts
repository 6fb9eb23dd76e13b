/* The suite of every operation for modules in repositories of their own, as `@petstore/platform/testing/contract`. */
import { PetsModule } from '../../../src/pets/pets.module';
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

/**
 * Tries what the contract promises of every operation of these features, on each engine: its documented responses, exact values,
 * the order of its faults.
 *
 * @param samples of the features, where they have some
 */
export function describeEveryOperation(features: Features, samples: readonly ModuleSamples[] = []): void {
  describeEachEngine('Every operation', (engine) => {
    let service: TestService;
    beforeAll(async () => {
      service = await startTestService(engine, features);
      teach(service, samples);
    });
    afterAll(() => service.stop());

    describeOperations(engine, () => service, featureNames(features), {
      features: featureNames({ PetsModule, ...features }),
      runs: RUNS,
    });
  });
}

/**
 * Checks that each migration of these features keeps the rules for tables that are large and in use.
 *
 * @param accepted names of migrations that break one on purpose, as they drop what two releases before retired
 */
export function describeEveryMigration(features: Features, accepted: readonly string[] = []): void {
  const parts = schemaOf(features);
  const own = parts.flatMap(({ migrations }) => migrations).map(({ name }) => name);
  describeMigrations(parts, { accepted, isJudged: (name) => own.includes(name) });
}
