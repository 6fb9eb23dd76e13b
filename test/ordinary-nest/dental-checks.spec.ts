import { readFileSync } from 'node:fs';
import * as features from '../../src/features';
import { describeOperations } from '../contract/support/describe-operations';
import { partOf } from '../contract/support/document-part';
import { useService } from '../contract/support/service';
import { describeOneEngine } from '../support/databases/databases';
import { featureNames } from '../support/service/feature-operations';
import { type ServedDocument, servedDocument } from '../support/service/served-document';
import { teach } from '../support/samples/module-samples';
import { addToSchema } from '../support/databases/with-schema';
import { CreateDentalChecks1790000000000 } from './dental-checks/create-dental-checks';
import { DentalCheck } from './dental-checks/dental-check.entity';
import { DentalChecksModule } from './dental-checks/dental-checks.module';
import { samples } from './dental-checks/dental-checks.samples';

const MODULES = { DentalChecksModule };

/**
 * A nested collection whose items have a unique text of a pattern, dates that must fit together, and references to pets; the
 * creation is idempotent and has a 409 of its own.
 */
describeOneEngine('Every operation of a module that teaches the suites', (engine) => {
  let takeBack: () => void;
  beforeAll(() => {
    takeBack = addToSchema({
      entities: [DentalCheck],
      migrations: [CreateDentalChecks1790000000000],
    });
  });
  const service = useService(engine, {}, MODULES);
  beforeAll(() => teach(service(), [samples]));
  afterAll(() => takeBack());

  describeOperations(engine, service, featureNames(MODULES), {
    features: featureNames({ ...features, ...MODULES }),
    runs: { requests: 30, bodies: 8 },
  });

  it('does not change what the document says about pets, although its paths are below theirs', async () => {
    const aboutPets = (document: ServedDocument) => {
      const { tags, paths, components } = partOf(document, 'pets');
      return JSON.stringify({ tags, paths, components });
    };
    const committed = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as ServedDocument;
    expect(aboutPets(await servedDocument(service()))).toBe(aboutPets(committed));
  });
});
