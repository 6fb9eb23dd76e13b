import fc from 'fast-check';
import { readJson, type Shape, writeJson } from '../src/exact-json.ts';

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const number = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  .map((value) => (Object.is(value, -0) ? 0 : value))
  // Integers beyond are refused.
  .filter((value) => Number.isSafeInteger(value) || !Number.isInteger(value));

describe('The JSON parser of the client', () => {
  it('reads every 64-bit integer as a bigint, and other numbers as numbers', () => {
    const shapes = { Pet: { id: true, owner: 'Owner' }, Owner: { id: true, pets: ['Pet'] } } as const;
    const owner = fc.record({ id: int64, age: number, '*': fc.string() });
    const pet = fc.record({ id: int64, owner, weight: number, name: fc.string() });
    fc.assert(
      fc.property(fc.array(pet), (pets) => {
        expect(readJson(writeJson(pets), ['Pet'], shapes)).toEqual(pets);
      }),
    );
  });

  it.each<[string, Shape | undefined, unknown]>([
    ['9007199254740993', true, 9007199254740993n],
    ['-9223372036854775808', true, -9223372036854775808n],
    ['3', true, 3n],
    ['null', true, null],
    ['"3"', true, '3'],
    ['9007199254740993', undefined, 9007199254740992],
    ['1e300', undefined, 1e300],
    [
      '{"a":{"x":1},"b":{"x":9007199254740993}}',
      { '*': { x: true } },
      { a: { x: 1n }, b: { x: 9007199254740993n } },
    ],
    [
      '{"ids":[1,9007199254740993],"other":[1]}',
      { ids: [true] },
      { ids: [1n, 9007199254740993n], other: [1] },
    ],
    ['{"toString":1,"id":2}', { id: true }, { toString: 1, id: 2n }],
  ])('reads %s with the shape %j exactly', (text, shape, value) => {
    expect(readJson(text, shape, {})).toEqual(value);
  });

  it('refuses malformed JSON', () => {
    expect(() => readJson('{"id":1', { id: true }, {})).toThrow(SyntaxError);
  });
});
