import { violationsOf } from './support/checker';
import type { Change, Create, Get, History, Page, Shown } from './support/history';

type Times = readonly [start: number, end?: number];

const create = (id: string, value: string, [start, end]: Times, key = value): Create => ({
  type: 'create',
  client: 0,
  key,
  value,
  start,
  ...(end !== undefined && { end, shown: [id, value] as const }),
});
const change = (id: string, value: string, [start, end]: Times): Change => ({
  type: 'change',
  client: 0,
  id,
  value,
  start,
  ...(end !== undefined && { end }),
});
const get = (id: string, value: string | undefined, start: number, end: number): Get => ({
  type: 'get',
  client: 0,
  id,
  value,
  start,
  end,
});
const page = (
  after: string,
  shown: readonly Shown[],
  hasNext: boolean,
  start: number,
  end: number,
): Page => ({
  type: 'page',
  client: 0,
  after,
  shown,
  hasNext,
  start,
  end,
});

/** A history in which everything written is also delivered, in the order given. */
function history(part: Partial<History>): History {
  const { creates = [], changes = [], gets = [], pages = [] } = part;
  const deliveries = [
    ...creates.flatMap(({ shown }) => (shown ? [{ id: shown[0], value: shown[1] }] : [])),
    ...changes.map(({ id, value }) => ({ id, value })),
  ];
  return { creates, changes, gets, pages, deliveries, ...part };
}

const a = create('1', 'a', [0, 10]);

describe('The judgement of a history', () => {
  it.each<[string, Partial<History>]>([
    [
      'a read during a change that shows either value',
      {
        creates: [a],
        changes: [change('1', 'b', [20, 30])],
        gets: [get('1', 'a', 21, 22), get('1', 'b', 23, 24), get('1', 'b', 40, 41)],
      },
    ],
    [
      'a lost change that is seen later, or never',
      {
        creates: [a],
        changes: [change('1', 'b', [20]), change('1', 'c', [21])],
        gets: [get('1', 'a', 50, 51), get('1', 'b', 60, 61)],
      },
    ],
    [
      'changes side by side that end in either order',
      {
        creates: [a],
        changes: [change('1', 'b', [20, 40]), change('1', 'c', [21, 41])],
        gets: [get('1', 'c', 25, 30), get('1', 'b', 50, 51)],
      },
    ],
    [
      'a creation that was lost, is repeated, and is seen before its response',
      {
        creates: [create('1', 'a', [0]), create('1', 'a', [20, 30])],
        gets: [get('1', 'a', 5, 6)],
      },
    ],
    [
      'a page without a pet that is added while it is read',
      {
        creates: [a, create('2', 'x', [20, 30])],
        pages: [page('0', [['1', 'a']], false, 25, 40)],
      },
    ],
    [
      'a page that ends before a pet of later ones',
      {
        creates: [a, create('2', 'x', [0, 10])],
        pages: [page('0', [['1', 'a']], true, 25, 40)],
      },
    ],
    [
      'the event of a creation without a response',
      {
        creates: [create('1', 'a', [0])],
        deliveries: [{ id: '1', value: 'a' }],
      },
    ],
    [
      'events of changes side by side in either order, and repeated',
      {
        creates: [a],
        changes: [change('1', 'b', [20, 40]), change('1', 'c', [21, 41])],
        deliveries: ['a', 'c', 'b', 'a'].map((value) => ({ id: '1', value })),
      },
    ],
  ])('accepts %s', (_, part) => {
    expect(violationsOf(history(part))).toEqual([]);
  });

  it.each<[string, Partial<History>, string]>([
    [
      'an old value after a change',
      {
        creates: [a],
        changes: [change('1', 'b', [20, 30])],
        gets: [get('1', 'a', 31, 32)],
      },
      'Pet 1 was "a" again after it had been "b".',
    ],
    [
      'an old value after a new one was seen',
      {
        creates: [a],
        changes: [change('1', 'b', [20, 90])],
        gets: [get('1', 'b', 21, 22), get('1', 'a', 23, 24)],
      },
      'Pet 1 was "a" again after it had been "b".',
    ],
    [
      'an old value on a page',
      {
        creates: [a],
        changes: [change('1', 'b', [20, 30])],
        pages: [page('0', [['1', 'a']], false, 31, 32)],
      },
      'Pet 1 was "a" again after it had been "b".',
    ],
    [
      'a lost change that is seen and then gone',
      {
        creates: [a],
        changes: [change('1', 'b', [20])],
        gets: [get('1', 'b', 31, 32), get('1', 'a', 33, 34)],
      },
      'Pet 1 was "a" again after it had been "b".',
    ],
    [
      'a value that nobody wrote',
      { creates: [a], gets: [get('1', 'z', 31, 32)] },
      'Pet 1 was seen as "z", which it was never made.',
    ],
    [
      'a value before it was written',
      {
        creates: [a],
        changes: [change('1', 'b', [50, 60])],
        gets: [get('1', 'b', 31, 32)],
      },
      'Pet 1 was seen as "b" before it was made that.',
    ],
    [
      'a pet that is gone',
      { creates: [a], gets: [get('1', undefined, 31, 32)] },
      'Pet 1 was not found after it had been seen.',
    ],
    [
      'a page without a pet of its range',
      {
        creates: [a, create('2', 'x', [0, 10]), create('3', 'y', [0, 10])],
        pages: [page('1', [['3', 'y']], true, 25, 40)],
      },
      'A page after 1 lacked pet 2.',
    ],
    [
      'a last page without a later pet',
      {
        creates: [a, create('2', 'x', [0, 10])],
        pages: [page('0', [['1', 'a']], false, 25, 40)],
      },
      'A page after 0 lacked pet 2.',
    ],
    [
      'a page without a pet that a page has shown, whose creation got no response',
      {
        creates: [create('1', 'a', [0])],
        pages: [page('0', [['1', 'a']], false, 5, 6), page('0', [], false, 7, 8)],
      },
      'A page after 0 lacked pet 1.',
    ],
    [
      'a page that shows a pet twice',
      {
        creates: [a],
        pages: [
          page(
            '0',
            [
              ['1', 'a'],
              ['1', 'a'],
            ],
            false,
            25,
            40,
          ),
        ],
      },
      'A page after 0 was out of order: 1, 1.',
    ],
    [
      'a page with a pet of the page before',
      {
        creates: [a, create('2', 'x', [0, 10])],
        pages: [
          page(
            '1',
            [
              ['1', 'a'],
              ['2', 'x'],
            ],
            false,
            25,
            40,
          ),
        ],
      },
      'A page after 1 was out of order: 1, 2.',
    ],
    [
      'a key that made two pets',
      {
        creates: [a, create('2', 'a', [20, 30])],
      },
      'Key a made pets 1 and 2.',
    ],
    [
      'a lost creation that was carried out twice',
      {
        creates: [create('1', 'a', [0]), create('2', 'a', [20, 30])],
        gets: [get('1', 'a', 50, 51)],
      },
      '"a" is pet 2 and pet 1.',
    ],
    [
      'an event that was not delivered',
      { creates: [a], deliveries: [] },
      'The event of pet 1 that became "a" was not delivered.',
    ],
    [
      'events in another order than the changes',
      {
        creates: [a],
        changes: [change('1', 'b', [20, 30]), change('1', 'c', [40, 50])],
        deliveries: ['a', 'c', 'b'].map((value) => ({ id: '1', value })),
      },
      'The event of "b" was delivered after that of "c", a later one.',
    ],
    [
      'an event of what nobody wrote',
      {
        creates: [a],
        deliveries: ['a', 'z'].map((value) => ({ id: '1', value })),
      },
      'An event says that pet 1 became "z", which it was never made.',
    ],
  ])('finds %s', (_, part, violation) => {
    expect(violationsOf(history(part))).toContain(violation);
  });

  it('tells the first violations of a kind, and how many more there are', () => {
    const gets = Array.from({ length: 9 }, (_, index) => get('1', undefined, 20 + index, 21 + index));
    const violations = violationsOf(history({ creates: [a], gets }));
    expect(violations).toHaveLength(6);
    expect(violations.at(-1)).toBe('and 4 more like these');
  });
});
