import { parse } from 'yaml';
import {
  isDescribed,
  operationsOf,
  type ServedDocument,
  servedDocument,
} from '../support/service/served-document';
import { startTestService, type TestService } from '../support/service/service';
import { ADDITIONS, SPECIFIED } from './document-expectation';
import { partOf } from './support/document-part';

interface Document extends ServedDocument {
  readonly openapi: string;
  readonly servers: readonly object[];
}

/** The type of each format; any other, of a decorator of class-validator, is one of texts. */
const TYPES: Readonly<Record<string, string>> = {
  int32: 'integer',
  int64: 'integer',
  double: 'number',
  decimal: 'string',
  date: 'string',
  'date-time': 'string',
  uuid: 'string',
};

/** A text that says something. */
const TEXT: unknown = expect.stringMatching(/\S/);

const PRODUCTION = 'https://api.example.com/v1';
const STAGING = 'https://staging.example.com/v1';

describe('The served document', () => {
  let service: TestService;
  let document: Document;
  let petsPart: Document;
  let leaves: Map<string, unknown>;

  beforeAll(async () => {
    service = await startTestService('sqlite');
    document = await documentOf(service);
    petsPart = partOf(document, 'pets');
    leaves = leavesOf(petsPart);
  });

  afterAll(() => service.stop());

  it('has every specified value', () => {
    const specified = leavesOf(SPECIFIED);
    const served = [...leaves].filter(([place]) => specified.has(place));
    expect(Object.fromEntries(served)).toEqual(Object.fromEntries(specified));
  });

  it('has no other values, except for the listed additions', () => {
    const specified = leavesOf(SPECIFIED);
    const added = Object.values(ADDITIONS).flat().map(expressionOf);
    const unexpected = [...leaves.keys()]
      .filter((place) => !specified.has(place))
      .filter((place) => !added.some((expression) => expression.test(place)));
    expect(unexpected).toEqual([]);
  });

  it('has every listed addition', () => {
    const missing = Object.values(ADDITIONS)
      .flat()
      .filter((place) => ![...leaves.keys()].some((found) => expressionOf(place).test(found)));
    expect(missing).toEqual([]);
  });

  it('is OpenAPI 3.0.3 with exactly five schemas for pets', () => {
    expect(document.openapi).toBe('3.0.3');
    expect(Object.keys(petsPart.components.schemas)).toEqual(['Error', 'NewPet', 'Pet', 'PetStatus', 'Pets']);
  });

  it('names this server by a relative address by default', () => {
    expect(document.servers).toEqual([{ url: '/v1', description: 'This server' }]);
  });

  it('names production and staging after this server, if set', async () => {
    const other = await startTestService('sqlite', {
      PRODUCTION_BASE_URL: PRODUCTION,
      STAGING_BASE_URL: STAGING,
    });
    const { servers } = await documentOf(other);
    await other.stop();
    expect(servers).toEqual([
      { url: '/v1', description: 'This server' },
      { url: PRODUCTION, description: 'Production' },
      { url: STAGING, description: 'Staging' },
    ]);
  });

  it('has no cursor in an example, since tools would send it with other filters', () => {
    const headers = document.paths['/pets']?.['get']?.responses['200'] as { headers: { Link: object } };
    expect(headers.headers.Link).not.toHaveProperty('example');
    expect(JSON.stringify(document.paths)).not.toContain('cursor=');
  });

  it('gives the sunset of getPet, and what to use instead', () => {
    expect(document.paths['/pets/{petId}']?.['get']?.description).toContain(
      'to be removed on 5 December 2030. Use `GET /pets` with the `status` filter instead.',
    );
  });

  it('describes every operation, its key and its errors', () => {
    const tags = document.tags.map(({ name }) => name);
    const operations = operationsOf(document);
    expect(document.tags).toEqual(tags.map((name) => ({ name, description: TEXT })));
    for (const operation of operations) {
      expect(operation).toMatchObject({
        tags: [expect.any(String)],
        ...(isDescribed(operation) && { summary: TEXT, description: TEXT }),
        responses: { 401: { description: TEXT }, default: { description: TEXT } },
        security: [{ apiKey: [] }],
      });
      if (isDescribed(operation)) expect(tags).toEqual(expect.arrayContaining([...(operation.tags ?? [])]));
    }
    const names = operations.map(({ operationId }) => operationId);
    expect(names).toEqual([...new Set(names)]);
  });

  it('has schemas whose types match their formats, and nullable enums that list null', () => {
    const parameters = operationsOf(document).flatMap((operation) => operation.parameters ?? []);
    const members = Object.values(document.components.schemas).flatMap(({ properties = {} }) =>
      Object.entries(properties),
    );
    const schemas = [...members, ...parameters.map(({ name, schema }) => [name, schema] as const)];
    const wrong = schemas.filter(
      ([, { type, format, nullable, enum: values }]) =>
        (format !== undefined && (TYPES[format] ?? 'string') !== type) ||
        (nullable && values && !values.includes(null)),
    );
    expect(schemas.length).toBeGreaterThan(10);
    expect(wrong).toEqual([]);
  });

  it('gives examples of errors under the status they have', () => {
    const examples = operationsOf(document).flatMap(({ responses }) =>
      Object.entries(responses).flatMap(([status, { content }]) =>
        Object.entries(content?.['application/json']?.examples ?? {}).map(
          ([name, { value }]) => [status, name, value as { code: string; status: number }] as const,
        ),
      ),
    );
    expect(examples.length).toBeGreaterThan(20);
    for (const [status, name, { code, status: itsStatus }] of examples) {
      expect(code).toBe(name);
      expect([String(itsStatus), 'default']).toContain(status);
    }
  });

  it('gives an example of 429 for each operation with a key, and of 408 for each with a body', () => {
    for (const { operationId, security = [], requestBody, responses } of operationsOf(document)) {
      const { examples = {} } = responses.default?.content?.['application/json'] ?? {};
      const found = ['rate_limited', 'request_timeout'].map((code) => code in examples);
      expect([operationId, ...found]).toEqual([operationId, security.length > 0, requestBody !== undefined]);
    }
  });

  it('is the same in YAML', async () => {
    const response = await fetch(`${service.url}/docs/openapi.yaml`);
    expect(response.headers.get('content-type')).toBe('application/yaml');
    expect(parse(await response.text())).toEqual(document);
  });
});

async function documentOf(service: TestService): Promise<Document> {
  return (await servedDocument(service)) as Document;
}

/** Every value that has nothing below it, by its place; lists of plain values count as one value. */
function leavesOf(value: unknown, place: readonly string[] = []): Map<string, unknown> {
  const below = membersOf(value, place.at(-1));
  if (below.length === 0) return new Map([[place.join(' > '), value]]);
  return new Map(below.flatMap(([name, member]) => [...leavesOf(member, [...place, name])]));
}

function membersOf(value: unknown, name: string | undefined): [string, unknown][] {
  if (!Array.isArray(value)) return typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (value.some((item) => typeof item !== 'object')) return [];
  if (name !== 'parameters') return Object.entries(value);
  return (value as { name: string }[]).map(({ name: key, ...rest }) => [key, rest]);
}

function expressionOf(place: string): RegExp {
  const steps = place
    .split(' > ')
    .map((step) => (step === '**' ? '.+' : step === '*' ? '(?:(?! > ).)+' : RegExp.escape(step)));
  return new RegExp(`^${steps.join(' > ')}$`);
}
