import { readFileSync } from 'node:fs';
import { RecordsService } from '../../src/admin/records/records.service';
import * as features from '../../src/features';
import { PETS_ADMIN } from '../../src/pets/pets.admin';
import type { AdminRecords } from '../../src/platform/features/admin-records';
import { RequestLog } from '../../src/platform/request-log/request-log';
import { describeOperations } from '../contract/support/describe-operations';
import { partOf } from '../contract/support/document-part';
import { useService } from '../contract/support/service';
import { describeOneEngine } from '../support/databases/databases';
import { featureNames } from '../support/service/feature-operations';
import { type ServedDocument, servedDocument } from '../support/service/served-document';
import { teach } from '../support/samples/module-samples';
import { addToSchema } from '../support/databases/with-schema';
import { CreateDentalChecks1790000000000 } from './dental-checks/create-dental-checks';
import { DENTAL_CHECKS_ADMIN } from './dental-checks/dental-checks.admin';
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

  it('appears once in the history of the record that it changed, with key and request', async () => {
    const running = service();
    const { id: petId } = (await (await running.post('/v1/pets', { name: 'Rex', categoryId: 1 })).json()) as {
      id: number;
    };
    const path = `/v1/pets/${petId}/dental-checks`;
    const body = { certificate: 'DE-9999', givenOn: '2026-01-31', dueOn: '2027-01-31' };
    const as = (requestId: string) => ({ 'x-request-id': requestId });
    const once = { ...as('noted'), 'idempotency-key': 'once' };
    const { id } = (await (await running.post(path, body, once)).json()) as { id: number };
    expect(
      (await running.post(path, body, { ...once, ...as('again') })).headers.get('idempotency-replayed'),
    ).toBe('true');
    expect((await running.post(path, body, as('taken'))).status).toBe(409);
    expect((await running.patch(`${path}/${id}`, { dueOn: '2028-01-31' }, as('changed'))).status).toBe(200);
    expect((await running.patch(`${path}/${id}`, { dueOn: 'never' }, as('refused'))).status).toBe(400);
    expect((await running.delete(`${path}/${id}`)).status).toBe(204);
    expect((await running.delete(`${path}/${id}`)).status).toBe(404);
    await running.app.get(RequestLog).write();
    const changesOf = async (recordType: AdminRecords, of: number) => {
      const { entries } = await running.app
        .get(RecordsService, { strict: false })
        .history(recordType, BigInt(of), 10);
      return entries.map(({ change }) => [change?.verb, change?.operation, change?.requestId]);
    };
    expect(await changesOf(DENTAL_CHECKS_ADMIN, id)).toEqual([
      ['remove', 'deleteDentalCheck', expect.any(String)],
      ['update', 'updateDentalCheck', 'changed'],
      ['create', 'createDentalCheck', 'noted'],
    ]);
    expect(await changesOf(PETS_ADMIN, petId)).toEqual([['create', 'createPet', expect.any(String)]]);
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
