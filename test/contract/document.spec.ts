import { parse } from 'yaml';
import { startTestService, type TestService } from '../support/service';
import { ADDITIONS, SPECIFIED } from './document-expectation';

interface ErrorExample {
  readonly value: { readonly code: string; readonly status: number };
}

interface Answer {
  readonly content: Record<string, { readonly examples?: Record<string, ErrorExample> }>;
}

interface Document {
  readonly openapi: string;
  readonly info: { readonly description: string };
  readonly servers: readonly object[];
  readonly components: { readonly schemas: object };
  readonly paths: Record<string, Record<string, { description: string; responses: Record<string, Answer> }>>;
}

const PRODUCTION = 'https://api.example.com/v1';
const STAGING = 'https://staging.example.com/v1';

describe('the served document', () => {
  let service: TestService;
  let document: Document;
  let leaves: Map<string, unknown>;

  beforeAll(async () => {
    service = await startTestService('sqlite');
    document = await documentOf(service);
    leaves = leavesOf(document);
  });

  afterAll(() => service.stop());

  it.each([...leavesOf(SPECIFIED)])('says as specified: %s', (place, value) => {
    expect(leaves.get(place)).toEqual(value);
  });

  it('says nothing besides, apart from the additions named', () => {
    const specified = leavesOf(SPECIFIED);
    const added = Object.values(ADDITIONS).flat().map(expressionOf);
    const unexpected = [...leaves.keys()]
      .filter((place) => !specified.has(place))
      .filter((place) => !added.some((expression) => expression.test(place)));
    expect(unexpected).toEqual([]);
  });

  it.each(
    Object.entries(ADDITIONS).flatMap(([name, places]) => places.map((place) => [name, place] as const)),
  )('has the addition: %s (%s)', (_name, place) => {
    expect([...leaves.keys()].filter((found) => expressionOf(place).test(found))).not.toEqual([]);
  });

  it('is OpenAPI 3.0.3 with exactly the five schemas', () => {
    expect(document.openapi).toBe('3.0.3');
    expect(Object.keys(document.components.schemas)).toEqual(['Error', 'NewPet', 'Pet', 'PetStatus', 'Pets']);
  });

  it('names this server, relative, when no other address is set', () => {
    expect(document.servers).toEqual([{ url: '/v1', description: 'This server' }]);
  });

  it('names production and staging after this server, when they are set', async () => {
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

  it('tells the date on which getPet is to be removed, and what to use instead', () => {
    expect(document.paths['/pets/{petId}']?.['get']?.description).toContain(
      'to be removed on 5 December 2030. Use `GET /pets` with the `status` filter instead.',
    );
  });

  it('gives examples of errors under the status they have', () => {
    const examples = answersOf(document).flatMap(([status, { content }]) =>
      Object.entries(content['application/json']?.examples ?? {}).map(
        ([name, { value }]) => [status, name, value] as const,
      ),
    );
    expect(examples.length).toBeGreaterThan(20);
    for (const [status, name, { code, status: itsStatus }] of examples) {
      expect(code).toBe(name);
      expect([String(itsStatus), 'default']).toContain(status);
    }
  });

  it('is the same in YAML', async () => {
    const response = await fetch(`${service.url}/docs/openapi.yaml`);
    expect(response.headers.get('content-type')).toBe('application/yaml');
    expect(parse(await response.text())).toEqual(document);
  });
});

async function documentOf({ url }: TestService): Promise<Document> {
  return (await (await fetch(`${url}/docs/openapi.json`)).json()) as Document;
}

function answersOf(document: Document): [string, Answer][] {
  return Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ responses }) => Object.entries(responses));
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
