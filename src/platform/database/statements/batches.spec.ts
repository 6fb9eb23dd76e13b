import { batchesOf } from './batches';

describe('The batches of a list', () => {
  it.each([
    [[], []],
    [['a'], [['a']]],
    [['a', 'b'], [['a', 'b']]],
    [
      ['a', 'b', 'c'],
      [['a', 'b'], ['c']],
    ],
  ])('with at most two items each, of %j, are %j', (items, batches) => {
    expect([...batchesOf(items, 2)]).toEqual(batches);
  });
});
