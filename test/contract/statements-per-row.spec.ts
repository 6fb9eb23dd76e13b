import { describeEachEngine } from '../support/databases/databases';
import { addToSchema } from '../support/databases/with-schema';
import { teach } from '../support/samples/module-samples';
import { operationsOf, servedDocument } from '../support/service/served-document';
import { CreateDentalChecks1790000000000 } from '../ordinary-nest/dental-checks/create-dental-checks';
import { DentalCheck } from '../ordinary-nest/dental-checks/dental-check.entity';
import { DentalChecksModule } from '../ordinary-nest/dental-checks/dental-checks.module';
import { samples } from '../ordinary-nest/dental-checks/dental-checks.samples';
import { DentalChecksService } from '../ordinary-nest/dental-checks/dental-checks.service';
import { useService } from './support/service';
import { findStatementsPerRow } from './support/statements-per-row';

describeEachEngine('A list that runs a statement for each row', (engine) => {
  let takeBack: () => void;
  beforeAll(() => {
    takeBack = addToSchema({
      entities: [DentalCheck],
      migrations: [CreateDentalChecks1790000000000],
    });
  });
  const service = useService(engine, {}, { DentalChecksModule });
  beforeAll(() => teach(service(), [samples]));
  afterAll(() => takeBack());
  afterEach(() => jest.restoreAllMocks());

  async function repeated(): Promise<string[]> {
    const document = await servedDocument(service());
    const operation = operationsOf(document).find(
      ({ method, path }) => method === 'GET' && path === '/pets/{petId}/dental-checks',
    );
    if (!operation) throw new Error('There is no list of dental checks.');
    return findStatementsPerRow({ service: service(), document, operation });
  }

  it('is found, with the statement and the line that runs it', async () => {
    expect(await repeated()).toEqual([]);
    const records = service().app.get(DentalChecksService, { strict: false });
    const list = records.list.bind(records);
    jest.spyOn(records, 'list').mockImplementation(async (petId, query) => {
      const page = await list(petId, query);
      for (const { id } of page.items) await records.get(petId, id);
      return page;
    });
    expect(await repeated()).toEqual([
      expect.stringMatching(
        /^\w+ runs for each row: 20 × SELECT [^\n]* FROM "dental_checks" [^\n]* \(test\/ordinary-nest\/dental-checks\/dental-checks\.service\.ts:\d+\)$/,
      ),
    ]);
  });
});
