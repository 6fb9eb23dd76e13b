import fc from 'fast-check';
import { idRanges, idsIn } from './id-ranges';

describe('Ranges of ids', () => {
  it.each<[bigint[], string]>([
    [[1n, 2n, 3n], '1..3'],
    [[3n, 1n, 2n, 5n, 8n, 7n], '1..3,5,7..8'],
    [[-2n, -1n, 0n], '-2..0'],
    [[9_223_372_036_854_775_806n, 9_223_372_036_854_775_807n], '9223372036854775806..9223372036854775807'],
  ])('of %j are %s', (ids, ranges) => {
    expect(idRanges(ids)).toBe(ranges);
  });

  it('hold exactly the ids they were made of', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.bigInt({ min: -20n, max: 20n })), (ids) => {
        expect(idsIn(idRanges(ids))).toEqual(ids.toSorted((one, other) => Number(one - other)));
      }),
    );
  });
});
