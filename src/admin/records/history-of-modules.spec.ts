import { useService } from '../../../test/contract/support/service';
import { CreateDentalChecks1790000000000 } from '../../../test/ordinary-nest/dental-checks/create-dental-checks';
import { DENTAL_CHECKS_ADMIN } from '../../../test/ordinary-nest/dental-checks/dental-checks.admin';
import { DentalCheck } from '../../../test/ordinary-nest/dental-checks/dental-check.entity';
import { DentalChecksModule } from '../../../test/ordinary-nest/dental-checks/dental-checks.module';
import { describeOneEngine } from '../../../test/support/databases/databases';
import { addToSchema } from '../../../test/support/databases/with-schema';
import { PETS_ADMIN } from '../../pets/pets.admin';
import type { AdminRecords } from '../../platform/features/admin-records';
import { RequestLog } from '../../platform/request-log/request-log';
import { RecordHistory } from './history/record-history.service';

describeOneEngine('An operation of a nested module', (engine) => {
  let takeBack: () => void;
  beforeAll(() => {
    takeBack = addToSchema({ entities: [DentalCheck], migrations: [CreateDentalChecks1790000000000] });
  });
  const service = useService(engine, {}, { DentalChecksModule });
  afterAll(() => takeBack());

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
        .get(RecordHistory, { strict: false })
        .list(recordType, BigInt(of), 10);
      return entries.map(({ change }) => [change?.verb, change?.operation, change?.requestId]);
    };
    expect(await changesOf(DENTAL_CHECKS_ADMIN, id)).toEqual([
      ['remove', 'deleteDentalCheck', expect.any(String)],
      ['update', 'updateDentalCheck', 'changed'],
      ['create', 'createDentalCheck', 'noted'],
    ]);
    expect(await changesOf(PETS_ADMIN, petId)).toEqual([['create', 'createPet', expect.any(String)]]);
  });
});
