import { Command } from 'commander';
import { ORDERS } from '../../../../test/support/samples/every-field';
import { PETS_ADMIN } from '../../../pets/pets.admin';
import type { AdminRecords } from '../../../platform/features/admin-records';
import type { RecordFilter } from '../list-request';
import { InvalidRecordError } from '../records.errors';
import type { RecordsService } from '../records.service';
import { addFilterOptions, readListOptions } from './filter-options';

/** A service that knows the facts about a list without a database. */
const KEPT = {
  listFacts: (recordType: AdminRecords) => ({
    recordType,
    orders: ['id'],
    isDated: true,
    keepsRemoved: true,
  }),
} as unknown as RecordsService;

function command(recordType: AdminRecords): Command {
  return addFilterOptions(new Command('list'), recordType)
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
}

function filterOf(recordType: AdminRecords, ...words: string[]): RecordFilter {
  return readListOptions(KEPT, recordType, command(recordType).parse(words, { from: 'user' }).opts()).filter;
}

describe('The filter options of a command', () => {
  it('take a value, a range of each time, and fields that are not set', () => {
    expect(
      filterOf(
        ORDERS,
        ...['--stage', 'done', '--gift', 'true', '--not-set', 'key', 'price', '--not-set', 'count'],
        ...['--from', '2026-01-01', '--from', 'at=2026-01-02', '--to', 'at=2026-01-03T04:05:06Z'],
      ),
    ).toEqual({
      where: {
        stage: { in: ['done'] },
        gift: true,
        key: { isSet: false },
        price: { isSet: false },
        count: { isSet: false },
        createdAt: { from: new Date('2026-01-01T00:00:00Z'), before: undefined },
        at: { from: new Date('2026-01-02T00:00:00Z'), before: new Date('2026-01-03T04:05:06Z') },
      },
      removed: 'without',
    });
  });

  it.each([
    [['--not-set', 'petId'], 'Allowed choices are count, price, day, at, key, stage, tags, serials, past.'],
    [['--not-set'], 'argument missing'],
    [['--from', 'day=2026-01-01'], 'The fields with a time are at.'],
    [['--to', '=2026-01-01'], 'The fields with a time are at.'],
    [['--to', 'at=tomorrow'], '2026-01-31'],
    [['--from', '2026-01-01', '--from', '2026-01-02'], 'The time is given twice.'],
  ])('refuse %j', (words, message) => {
    expect(() => filterOf(ORDERS, ...words)).toThrow(message);
  });

  it('leave values to the rules of the fields, and list the choices in the help', () => {
    expect(() => filterOf(ORDERS, '--stage', 'gone')).toThrow(InvalidRecordError);
    expect(filterOf(ORDERS, '--stage', 'new', 'done').where).toEqual({ stage: { in: ['new', 'done'] } });
    const help = command(ORDERS).helpInformation();
    expect(help).toMatch(/--stage <values\.\.\.> [^(]*\(choices:\s+"new",\s+"in_transit",\s+"done"\)/);
    expect(help).not.toMatch(/--(tags|serials|past)/);
    expect(help).toMatch(/--gift <value> .*\(choices:\s+"true",\s+"false"\)/);
  });

  it('offer nothing that a record type does not have', () => {
    expect(command(PETS_ADMIN).helpInformation()).toMatch(
      /--not-set <fields\.\.\.> [^(]*\(choices:\s+"status"\)/,
    );
    expect(() => filterOf(PETS_ADMIN, '--from', 'at=2026-01-01')).toThrow('Write the time alone.');
  });
});
