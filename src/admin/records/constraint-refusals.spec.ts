import { createTables } from '../../../test/ordinary-typeorm/create-tables';
import {
  Sticker,
  STICKERS_ADMIN,
  StickersModule,
  StickersService,
} from '../../../test/ordinary-typeorm/stickers.module';
import { describeEachEngine } from '../../../test/support/databases/databases';
import { addToSchema } from '../../../test/support/databases/with-schema';
import { startTestService, type TestService } from '../../../test/support/service/service';
import { withFeatures } from '../../../test/support/service/with-features';
import { DuplicateValueError, MissingReferenceError } from '../../platform/errors/http-errors';
import { ManyRecords } from './many-records.service';
import { RecordActionsService } from './record-actions.service';
import { RecordsService } from './records.service';

describeEachEngine('The violation of a constraint in a module on TypeORM', (engine) => {
  let takeBack: () => void;
  let service: TestService;
  let pet: bigint;

  const creation = (slug: string, petId = pet) => ({ slug, petId });

  beforeAll(async () => {
    takeBack = addToSchema({ entities: [Sticker], migrations: [createTables(1790000500000, 'op_')] });
    service = await withFeatures({ StickersModule }, () => startTestService(engine));
    const created = await service.post('/v1/pets', { name: 'Rex', categoryId: 1 });
    pet = BigInt(((await created.json()) as { id: string }).id);
    await service.app.get(StickersService, { strict: false }).create(creation('taken'));
  });
  afterAll(async () => {
    await service.stop();
    takeBack();
  });

  it('refuses one row of an import, and the others are added', async () => {
    const records = service.app.get(ManyRecords);
    const results = await service.app
      .get(StickersService, { strict: false })
      .create(creation('before'))
      .then(() =>
        records.create(STICKERS_ADMIN, [creation('imported'), creation('taken'), creation('nowhere', 4711n)]),
      );
    expect(results).toEqual([
      expect.objectContaining({ slug: 'imported' }),
      expect.any(DuplicateValueError),
      expect.any(MissingReferenceError),
    ]);
  });

  it('is 409 for an operator who adds a record or runs an action', async () => {
    const records = service.app.get(RecordsService);
    await expect(records.create(STICKERS_ADMIN, creation('taken'))).rejects.toMatchObject({
      constructor: DuplicateValueError,
      message: 'slug must be unique: another record already has this value.',
    });
    const { id } = (await records.create(STICKERS_ADMIN, creation('by hand'))) as { id: bigint };
    const actions = service.app.get(RecordActionsService);
    await expect(actions.run(STICKERS_ADMIN, 'rename', [{ id }])).rejects.toBeInstanceOf(DuplicateValueError);
    await expect(actions.run(STICKERS_ADMIN, 'rename', [{ id }, { id }])).rejects.toThrow(
      `The sticker ${id}: slug must be unique: another record already has this value. Nothing was changed.`,
    );
  });
});
