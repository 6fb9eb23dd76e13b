import { describeEachEngine } from '../../../../test/support/databases/databases';
import { csvOf, PetTransfers } from '../../../../test/support/samples/pet-transfers';
import { startTestService, type TestService } from '../../../../test/support/service/service';
import { PETS_ADMIN } from '../../../pets/pets.admin';
import { readJson } from '../../../platform/values/json-reader';
import type { StoredRecord } from '../stored-record';

describeEachEngine('Exports', (engine) => {
  let service: TestService;
  let transfers: PetTransfers;

  beforeAll(async () => {
    service = await startTestService(engine);
    transfers = new PetTransfers(service);
  });
  afterAll(() => service.stop());

  it.each(['csv', 'ndjson'] as const)('can be imported again without a difference: %s', async (format) => {
    const part = `same ${format}`;
    for (const [index, name] of [
      `${part} "quoted", and\r\nwith\nlines`,
      `${part} ß🐶`,
      `=${part}`,
      `'-${part}`,
      `\t${part}\r`,
    ].entries()) {
      const status = index === 1 ? undefined : 'sold';
      await transfers.records.create(PETS_ADMIN, { name, categoryId: -(2n ** 63n) + BigInt(index), status });
    }
    const before = await transfers.stored(part);
    const report = await transfers.imported(await transfers.exported(format, part), format);
    expect(report).toMatchObject({ rows: 5, done: 5, imported: 5, refused: 0 });
    const after = (await transfers.stored(part)).slice(5);
    const withoutId = ({ values: { id: _id, ...rest } }: StoredRecord) => rest;
    expect(after.map(withoutId)).toEqual(before.map(withoutId));
  });

  it('are well-formed JSON with exact integers, even when they are empty', async () => {
    await transfers.records.create(PETS_ADMIN, { name: 'precise', categoryId: 9007199254740993n });
    const [pet, ...more] = readJson(Buffer.from(await transfers.exported('json', 'precise'))) as object[];
    expect([pet, more]).toEqual([
      {
        id: expect.any(BigInt),
        name: 'precise',
        categoryId: 9007199254740993n,
        createdAt: expect.any(String),
        removedAt: null,
      },
      [],
    ]);
    expect(readJson(Buffer.from(await transfers.exported('json', 'unmatched')))).toEqual([]);
    expect(await transfers.exported('csv', 'unmatched')).toBe(
      'id,name,categoryId,status,createdAt,removedAt\r\n',
    );
    expect(await transfers.exported('ndjson', 'unmatched')).toBe('');
  });

  it('write every record once, page by page', async () => {
    await transfers.imported(csvOf('paged', 1_234), 'csv');
    const lines = (await transfers.exported('ndjson', 'paged')).trimEnd().split('\n');
    expect(new Set(lines).size).toBe(1_234);
    expect(readJson(Buffer.from(await transfers.exported('json', 'paged')))).toHaveLength(1_234);
  });
});
