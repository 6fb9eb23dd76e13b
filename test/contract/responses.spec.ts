import { type Provocation, teach } from '../support/samples/module-samples';
import {
  type DocumentedResponse,
  operationsOf,
  type ServedDocument,
  type ServedOperation,
  servedDocument,
} from '../support/service/served-document';
import { findBrokenPromises } from './support/documented-responses';
import { SchemaCheck } from './support/schema-check';
import { useService } from './support/service';

const ERROR = { $ref: '#/components/schemas/Error' };

describe('The comparison of responses with the document', () => {
  const service = useService('sqlite');
  let document: ServedDocument;
  let listPets: ServedDocument['paths'][string][string];
  beforeAll(async () => {
    document = await servedDocument(service());
    listPets = document.paths['/pets']?.['get'] as typeof listPets;
  });

  /** Looks at one operation that is documented otherwise than it is. */
  function broken(path: string, described: object, method = 'get'): Promise<string[]> {
    const paths = { [path]: { [method]: { ...listPets, ...described } } };
    const [operation] = operationsOf({ ...document, paths });
    return findBrokenPromises({ service: service(), document, operation: operation as ServedOperation });
  }

  it('reports an operation that it cannot provoke', async () => {
    const operation = { operationId: 'listToys', responses: { 200: listPets.responses['200'] } };
    expect(await broken('/toys', operation)).toEqual(['listToys 200: /toys has neither a POST nor a table.']);
  });

  it('reports a status that it cannot provoke', async () => {
    const responses = { ...listPets.responses, 409: listPets.responses['400'] };
    expect(await broken('/pets', { responses })).toEqual([
      'listPets 409: no request of this suite provokes it',
    ]);
  });

  it("leaves the errors of a module's own rules to its tests", async () => {
    const responses = { 404: errorResponse('pet_not_found') };
    expect(await broken('/pets', { responses })).toEqual([]);
    const platforms = { 404: errorResponse('not_found') };
    expect(await broken('/pets', { responses: platforms })).toEqual([
      'listPets 404: no request of this suite provokes it',
    ]);
  });

  it("reports an error of a module's own rules that its sample does not provoke", async () => {
    const provoke = jest.fn(({ request }: Parameters<Provocation>[0]) => request);
    teach(service(), [{ operations: { renamePet: { errors: { pet_not_found: provoke } } } }]);
    const responses = { 404: errorResponse('pet_not_found') };
    expect(await broken('/pets', { operationId: 'renamePet', responses })).toEqual([
      'renamePet 404: it is 200 instead',
    ]);
    expect(provoke).toHaveBeenCalledTimes(1);
  });

  it('reports a status that is not documented', async () => {
    const responses = { ...listPets.responses, 201: listPets.responses['200'] };
    expect(await broken('/pets', { responses })).toEqual(['listPets 201: it is 200 instead']);
  });

  it('reports a header that is missing', async () => {
    const { headers, ...documented } = listPets.responses['200'] as DocumentedResponse;
    const response = { ...documented, headers: { ...headers, 'X-Total': {} } };
    expect(await broken('/pets', { responses: { 200: response } })).toEqual([
      'listPets 200: the header X-Total is missing',
    ]);
  });

  it('reports a header that is not documented', async () => {
    const response = { ...listPets.responses['200'], headers: {} };
    expect(await broken('/pets', { responses: { 200: response } })).toEqual([
      'listPets 200: the header ETag is not documented',
      'listPets 200: the header Link is not documented',
    ]);
  });

  it('reports a body that does not match its schema', async () => {
    const response = { ...listPets.responses['400'], headers: listPets.responses['200']?.headers };
    expect(await broken('/pets', { responses: { 200: response } })).toEqual([
      'listPets 200:  must be object',
    ]);
  });

  it('reports an error code that is not documented', async () => {
    const examples = { invalid_api_key: {} };
    const content = { 'application/json': { schema: ERROR, examples } };
    const response = { ...listPets.responses['401'], content };
    expect(await broken('/pets', { responses: { 401: response } })).toEqual([
      'listPets 401: its code unauthorized is not documented',
    ]);
  });

  it.each([
    ['patch', 200],
    ['patch', 412],
    ['delete', 204],
  ])('provokes what only %s responds with: %i', async (method, status) => {
    const responses = { [status]: { description: 'Done.' } };
    const operation = { operationId: 'changePet', parameters: [], responses };
    expect(await broken('/pets/{petId}', operation, method)).toEqual([
      `changePet ${status}: it is 405 instead`,
    ]);
  });

  it('refers to an item to provoke the refusal of its removal', async () => {
    const responses = { 409: errorResponse('still_referenced') };
    const operation = { operationId: 'deletePet', parameters: [], responses };
    expect(await broken('/pets/{petId}', operation, 'delete')).toEqual(['deletePet 409: it is 405 instead']);
  });

  it('sets each reference to a missing record to provoke its refusal', async () => {
    const category = { type: 'integer', format: 'int64', 'x-refers-to': '/pets' };
    const schema = {
      required: ['name', 'categoryId'],
      properties: { name: { example: 'Rex' }, categoryId: category },
    };
    const operation = {
      operationId: 'createPet',
      parameters: [],
      requestBody: { content: { 'application/json': { schema } } },
      responses: { 409: errorResponse('missing_reference') },
    };
    expect(await broken('/pets', operation, 'post')).toEqual([
      'createPet 409: it is 201 instead',
      'createPet 409: its message does not name categoryId',
    ]);
    const none = { parameters: [], responses: { 409: errorResponse('missing_reference') } };
    expect(await broken('/pets', none)).toEqual(['listPets 409: no request of this suite provokes it']);
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

  it.each([
    ['int32', 'integer', '2147483647', '2147483648'],
    ['int64', 'integer', '-9223372036854775808', '1.5'],
    ['double', 'number', '1.5e-300', '"1.5"'],
    ['date', 'string', '"2028-02-29"', '"2026-02-29"'],
    ['date-time', 'string', '"2026-01-31T09:30:00.000Z"', '"2026-01-31T09:30:00"'],
    ['uuid', 'string', '"9f1c7a52-2f6c-4b5a-9a53-0f6f6a0c4f8e"', '"9f1c7a522f6c4b5a9a530f6f6a0c4f8e"'],
  ])('reports a value that is no %s, and null unless it is nullable', (format, type, good, bad) => {
    const check = new SchemaCheck(document);
    const schema = { type, format, example: 1, 'x-refers-to': '/pets' };
    expect(check.faults(good, schema)).toEqual([]);
    expect(check.faults(bad, schema)).not.toEqual([]);
    expect(check.faults('null', schema)).not.toEqual([]);
    expect(check.faults('null', { ...schema, nullable: true })).toEqual([]);
  });

  it('refuses an unknown format', () => {
    const schema = { type: 'string', format: 'duration' };
    expect(() => new SchemaCheck(document).faults('"P1D"', schema)).toThrow('unknown format "duration"');
  });
});

/** A response documented with one error. */
function errorResponse(code: string): object {
  return { content: { 'application/json': { schema: ERROR, example: { code } } } };
}
