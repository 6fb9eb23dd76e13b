import { describeEachEngine } from '../support/databases/databases';
import { addToSchema } from '../support/databases/with-schema';
import { teach } from '../support/samples/module-samples';
import { operationsOf, servedDocument } from '../support/service/served-document';
import { CreateVaccinationRecords1790000000000 } from '../ordinary-nest/vaccination-records/create-vaccination-records';
import { VaccinationRecord } from '../ordinary-nest/vaccination-records/vaccination-record.entity';
import { VaccinationRecordsModule } from '../ordinary-nest/vaccination-records/vaccination-records.module';
import { samples } from '../ordinary-nest/vaccination-records/vaccination-records.samples';
import { VaccinationRecordsService } from '../ordinary-nest/vaccination-records/vaccination-records.service';
import { useService } from './support/service';
import { findStatementsPerRow } from './support/statements-per-row';

describeEachEngine('A list that asks for each of its rows by itself', (engine) => {
  let takeBack: () => void;
  beforeAll(() => {
    takeBack = addToSchema({
      entities: [VaccinationRecord],
      migrations: [CreateVaccinationRecords1790000000000],
    });
  });
  const service = useService(engine, {}, { VaccinationRecordsModule });
  beforeAll(() => teach(service(), [samples]));
  afterAll(() => takeBack());
  afterEach(() => jest.restoreAllMocks());

  async function repeated(): Promise<string[]> {
    const document = await servedDocument(service());
    const operation = operationsOf(document).find(
      ({ method, path }) => method === 'GET' && path === '/pets/{petId}/vaccination-records',
    );
    if (!operation) throw new Error('There is no list of vaccination records.');
    return findStatementsPerRow({ service: service(), document, operation });
  }

  it('is found, with the statement and the line that repeats it', async () => {
    expect(await repeated()).toEqual([]);
    const records = service().app.get(VaccinationRecordsService, { strict: false });
    const list = records.list.bind(records);
    jest.spyOn(records, 'list').mockImplementation(async (petId, query) => {
      const page = await list(petId, query);
      for (const { id } of page.items) await records.get(petId, id);
      return page;
    });
    expect(await repeated()).toEqual([
      expect.stringMatching(
        /^\w+ runs for each row: 20 × SELECT [^\n]* FROM "vaccination_records" [^\n]* \(test\/ordinary-nest\/vaccination-records\/vaccination-records\.service\.ts:\d+\)$/,
      ),
    ]);
  });
});
