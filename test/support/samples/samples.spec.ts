import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describeEachEngine } from '../databases/databases';
import { type AddSample, teach } from './module-samples';
import { addSample } from './samples';
import { type ServedDocument, servedDocument } from '../service/served-document';
import { startTestService, type TestService } from '../service/service';

describeEachEngine('A sample of a module', (engine) => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService(engine);
  });
  afterAll(() => service.stop());

  async function read(id: number): Promise<unknown> {
    return (await service.fetch(`/v1/pets/${id}`)).json();
  }

  it('is added from the example of the document when the collection has a creation', async () => {
    const id = await addSample(service, '/pets');
    expect(await read(id)).toEqual({ id, name: 'Rex', categoryId: 3, status: 'available' });
  });

  it('is inserted into the table when the collection has no creation', async () => {
    const { '/pets': pets = {}, ...others } = (await servedDocument(service)).paths;
    const { post: _, ...reading } = pets;
    const document = { ...(await servedDocument(service)), paths: { ...others, '/pets': reading } };
    const id = await withDocument(document, (readOnly) => addSample(readOnly, '/pets'));
    expect(await read(id)).toEqual({ id, name: 'text', categoryId: 1, status: 'available' });
  });

  it('is refused for anything else', async () => {
    await expect(addSample(service, '/toys')).rejects.toThrow('/toys has neither a POST nor a table.');
  });

  /** Does something with the service as if it served this document. */
  async function withDocument<T>(
    document: ServedDocument,
    work: (service: TestService) => Promise<T>,
  ): Promise<T> {
    const server = createServer((_request, response) => response.end(JSON.stringify(document)));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      return await work({ ...service, url: `http://127.0.0.1:${port}` });
    } finally {
      server.close();
    }
  }
});

it('A sample has what its collection sets up once before the first item', async () => {
  const service = await startTestService('sqlite');
  try {
    const asked: number[] = [];
    const members = (n: number) => {
      asked.push(n);
      return {};
    };
    const setUp = jest.fn(async (add: AddSample) => {
      expect(asked).toEqual([]);
      await expect(add('/carriers')).rejects.toThrow('/carriers has neither a POST nor a table.');
    });
    teach(service, [{ collections: { '/pets': { setUp, members } } }]);
    const ids = await Promise.all([addSample(service, '/pets'), addSample(service, '/pets')]);
    expect(new Set(ids).size).toBe(2);
    expect(asked).toHaveLength(2);
    expect(setUp).toHaveBeenCalledTimes(1);
  } finally {
    await service.stop();
  }
});
