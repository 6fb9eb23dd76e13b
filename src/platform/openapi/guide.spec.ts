import { readOperationStates } from '../deprecation/operation-states';
import type { Operation } from '../http/operations/operation';
import { ServiceAddress } from '../values/service-address';
import { type GuideFacts, guideSections } from './guide';

const LIST = {
  id: 'listToys',
  method: 'GET',
  path: '/v1/toys',
  scopes: ['toys:read'],
  errors: [],
  response: { kind: 'page', status: 200 },
};
const CREATE = {
  ...LIST,
  id: 'createToy',
  method: 'POST',
  isIdempotent: true,
  response: { kind: 'created' },
};
const PATCH = {
  ...LIST,
  id: 'updateToy',
  method: 'PATCH',
  path: '/v1/toys/:toyId',
  response: { kind: 'one' },
};
const EXPORTS = { name: 'exports', perMinute: 2 };

function guide(operations: readonly object[], facts: Partial<GuideFacts> = {}): Record<string, string> {
  const sections = guideSections({
    operations: operations as Operation[],
    root: 'https://toys.example',
    address: new ServiceAddress(undefined),
    states: new Map(),
    requestsPerMinute: 600,
    ...facts,
  });
  return Object.fromEntries(sections.map(({ id, brief, more }) => [id, `${brief}\n\n${more}`.trim()]));
}

/** Returns the rows of the table of limits, and the limits in the header fields of the example. */
function limitsOf(...operations: object[]): { rows: string[]; fields: unknown[] } {
  const text = guide(operations)['rate-limits'] as string;
  const [, , ...rows] = text.split('\n').filter((line) => line.startsWith('|'));
  return { rows, fields: [...text.matchAll(/^RateLimit.*: "(.*)"/gm)].map(([, name]) => name) };
}

describe('The guide', () => {
  it('includes what the operations declare, and nothing else', () => {
    const text = Object.values(guide([LIST, CREATE, PATCH])).join('\n\n');
    expect(text).toContain('| `updateToy` | `PATCH /toys/{toyId}` | `toys:read` |');
    expect(text).toContain('curl https://toys.example/v1/toys \\\n');
    expect(text).toContain('curl -X POST https://toys.example/v1/toys \\\n');
    expect(text).toContain('curl -X PATCH https://toys.example/v1/toys/1 \\\n');
    expect(text).not.toMatch(/undefined|\[object|<%|%>|\n\n\n/);
  });

  it('explains retries and partial updates only when an operation has them', () => {
    expect(Object.keys(guide([LIST]))).not.toContain('retries');
    expect(Object.keys(guide([LIST, CREATE]))).toContain('retries');
    expect(Object.keys(guide([LIST, CREATE]))).not.toContain('partial-updates');
  });

  it('says what deprecated operations currently respond', () => {
    const deprecation = { since: new Date(0), sunset: new Date(0), successor: '/toys' };
    const deprecated = { ...LIST, deprecation };
    const inState = (state: string) => {
      const read = readOperationStates(`listToys=${state}`);
      return 'value' in read ? guide([deprecated], { states: read.value })['deprecations'] : read.fault;
    };
    expect(guide([deprecated])['deprecations']).toContain('### `listToys`');
    expect(inState('removed')).toContain('This operation has been removed.');
    expect(inState('brownout(2030-06-01T00:00:00Z/PT1H)')).toContain(
      '- 2030-06-01 00:00:00 UTC to 2030-06-01 01:00:00 UTC',
    );
  });

  it('promises the order of ids for every list only when no list can be sorted', () => {
    const sorted = { ...LIST, queryNames: new Set(['limit', 'cursor', 'sort']) };
    expect(guide([LIST])['paging']).toContain('in ascending order of `id`.\n');
    expect(guide([LIST])['paging']).not.toContain('sort');
    expect(guide([LIST, sorted])['paging']).toContain(
      'in ascending order of `id`, unless the parameter `sort` asks for another.\n',
    );
    expect(guide([LIST, sorted])['paging']).toContain('the filters and the order of its list');
  });

  it('has a title for each section, and a short part for the introduction of the document', () => {
    const facts = {
      operations: [LIST] as unknown as Operation[],
      root: '',
      address: new ServiceAddress(undefined),
      states: new Map(),
    };
    const sections = guideSections({ ...facts, requestsPerMinute: 0 });
    expect(sections.map(({ id, title, brief }) => [id, title, brief === ''])).toEqual([
      ['quick-start', 'Quick start', true],
      ['authentication', 'Authentication', false],
      ['clients', 'Clients', true],
      ['paging', 'Paging', false],
      ['int64', '64-bit integers', false],
      ['conditional-requests', 'Conditional requests', false],
      ['rate-limits', 'Rate limits', false],
      ['limits', 'Sizes and limits', true],
      ['deprecations', 'Deprecated operations', false],
      ['errors', 'Errors', false],
      ['versioning', 'Versions', true],
      ['licence', 'Licence', true],
    ]);
  });
});

describe('The limits in the guide', () => {
  it('apply to all operations when none has a limit of its own', () => {
    expect(limitsOf(LIST)).toEqual({
      rows: ['| default | 600 | all operations |'],
      fields: ['default', 'default'],
    });
  });

  it('apply to all other operations beside those with a limit of their own', () => {
    const one = { ...LIST, id: 'exportOne', rateLimit: EXPORTS };
    expect(limitsOf(LIST, one, { ...one, id: 'exportOther' }).rows).toEqual([
      '| default | 600 | all others |',
      '| exports | 2 | `exportOne`, `exportOther` |',
    ]);
  });

  it('leave out the common limit when every operation has its own', () => {
    expect(limitsOf({ ...LIST, rateLimit: EXPORTS })).toEqual({
      rows: ['| exports | 2 | `listToys` |'],
      fields: ['exports', 'exports'],
    });
  });

  it('are reported as switched off', () => {
    const text = guide([LIST], { requestsPerMinute: 0 })['rate-limits'];
    expect(text).toContain('This service has its rate limits switched off');
    expect(text).not.toContain('q=');
  });
});
