import { describeOneEngine } from '../support/databases/databases';
import { addToSchema } from '../support/databases/with-schema';
import { CreateParcels1790000000001, ParcelsModule, ParcelsService } from '../support/parcels.module';
import { Parcel } from '../support/samples/owned-samples';
import { operationsOf, servedDocument } from '../support/service/served-document';
import { until } from '../support/until';
import { useService } from './support/service';
import { findLeaks } from './support/strangers';

describeOneEngine('Rows that belong to clients', (engine) => {
  let takeBack: () => void;
  beforeAll(() => {
    takeBack = addToSchema({ entities: [Parcel], migrations: [CreateParcels1790000000001] });
  });
  const service = useService(engine, {}, { ParcelsModule });
  afterAll(() => takeBack());

  const post = async (label: string, key = service().key) => {
    const headers = { authorization: `Bearer ${key}` };
    return (await (await service().post('/v1/parcels', { label, weight: 1 }, headers)).json()) as {
      id: number;
    };
  };
  const list = (key: string) =>
    service().fetch('/v1/parcels', { headers: { authorization: `Bearer ${key}` } });

  it('are hidden by each operation but one that forgets its client, which the tests of every operation name', async () => {
    const document = await servedDocument(service());
    const leaks: string[] = [];
    let tried = 0;
    for (const operation of operationsOf(document).filter(({ path }) => path.startsWith('/parcels'))) {
      leaks.push(...(await findLeaks({ service: service(), document, operation })));
      tried += 1;
    }
    expect(tried).toBe(5);
    expect(leaks).toEqual([
      expect.stringMatching(/^weighParcel responds to a stranger with 200 /),
      'weighParcel changes rows of others',
    ]);
  });

  it('are not in a response that was kept for another client', async () => {
    const [ana, ben] = [await service().keyWith('parcels:write'), await service().keyWith('parcels:write')];
    await post('kept', ana);
    for (let i = 0; i < 3; i++) expect(await (await list(ana)).json()).toHaveLength(1);
    expect(await (await list(ben)).json()).toEqual([]);
    const headers = {
      authorization: `Bearer ${ben}`,
      'if-none-match': (await list(ana)).headers.get('etag') ?? '',
    };
    expect((await service().fetch('/v1/parcels', { headers })).status).toBe(200);
  });

  it('are out of reach of a handler of an event until it says whose they are', async () => {
    const parcels = service().app.get(ParcelsService, { strict: false });
    parcels.refusals.length = 0;
    await post('told');
    await until(() => parcels.refusals.length > 0);
    expect(parcels.refusals).toEqual([
      expect.stringContaining('say whose rows it is about, by asOwner() or forAllOwners()'),
    ]);
  });
});
