import fc from 'fast-check';
import { AppError } from '../errors/app-error';
import { readQuery } from './query-reader';

const KNOWN = new Set(['limit', 'status']);

function refusal(query: string): [string, string] {
  try {
    readQuery(query, KNOWN);
  } catch (error) {
    return [(error as AppError).code, (error as AppError).message];
  }
  return ['accepted', ''];
}

describe('readQuery', () => {
  it.each<[string, Record<string, string>]>([
    ['', {}],
    ['limit=5', { limit: '5' }],
    ['limit=5&status=sold', { limit: '5', status: 'sold' }],
    ['&&limit=5&', { limit: '5' }],
    ['limit', { limit: '' }],
    ['limit=', { limit: '' }],
    ['limit=a=b', { limit: 'a=b' }],
    ['l%69mit=%20+x%2B', { limit: '  x+' }],
    ['limit=%', { limit: '%' }],
    ['limit=%F0%9F%90%B6', { limit: '🐶' }],
  ])('reads %s', (query, parameters) => {
    expect({ ...readQuery(query, KNOWN) }).toEqual(parameters);
  });

  it.each([
    ['page=2', 'page is not a query parameter of this operation.'],
    ['limit[]=2', 'limit[] is not a query parameter of this operation.'],
    ['LIMIT=2', 'LIMIT is not a query parameter of this operation.'],
    ['__proto__=1', '__proto__ is not a query parameter of this operation.'],
    ['limit%5B%5D=2', 'limit[] is not a query parameter of this operation.'],
    ['%ff=1', 'A parameter of the query is not a query parameter of this operation.'],
    ['%=1', 'A parameter of the query is not a query parameter of this operation.'],
    ['hasOwnProperty=1', 'hasOwnProperty is not a query parameter of this operation.'],
    ['.=1', 'A parameter of the query is not a query parameter of this operation.'],
    ['a.b=1', 'a.b is not a query parameter of this operation.'],
    ['=1', 'A parameter of the query is not a query parameter of this operation.'],
    ['a%20b=1', 'A parameter of the query is not a query parameter of this operation.'],
    ['<b>=1', 'A parameter of the query is not a query parameter of this operation.'],
    [`${'n'.repeat(65)}=1`, 'A parameter of the query is not a query parameter of this operation.'],
  ])('refuses the unknown parameter in %s, and names it where that is safe', (query, message) => {
    expect(refusal(query)).toEqual(['unknown_parameter', message]);
  });

  it.each(['limit=1&limit=1', 'limit=1&status=sold&l%69mit=2', 'limit&limit='])('refuses %s', (query) => {
    expect(refusal(query)).toEqual(['invalid_parameter', 'limit may be given only once.']);
  });

  it('returns a record without a prototype', () => {
    for (const query of ['', 'limit=1']) expect(Object.getPrototypeOf(readQuery(query, KNOWN))).toBeNull();
  });

  it('reads what URLSearchParams writes, and returns known names only', () => {
    const name = fc.oneof(fc.constantFrom('limit', 'status', '__proto__'), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.string({ unit: 'grapheme' })), { maxLength: 4 }), (pairs) => {
        const query = new URLSearchParams(pairs).toString();
        const isUnknown = pairs.some(([one]) => !KNOWN.has(one));
        const isRepeated = new Set(pairs.map(([one]) => one)).size < pairs.length;
        const [code] = refusal(query);
        if (isUnknown || isRepeated) expect(code).toMatch(/^(unknown|invalid)_parameter$/);
        else expect({ ...readQuery(query, KNOWN) }).toEqual(Object.fromEntries(pairs));
      }),
      { numRuns: 500 },
    );
  });
});
