import { Command } from 'commander';
import { ORDERS } from '../../../test/support/samples/every-field';
import type { AdminRecords } from '../../platform/features/admin-records';
import {
  BooleanParameter,
  DateParameter,
  DateTimeParameter,
  EnumParameter,
  Int64Parameter,
  IntegerParameter,
  NumberParameter,
  PrefixParameter,
  SortParameter,
} from '../../platform/validation/parameters';
import { StringField } from '../../platform/validation/fields';
import { readListQuery } from '../console/records/list/list-query';
import {
  addFilterOptions,
  addOrderOptions,
  addRemovedOption,
  readListOptions,
} from './commands/filter-options';
import type { ListFacts } from './list-request';
import type { RecordsService } from './records.service';

const description = 'Keeps some.';

/** The query of a list of orders for clients. */
class ListOrders {
  limit = 20;
  @EnumParameter({ New: 'new', InTransit: 'in_transit', Done: 'done' }, 'Stage', {
    description,
    isArray: true,
  })
  stage?: string[];
  @Int64Parameter({ description, isArray: true }) petId?: bigint[];
  @BooleanParameter({ description }) gift?: boolean;
  @IntegerParameter({ description, from: 'count' }) countFrom?: number;
  @IntegerParameter({ description, to: 'count' }) countTo?: number;
  @NumberParameter({ description, before: 'price' }) priceBefore?: number;
  @DateParameter({ description, from: 'day' }) dayFrom?: string;
  @DateTimeParameter({ description, before: 'at' }) atBefore?: Date;
  @PrefixParameter({ description, prefix: 'note' }) notePrefix?: string;
  @SortParameter('at') sort?: string;
}

const LISTED: AdminRecords = { ...ORDERS, list: ListOrders };

const FACTS: ListFacts = {
  recordType: ORDERS,
  recordTypes: [ORDERS],
  orders: ['id', 'createdAt', 'petId'],
  isDated: true,
  keepsRemoved: true,
};

/** Reads a list from the query of an address. */
function byAddress(query: string, recordType = ORDERS) {
  const { filter, order, faults } = readListQuery({ ...FACTS, recordType }, new URLSearchParams(query));
  return { filter, order, faults };
}

/** Reads a list from the options of a command. */
function byOptions(...words: string[]) {
  return byOptionsOf(ORDERS, ...words);
}

function byOptionsOf(recordType: AdminRecords, ...words: string[]) {
  const command = addOrderOptions(
    addRemovedOption(addFilterOptions(new Command('list'), recordType), recordType),
  );
  command.exitOverride().configureOutput({ writeErr: () => undefined });
  const records = { listFacts: () => ({ ...FACTS, recordType }) } as unknown as RecordsService;
  return readListOptions(records, recordType, command.parse(words, { from: 'user' }).opts());
}

describe('A list of records', () => {
  it('is the same for an address and for the options of a command', () => {
    const { faults, ...asked } = byAddress(
      'stage=done&petId=9007199254740993&gift=true&not-set=key&not-set=price&removed-records=only' +
        '&added-from=2026-01-01&added-to=2026-01-31&sort-by=-petId',
    );
    expect(faults).toEqual({});
    expect(
      byOptions(
        ...['--stage', 'done', '--pet-id', '9007199254740993', '--gift', 'true', '--not-set', 'key', 'price'],
        ...['--removed', 'only', '--from', '2026-01-01', '--to', '2026-02-01', '--sort', 'petId', '--desc'],
      ),
    ).toEqual(asked);
  });

  it('is filtered by a part of a text that the length and pattern of the field would refuse', () => {
    class Product {
      @StringField({ description, example: 'AB-123', minLength: 6, pattern: '^[A-Z]{2}-[0-9]{3}$' })
      sku!: string;
    }
    const { filter, faults } = byAddress('sku=b-1', { ...ORDERS, record: Product });
    expect(faults).toEqual({});
    expect(filter.where).toEqual({ sku: { contains: 'b-1' } });
    expect(Object.keys(byAddress('sku=%00', { ...ORDERS, record: Product }).faults)).toEqual(['sku']);
  });

  it('is refused for the same invalid field in both forms', () => {
    expect(byAddress('stage=gone&count=x').faults).toEqual({
      count: expect.stringMatching(/^Count must be an integer/) as string,
      stage: 'Stage must be one of new, in_transit, done.',
    });
    expect(() => byOptions('--count', 'x')).toThrow(/^count must be an integer/);
  });

  it('is filtered by the parameters that its query class declares', () => {
    const { faults, ...asked } = byAddress(
      'stage=done&stage=new&petId=9007199254740993,7&countFrom=-1&countTo=5&priceBefore=0.5' +
        '&dayFrom=2026-01-31&notePrefix=A%25&gift=true',
      LISTED,
    );
    expect(faults).toEqual({});
    expect(asked.filter).toMatchObject({
      where: {
        gift: true,
        stage: { in: ['done', 'new'] },
        petId: { in: [9007199254740993n, 7n] },
        count: { from: -1, to: 5 },
        price: { before: 0.5 },
        day: { from: '2026-01-31' },
        note: { prefix: 'A%' },
      },
    });
    expect(
      byOptionsOf(
        LISTED,
        ...['--stage', 'done', 'new', '--pet-id', '9007199254740993', '--pet-id', '7', '--count-from', '-1'],
        ...['--count-to', '5', '--price-before', '0.5', '--day-from', '2026-01-31', '--note-prefix', 'A%'],
        ...['--gift', 'true', '--desc'],
      ),
    ).toEqual(asked);
    // A page filters times by days, with controls that every time has.
    expect(byOptionsOf(LISTED, '--at-before', '2026-01-31').filter.where).toEqual({
      at: { before: new Date('2026-01-31T00:00:00Z') },
    });
  });

  it('is refused for the same invalid parameter of its query class in both forms', () => {
    expect(byAddress('stage=gone,new&countFrom=x&petId=1,x', LISTED).faults).toEqual({
      stage: 'Stage must be one of new, in_transit, done.',
      countFrom: 'Count from must be an integer from -2147483648 to 2147483647.',
      petId: expect.stringMatching(/^Pet id must be a whole number/) as string,
    });
    expect(() => byOptionsOf(LISTED, '--count-from', 'x')).toThrow(/^countFrom must be an integer/);
  });

  it('cannot be sorted by a field without an index', () => {
    expect(byAddress('sort-by=note').faults).toEqual({
      '': 'The list cannot be sorted as the address of this page says.',
    });
    expect(() => byOptions('--sort', 'note')).toThrow(
      '--sort: orders can be sorted by id, createdAt, petId.',
    );
  });
});
