import { describeEachEngine } from '../support/databases';
import { findBrokenPromises } from './support/documented-answers';
import { SchemaCheck } from './support/schema-check';
import { operationsOf, type ServedDocument, servedDocument } from './support/served-document';
import { useService } from './support/service';

describeEachEngine('The served document', (engine) => {
  const service = useService(engine);

  it('promises nothing the service does not keep: each answer of each operation', async () => {
    const document = await servedDocument(service());
    expect(operationsOf(document).length).toBeGreaterThan(0);
    expect(await findBrokenPromises(service(), document)).toEqual([]);
  });
});

describe('The search for broken promises', () => {
  const service = useService('sqlite');
  let document: ServedDocument;
  let listPets: ServedDocument['paths'][string][string];
  beforeAll(async () => {
    document = await servedDocument(service());
    listPets = document.paths['/pets']?.['get'] as typeof listPets;
  });

  function withPath(path: string, operation: object): ServedDocument {
    const { paths, components } = document;
    return {
      components,
      paths: { ...paths, [path]: { ...paths[path], get: { ...listPets, ...operation } } },
    };
  }

  async function broken(path: string, operation: object): Promise<string[]> {
    return findBrokenPromises(service(), withPath(path, operation));
  }

  it('reports an operation that it cannot provoke', async () => {
    const operation = { operationId: 'listToys', responses: { 200: listPets.responses['200'] } };
    expect(await broken('/toys', operation)).toEqual(['listToys 200: no request of this suite provokes it']);
  });

  it('reports a status that it cannot provoke', async () => {
    const responses = { ...listPets.responses, 409: listPets.responses['400'] };
    expect(await broken('/pets', { responses })).toEqual([
      'listPets 409: no request of this suite provokes it',
    ]);
  });

  it('reports another status than the documented one', async () => {
    const responses = { ...listPets.responses, 201: listPets.responses['200'] };
    expect(await broken('/pets', { responses })).toEqual(['listPets 201: it is 200 instead']);
  });

  it('reports a header that is missing', async () => {
    const response = { ...listPets.responses['200'], headers: { 'X-Total': {} } };
    expect(await broken('/pets', { responses: { 200: response } })).toEqual([
      'listPets 200: the header X-Total is missing',
    ]);
  });

  it('reports a body that is not of its schema', async () => {
    const response = listPets.responses['400'];
    expect(await broken('/pets', { responses: { 200: response } })).toEqual([
      'listPets 200:  must be object',
    ]);
  });

  it.each([
    ['a missing member', '{"id":1,"name":"Rex"}', " must have required property 'categoryId'"],
    ['another member', '{"id":1,"name":"Rex","categoryId":1,"x":1}', ' must NOT have additional properties'],
    ['a wrong type', '{"id":1,"name":1,"categoryId":1}', '/name must be string'],
    ['null', '{"id":1,"name":"Rex","categoryId":1,"status":null}', '/status must be string'],
    [
      'an integer outside int64',
      '{"id":1,"name":"Rex","categoryId":9223372036854775808}',
      '/categoryId is no int64: 9223372036854775808',
    ],
    [
      'a fraction a double hides',
      '{"id":9007199254740992.5,"name":"Rex","categoryId":1}',
      '/id is no int64: 9007199254740992.5',
    ],
  ])('reports %s', (_what, text, fault) => {
    const faults = new SchemaCheck(document).faults(text, { $ref: '#/components/schemas/Pet' });
    expect(faults).toContain(fault);
  });
});
