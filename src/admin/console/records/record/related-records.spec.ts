import { describeOneEngine } from '../../../../../test/support/databases/databases';
import { startTestService, type TestService } from '../../../../../test/support/service/service';
import { PETS_ADMIN } from '../../../../pets/pets.admin';
import type { AdminRecords } from '../../../../platform/features/admin-records';
import { Int64Field, ReferenceField } from '../../../../platform/validation/fields';
import { fieldNamed, type RecordField } from '../../../records/record-fields';
import { RecordsService } from '../../../records/records.service';
import { offeredReferences, relatedRecords, viewWithNames } from './related-records';
import { valueHtml } from '../fields/value-html';

/** A record type that refers to a pet. */
class Follower {
  @Int64Field({ description: 'The id.', example: 1 }) id!: bigint;
  @ReferenceField('/pets', { description: 'The pet it follows.', example: 1 }) categoryId!: bigint;
}

/** A record type that refers to several pets. */
class Pack {
  @ReferenceField('/pets', { description: 'Its pets.', example: [1], isArray: true }) pets!: bigint[];
}

const FOLLOWERS = {
  ...PETS_ADMIN,
  name: 'followers',
  one: 'follower',
  record: Follower,
  title: undefined,
} as unknown as AdminRecords;
const READER = { timeZone: 'UTC' };

describeOneEngine('Records that refer to another', (engine) => {
  let service: TestService;
  let records: RecordsService;

  beforeAll(async () => {
    service = await startTestService(engine);
    const own = service.app.get(RecordsService, { strict: false });
    records = Object.create(own, { recordTypes: { value: [PETS_ADMIN, FOLLOWERS] } }) as RecordsService;
  });
  afterAll(() => service.stop());

  const add = async (name: string, categoryId: bigint) =>
    (await records.create(PETS_ADMIN, { name, categoryId })).id;

  it('name it, are listed on its page, and offer it in their form', async () => {
    const maple = await add('Maple <3', 999n);
    const follower = await add('Moss', maple);
    const field = fieldNamed(Follower, 'categoryId') as RecordField;
    const { values } = await records.get(FOLLOWERS, follower);
    const view = await viewWithNames(records, READER, FOLLOWERS, [values]);
    expect(valueHtml(view, field, maple).text).toBe(
      `<a href="/admin/records/pets/${maple}"><bdi>Maple &lt;3</bdi> (${maple})</a>`,
    );
    expect(valueHtml(view, field, 998n).text).toBe('<a href="/admin/records/pets/998">pet 998</a>');
    const [related, ...others] = await relatedRecords(records, READER, PETS_ADMIN, maple);
    expect(others).toEqual([]);
    expect(related).toMatchObject({
      title: 'Followers',
      path: `/admin/records/followers?categoryId=${maple}`,
    });
    expect(related?.rows.map(({ id }) => id)).toEqual([String(follower)]);
    expect(await relatedRecords(records, READER, PETS_ADMIN, follower)).toEqual([]);
    const offered = await offeredReferences(records, [field], {});
    expect(offered.get('categoryId')).toEqual([
      { value: String(follower), label: 'Moss' },
      { value: String(maple), label: 'Maple <3' },
    ]);
    for (let i = 0; i < 100; i++) await add(`newer ${i}`, 999n);
    const later = await offeredReferences(records, [field], { categoryId: String(maple) });
    expect(later.get('categoryId')).toHaveLength(101);
    expect(later.get('categoryId')?.at(-1)).toEqual({ value: String(maple), label: 'Maple <3' });
  });

  it('link each of several, and are not offered where the form takes JSON', async () => {
    const field = fieldNamed(Pack, 'pets') as RecordField;
    const view = await viewWithNames(records, READER, FOLLOWERS, []);
    expect(valueHtml(view, field, [3n, 1n]).text).toBe(
      '<a href="/admin/records/pets/3">pet 3</a>, <a href="/admin/records/pets/1">pet 1</a>',
    );
    expect((await offeredReferences(records, [field], {})).size).toBe(0);
  });
});
