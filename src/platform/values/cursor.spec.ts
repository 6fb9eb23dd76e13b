import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { InvalidCursorError } from '../errors/http-errors';
import { CURSOR_PATTERN, MAX_CURSOR_LENGTH, decodeCursor, encodeCursor } from './cursor';
import { INT64_MAX, INT64_MIN } from './int64';

const MALFORMED = 'The cursor is malformed.';
const OTHER_FILTER = 'The cursor belongs to a list with another filter.';
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

const position = fc.bigInt({ min: INT64_MIN, max: INT64_MAX });
const word = fc.oneof(
  fc.constantFrom('status', 'available', 'pending', 'sold', '', '__proto__'),
  fc.string({ unit: 'binary' }),
);
const filter = fc.dictionary(word, word, { maxKeys: 4, noNullPrototype: true });

function refusal(text: string, of: Readonly<Record<string, string>> = {}): string {
  try {
    decodeCursor(text, of);
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidCursorError);
    return (error as Error).message;
  }
  return 'accepted';
}

describe('A cursor', () => {
  it.each([
    ['AQAAAAAAAAAUT1PNoYwrqgwD', 20n, {}],
    ['AQAAAAAAAAAUnFtrJ2s2N9vx', 20n, { status: 'sold' }],
    ['AYAAAAAAAAAAT1PNoYwrqgwD', INT64_MIN, {}],
  ])('stays valid across releases: %s', (text, at, of) => {
    expect(encodeCursor(at, of)).toBe(text);
    expect(decodeCursor(text, of)).toBe(at);
  });

  it('does not depend on the order in which the filter is written', () => {
    expect(encodeCursor(1n, { a: '1', b: '2' })).toBe(encodeCursor(1n, { b: '2', a: '1' }));
  });

  it.each([
    ['a filter that is dropped', { status: 'sold' }, {}],
    ['a filter that is added', {}, { status: 'sold' }],
    ['another value', { status: 'sold' }, { status: 'pending' }],
    ['another parameter of the same value', { status: 'sold' }, { state: 'sold' }],
    ['pairs that join to the same text', { a: 'b', c: 'd' }, { a: 'b,c,d' }],
  ])('is refused with %s', (_case, made, used) => {
    expect(refusal(encodeCursor(1n, made), used)).toBe(OTHER_FILTER);
  });

  it.each([
    ['empty', ''],
    ['cut', 'AQAAAAAAAAAUT1PNoYwrqgw'],
    ['too long by one', 'AQAAAAAAAAAUT1PNoYwrqgwDA'],
    ['padded', 'AQAAAAAAAAAUT1PNoYwrqgwD===='],
    ['with a space', 'AQAAAAAAAAAUT1PNoYwrqgw '],
    ['with a line break after it', 'AQAAAAAAAAAUT1PNoYwrqgwD\n'],
    ['in base64 rather than base64url', 'AQAAAAAAAAAUT1PNoYwrqg/+'],
    ['with base64 in the position', 'AQAAAAAAAA+/T1PNoYwrqgwD'],
    ['of another version', 'AgAAAAAAAAAUT1PNoYwrqgwD'],
    ['beyond the documented length', 'A'.repeat(MAX_CURSOR_LENGTH + 1)],
    ['very long', 'A'.repeat(8_000)],
  ])('is malformed when %s', (_case, text) => {
    expect(refusal(text)).toBe(MALFORMED);
  });

  it('cannot be made of a position outside int64', () => {
    expect(() => encodeCursor(INT64_MAX + 1n, {})).toThrow('out of range');
    expect(() => encodeCursor(INT64_MIN - 1n, {})).toThrow('out of range');
  });

  it('round-trips every position, in the documented form', () => {
    const pattern = new RegExp(CURSOR_PATTERN);
    fc.assert(
      fc.property(position, filter, (at, of) => {
        const text = encodeCursor(at, of);
        expect(text).toMatch(pattern);
        expect(text.length).toBeLessThanOrEqual(MAX_CURSOR_LENGTH);
        expect(decodeCursor(text, of)).toBe(at);
      }),
    );
  });

  it('is refused with any other filter', () => {
    fc.assert(
      fc.property(position, filter, filter, (at, made, used) => {
        fc.pre(!isDeepStrictEqual(made, used));
        expect(refusal(encodeCursor(at, made), used)).toBe(OTHER_FILTER);
      }),
    );
  });

  it('has exactly one valid text for each position', () => {
    const near = fc
      .tuple(position, fc.nat(23), fc.constantFrom(...ALPHABET.split(''), '+', '/', '=', ' ', '\u0000'))
      .map(([at, i, c]) => {
        const text = encodeCursor(at, {});
        return text.slice(0, i) + c + text.slice(i + 1);
      });
    let accepted = 0;
    fc.assert(
      fc.property(near, (text) => {
        if (refusal(text) === 'accepted') {
          accepted++;
          expect(encodeCursor(decodeCursor(text, {}), {})).toBe(text);
        }
      }),
      { numRuns: 2_000 },
    );
    expect(accepted).toBeGreaterThan(0);
  });

  it('is refused with InvalidCursorError for arbitrary text', () => {
    const letters = fc.string({ unit: fc.constantFrom(...ALPHABET.split('')), minLength: 20, maxLength: 28 });
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 600 }), letters), filter, (text, of) => {
        expect([MALFORMED, OTHER_FILTER]).toContain(refusal(text, of));
      }),
      { numRuns: 1_000 },
    );
  });
});
