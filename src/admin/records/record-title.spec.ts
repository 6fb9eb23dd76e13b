import type { ListFacts } from './list-request';
import { Int64Field, StringField } from '../../platform/validation/fields';
import { ORDERS, VALUES } from '../../../test/support/samples/every-field';
import { PETS_ADMIN } from '../../pets/pets.admin';
import type { AdminRecords } from '../../platform/features/admin-records';
import type { StoredRecord } from './stored-record';
import { listRows } from '../console/records/list/list-table';
import { recordTitle } from './record-title';
import { valueView } from '../console/records/fields/value-html';

const ABOUT = { description: 'Of a letter.', example: 'x' };

class Letter {
  @Int64Field(ABOUT) id!: bigint;
  @StringField(ABOUT) note!: string;
  @StringField(ABOUT) title!: string;
}

const LETTERS = { ...ORDERS, name: 'letters', one: 'letter', record: Letter } as AdminRecords;
const LETTER = { id: 7n, note: 'from afar', title: 'Greetings' };

const recordOf = (values: Record<string, unknown>) => ({ values }) as unknown as StoredRecord;

/** The text of a row's link in the list, without its markup. */
function linkIn(recordType: AdminRecords, values: Record<string, unknown>): string | undefined {
  const facts: ListFacts = {
    recordType,
    recordTypes: [recordType],
    orders: [],
    isDated: false,
    keepsRemoved: false,
  };
  const [row] = listRows(facts, [recordOf(values)], valueView([recordType], { timeZone: 'UTC' }));
  return row?.cells.find(({ isTitle }) => isTitle)?.content.text.replaceAll(/<[^>]*>/g, '');
}

describe('The title of a record', () => {
  it('is its type and id, not its first text, unless it has a name or a title', () => {
    expect(recordTitle(ORDERS, recordOf(VALUES))).toBe('Order 7');
    expect(linkIn(ORDERS, VALUES)).toBe('7');
    expect(recordTitle(LETTERS, recordOf(LETTER))).toBe('Greetings');
    expect(linkIn(LETTERS, LETTER)).toBe('Greetings');
    expect(recordTitle(PETS_ADMIN, recordOf({ id: 1n, name: 'Rex' }))).toBe('Rex');
  });

  it('is the field that its module declares', () => {
    const recordType = { ...LETTERS, title: 'note' };
    expect(recordTitle(recordType, recordOf(LETTER))).toBe('from afar');
    expect(linkIn(recordType, LETTER)).toBe('from afar');
    expect(recordTitle({ ...ORDERS, title: 'stage' }, recordOf(VALUES))).toBe('In transit');
  });

  it.each(['', ' \t', null, undefined])('is its type and id when the field is blank: %j', (title) => {
    expect(recordTitle(LETTERS, recordOf({ ...LETTER, title }))).toBe('Letter 7');
    expect(linkIn(LETTERS, { ...LETTER, title })).toBe('7');
  });

  it('is shortened to one line', () => {
    const long = recordTitle(LETTERS, recordOf({ ...LETTER, title: 'x'.repeat(500) }));
    expect(long).toBe(`${'x'.repeat(120)}…`);
  });
});
