import { readSlice } from './page';

const ROWS = [1, 2, 3];

describe('A slice of a list', () => {
  it.each([
    [1, [1], true],
    [2, [1, 2], true],
    [3, ROWS, false],
    [4, ROWS, false],
  ])('has at most %d rows, and says whether there are more', async (limit, items, hasMore) => {
    const read = jest.fn((most: number) => Promise.resolve(ROWS.slice(0, most)));
    expect(await readSlice(limit, read)).toEqual({ items, hasMore });
    expect(read.mock.calls).toEqual([[limit + 1]]);
  });
});
