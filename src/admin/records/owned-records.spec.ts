import { useService } from '../../../test/contract/support/service';
import { describeOneEngine } from '../../../test/support/databases/databases';
import { addToSchema } from '../../../test/support/databases/with-schema';
import { CreateParcels1790000000001, ParcelsModule } from '../../../test/support/parcels.module';
import { Parcel } from '../../../test/support/samples/owned-samples';
import type { AdminRecords } from '../../platform/features/admin-records';
import { RecordsService } from './records.service';

describeOneEngine('Records that belong to clients', (engine) => {
  let takeBack: () => void;
  beforeAll(() => {
    takeBack = addToSchema({ entities: [Parcel], migrations: [CreateParcels1790000000001] });
  });
  const service = useService(engine, {}, { ParcelsModule });
  afterAll(() => takeBack());

  it('are all seen, changed and removed by operators, who add none', async () => {
    const records = service().app.get(RecordsService, { strict: false });
    const type = records.recordTypeNamed('parcels') as AdminRecords;
    const headers = { authorization: `Bearer ${await service().keyWith('parcels:write')}` };
    const posted = await service().post('/v1/parcels', { label: 'seen', weight: 1 }, headers);
    const { id } = (await posted.json()) as { id: number };
    expect(await records.update(type, BigInt(id), { weight: 7 })).toMatchObject({ weight: 7 });
    await records.remove(type, BigInt(id));
    expect((await records.get(type, BigInt(id))).removedAt).toBeInstanceOf(Date);
    await expect(records.create(type, { label: 'mine', weight: 1 })).rejects.toMatchObject({
      code: 'owner_required',
    });
  });
});
