import { describeOneEngine } from '../../../../test/support/databases/databases';
import { addToSchema } from '../../../../test/support/databases/with-schema';
import {
  CreateMembers1790000000002,
  Member,
  MEMBERS_ADMIN,
  MembersModule,
} from '../../../../test/support/members.module';
import { startTestService, type TestService } from '../../../../test/support/service/service';
import { withFeatures } from '../../../../test/support/service/with-features';
import { AuditTrailService } from '../../audit/audit-trail.service';
import { BulkChanges } from '../bulk-changes.service';
import { RecordsService } from '../records.service';
import { UndoService } from '../undo.service';
import { ErasureService } from './erasure.service';

describeOneEngine('A change whose values are erased', (engine) => {
  let service: TestService;
  let takeBack: () => void;

  beforeAll(async () => {
    takeBack = addToSchema({ entities: [Member], migrations: [CreateMembers1790000000002] });
    service = await withFeatures({ MembersModule }, () => startTestService(engine));
  });
  afterAll(async () => {
    await service.stop();
    takeBack();
  });

  it('is not undone, though the record is as it left it: by itself it is refused, in a bulk it is left alone', async () => {
    const get = service.app.get.bind(service.app);
    const records = get(RecordsService, { strict: false });
    const bulk = get(BulkChanges, { strict: false });
    const undo = get(UndoService, { strict: false });
    // The record has nothing personal: its name was erased before.
    const member = { name: '[erased 1]', email: 'a@b.example', points: 3 };
    const { id } = await records.create(MEMBERS_ADMIN, member);
    const { change } = await bulk.updateAll(MEMBERS_ADMIN, { ids: [id] }, { email: null }, 1);
    await get(ErasureService, { strict: false }).erase({ type: 'members', id: String(id) }, 'letter 115');
    const about = { subjectType: 'members', subjectId: String(id), action: 'members.update' };
    const [update] = await get(AuditTrailService, { strict: false }).list(about, { limit: 1 });
    await expect(undo.undo(MEMBERS_ADMIN, update?.id as bigint)).rejects.toThrow(
      'The former email is erased.',
    );
    expect(await undo.undo(MEMBERS_ADMIN, change as bigint)).toMatchObject({
      undone: 0,
      leftAlone: [{ id, because: 'changed' }],
    });
    expect((await records.get(MEMBERS_ADMIN, id)).values.email).toBeUndefined();
  });
});
