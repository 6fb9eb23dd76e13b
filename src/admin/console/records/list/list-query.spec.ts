import type { ListFacts } from '../../../records/list-request';
import { NewOrder, ORDERS, VALUES } from '../../../../../test/support/samples/every-field';
import { fieldsOf } from '../../../records/record-fields';
import type { StoredRecord } from '../../../records/stored-record';
import { filterControls, filterWords } from './list-filters';
import { filterTexts, listQueryText, readListQuery } from './list-query';
import { recordCursor, readPosition } from './position-cursor';

const FACTS: ListFacts = {
  recordType: ORDERS,
  recordTypes: [ORDERS],
  orders: ['id', 'createdAt', ...fieldsOf(NewOrder).map(({ name }) => name)],
  isDated: true,
  keepsRemoved: true,
};

const RECORD: StoredRecord = {
  values: VALUES,
  createdAt: new Date('2026-01-01T00:00:00Z'),
  removedAt: undefined,
  version: '"v"',
};

const read = (query: string) => readListQuery(FACTS, new URLSearchParams(query));

describe('The filter controls of a list', () => {
  it('offer fields that are not set, and keep several that an address names', () => {
    const notSet = (query: string) =>
      filterControls(FACTS, read(query)).filter(({ name }) => name === 'not-set');
    const [control] = notSet('');
    expect(control?.options?.map(({ value }) => value)).toEqual([
      '',
      'count',
      'price',
      'day',
      'at',
      'key',
      'stage',
      'tags',
      'serials',
      'past',
    ]);
    expect(filterWords(notSet('not-set=stage'))).toEqual([expect.stringMatching(/: Stage$/)]);
    expect(filterWords(notSet('not-set=key&not-set=price'))).toEqual([
      expect.stringMatching(/: Key, Price$/),
    ]);
  });
});

describe('A filter of one field', () => {
  it('takes several values, of which a record has one', () => {
    for (const query of ['stage=new,done&petId=3,+7', 'stage=new&stage=done&petId=3&petId=7']) {
      const { filter, faults } = read(query);
      expect([faults, filter.where]).toEqual([
        {},
        { stage: { in: ['new', 'done'] }, petId: { in: [3n, 7n] } },
      ]);
    }
    expect(read('stage=new,gone').faults).toEqual({
      stage: expect.stringContaining('new, in_transit, done'),
    });
  });

  it('offers a further value to those that are chosen, and names all of them', () => {
    const stage = (query: string) =>
      filterControls(FACTS, read(query)).filter(({ name }) => name === 'stage');
    const values = (query: string) => stage(query)[0]?.options?.map(({ value }) => value);
    expect(values('')).toEqual(['', 'new', 'in_transit', 'done']);
    expect(values('stage=new')).toEqual(['', 'new', 'in_transit', 'done', 'new,in_transit', 'new,done']);
    expect(values('stage=new,done')?.slice(4)).toEqual(['new,done', 'new,done,in_transit']);
    expect(filterWords(stage('stage=new,done'))).toEqual([expect.stringMatching(/: New, Done$/)]);
  });
});

describe('The query of a list', () => {
  it('is validated by the rules of the fields, and includes the whole last day of a range', () => {
    const { filter, faults, order } = read(
      'note=two&count=-3&gift=true&stage=done&petId=9007199254740993&day=2026-01-31' +
        '&added-from=2026-01-01&added-to=2026-01-31&from-at=2026-01-02&not-set=key&not-set=price,at' +
        '&removed-records=with&sort-by=petId',
    );
    expect(faults).toEqual({});
    expect(filter).toEqual({
      where: {
        note: { contains: 'two' },
        count: -3,
        gift: true,
        stage: { in: ['done'] },
        petId: { in: [9007199254740993n] },
        day: '2026-01-31',
        key: { isSet: false },
        price: { isSet: false },
        at: { from: new Date('2026-01-02T00:00:00Z'), before: undefined, isSet: false },
        createdAt: { from: new Date('2026-01-01T00:00:00Z'), before: new Date('2026-02-01T00:00:00Z') },
      },
      removed: 'with',
    });
    expect(order).toEqual({ by: 'petId', descending: false });
  });

  it('selects the chosen records by id, and is refused when none is chosen', () => {
    expect(read('chosen-id=&chosen-id=7&chosen-id=3,9').filter.ids).toEqual([7n, 3n, 9n]);
    expect(read('').filter.ids).toBeUndefined();
    const [none, invalid] = ['chosen-id=', 'chosen-id=7&chosen-id=x'].map((query) => read(query).faults);
    expect([none, invalid]).toEqual([{ '': expect.stringContaining('orders') }, { '': expect.any(String) }]);
    expect(invalid).not.toEqual(none);
  });

  it('sorts newest first without removed records when it is empty', () => {
    expect(read('')).toEqual({
      texts: {},
      faults: {},
      filter: { where: {}, removed: 'without' },
      order: { by: 'id', descending: true },
      page: undefined,
    });
    expect(read('note=&stage=').texts).toEqual({});
  });

  it.each([
    ['petId=seven', 'petId', 'Pet id must be a whole number of at most 64 bits.'],
    ['petId=9223372036854775808', 'petId', 'Pet id must be a whole number'],
    ['stage=gone', 'stage', 'Stage must be one of new, in_transit, done.'],
    ['note=%00', 'note', 'Note must be a string of well-formed Unicode without U+0000.'],
    ['day=2026-02-30', 'day', 'Day must be a date such as 2026-01-31.'],
    ['gift=perhaps', 'gift', 'Gift must be true or false.'],
    ['added-from=yesterday', 'added-from', 'Added from must be a date such as 2026-01-31.'],
    ['added-from=2026-02-01&added-to=2026-01-31', 'added-to', 'Added to must not be before added from.'],
    ['from-at=yesterday', 'from-at', 'At from must be a date such as 2026-01-31.'],
    ['from-at=2026-02-01&to-at=2026-01-31', 'to-at', 'At to must not be before at from.'],
    [
      'not-set=petId',
      'not-set',
      'Not set must name optional fields: count, price, day, at, key, stage, tags, serials, past.',
    ],
    ['not-set=key,gone', 'not-set', 'Not set must name optional fields'],
    ['at=2026-01-31T09:30:00Z', '', 'contains the filter “at”, which this list does not have'],
    ['removed-records=all', 'removed-records', 'Removed records must be without, only or with.'],
    ['sort-by=-constructor', '', 'cannot be sorted as the address'],
    ['nmae=Rex', '', 'contains the filter “nmae”, which this list does not have'],
    ['__proto__=Rex', '', 'contains the filter “__proto__”, which this list does not have'],
    ['note=a&note=b', '', 'the filter “note” twice'],
    ['page-after=x', '', 'an invalid page of the list'],
    ['page-before=W10', '', 'an invalid page of the list'],
  ])('is kept and refused with a message at the field when it is invalid: %s', (query, name, message) => {
    const { texts, faults } = read(query);
    expect(Object.keys(faults)).toEqual([name]);
    expect(faults[name]).toContain(message);
    if (name !== '') expect(texts[name]).toBe(new URLSearchParams(query).get(name));
  });

  it('is written back as the address of the first page of the changed list', () => {
    const { texts } = read(`note=a%26b&sort-by=note&page-after=${cursorBy('note')}`);
    expect(listQueryText(texts)).toBe('?note=a%26b&sort-by=note');
    expect(listQueryText(texts, { 'sort-by': '-id', note: '' })).toBe('');
    expect(listQueryText(texts, { 'page-after': 'abc' })).toBe('?note=a%26b&sort-by=note&page-after=abc');
    expect(filterTexts(texts)).toEqual({ note: 'a&b' });
  });
});

const cursorBy = (by: string) => recordCursor(RECORD, { by, descending: false });

describe('The cursor of a page of records', () => {
  it.each(FACTS.orders)('encodes the position of a record in a list sorted by %s', (by) => {
    const value = by === 'createdAt' ? RECORD.createdAt : (VALUES as Record<string, unknown>)[by];
    const order = { by, descending: false };
    expect(readPosition(cursorBy(by), ORDERS, order)).toEqual({ value, id: 7n });
    const none = recordCursor({ ...RECORD, createdAt: undefined, values: { id: 7n } }, order);
    expect(readPosition(none, ORDERS, order)).toEqual({ value: by === 'id' ? 7n : null, id: 7n });
  });

  it('stays short for long texts, and tells an empty text from a missing one', () => {
    const order = { by: 'note', descending: true };
    const long = recordCursor({ ...RECORD, values: { ...VALUES, note: '€'.repeat(100_000) } }, order);
    expect(long.length).toBeLessThan(100);
    expect(readPosition(long, ORDERS, order)).toEqual({ id: 7n });
    const longest = recordCursor({ ...RECORD, values: { ...VALUES, note: '\u0001'.repeat(500) } }, order);
    expect(longest.length).toBeLessThan(4_100);
    const empty = recordCursor({ ...RECORD, values: { ...VALUES, note: '' } }, order);
    expect(readPosition(empty, ORDERS, order)).toEqual({ id: 7n, value: '' });
  });

  it.each(['', 'x', 'bnVsbA', '["1"', '{}', '[1]', '["1",2]', '["x","a"]', '["1","a","b"]', '["1","seven"]'])(
    'is refused when it is %j',
    (text) => {
      const cursors = [text, Buffer.from(text).toString('base64url')];
      for (const cursor of cursors) {
        expect(readPosition(cursor, ORDERS, { by: 'petId', descending: false })).toBeUndefined();
      }
    },
  );
});
