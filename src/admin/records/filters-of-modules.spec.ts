import { HerdsModule } from '../../../test/ordinary-nest/herds.module';
import { describeOneEngine } from '../../../test/support/databases/databases';
import { startTestService, type TestService } from '../../../test/support/service/service';
import { withFeatures } from '../../../test/support/service/with-features';
import { readListQuery } from '../console/records/list/list-query';
import { RecordsService } from './records.service';
import { ExportService } from './transfer/export.service';

const PETS = [
  { name: 'Rex', categoryId: 3, status: 'sold' },
  { name: 'rex', categoryId: 9_007_199_254_740_991, status: 'available' },
  { name: 'Re', categoryId: 2 },
];

describeOneEngine('A list with filters of a module', (engine) => {
  let service: TestService;

  beforeAll(async () => {
    service = await withFeatures({ HerdsModule }, () => startTestService(engine));
    for (const pet of PETS) await service.post('/v1/pets', pet);
  });
  afterAll(() => service.stop());

  it.each([
    ['', ['Rex', 'rex', 'Re']],
    ['status=sold&status=available', ['Rex', 'rex']],
    ['categoryIdFrom=2&categoryIdTo=3', ['Rex', 'Re']],
    ['categoryIdFrom=9007199254740991', ['rex']],
    ['namePrefix=Re&status=sold', ['Rex']],
  ])('has the rows in the console and its exports that clients get: %s', async (query, expected) => {
    const records = service.app.get(RecordsService, { strict: false });
    const recordType = records.recordTypeNamed('herds');
    if (!recordType) throw new Error('There are no herds.');
    const list = readListQuery(records.listFacts(recordType), new URLSearchParams(`${query}&sort-by=id`));
    expect(list.faults).toEqual({});
    const texts = service.app.get(ExportService, { strict: false }).read(recordType, 'ndjson', list);
    let rows = '';
    for await (const text of texts) rows += text;
    const found = rows.split('\n').filter((row) => row !== '');
    expect(found.map((row) => (JSON.parse(row) as { name: string }).name)).toEqual(expected);
  });
});
