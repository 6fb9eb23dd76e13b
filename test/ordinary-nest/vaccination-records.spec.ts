import { readFileSync } from 'node:fs';
import * as features from '../../src/features';
import { describeOperations } from '../contract/support/describe-operations';
import { PETS_CONTRACT, petsContract } from '../contract/support/pets-contract';
import { useService } from '../contract/support/service';
import { describeEachEngine } from '../support/databases';
import { featureNames } from '../support/feature-operations';
import { teach } from '../support/module-samples';
import { addToSchema } from '../support/with-schema';
import { CreateVaccinationRecords1790000000000 } from './vaccination-records/create-vaccination-records';
import { VaccinationRecord } from './vaccination-records/vaccination-record.entity';
import { VaccinationRecordsModule } from './vaccination-records/vaccination-records.module';
import { samples } from './vaccination-records/vaccination-records.samples';

const MODULES = { VaccinationRecordsModule };

/**
 * A nested collection whose items have a unique text of a pattern, dates that must fit together, and references to pets; the
 * creation is idempotent and has a 409 of its own.
 */
describeEachEngine('Every operation of a module that teaches the suites', (engine) => {
  let takeBack: () => void;
  beforeAll(() => {
    takeBack = addToSchema({
      entities: [VaccinationRecord],
      migrations: [CreateVaccinationRecords1790000000000],
    });
  });
  const service = useService(engine, {}, MODULES);
  beforeAll(() => teach(service(), [samples]));
  afterAll(() => takeBack());

  describeOperations(engine, service, featureNames(MODULES), {
    features: featureNames({ ...features, ...MODULES }),
    runs: { requests: 30, bodies: 8 },
  });

  it('leaves the contract of pets as it is, although its paths are below theirs', async () => {
    expect(await petsContract(service())).toBe(readFileSync(PETS_CONTRACT, 'utf8'));
  });
});
