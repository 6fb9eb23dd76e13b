import { AppError } from '../errors/app-error';
import { readQuery } from '../values/query-reader';
import { DtoPipe } from './dto.pipe';
import { dtoMembers, fieldNames } from './dto-members';
import {
  BooleanParameter,
  DateParameter,
  DateTimeParameter,
  DecimalParameter,
  EnumParameter,
  Int64Parameter,
  IntegerParameter,
  NumberParameter,
  PrefixParameter,
  SortParameter,
  UuidParameter,
} from './parameters';

enum Colour {
  Red = 'red',
  Blue = 'blue',
}

class ToysQuery {
  @IntegerParameter({ description: 'Size.', minimum: -5, maximum: 100, default: 20 })
  size!: number;

  @EnumParameter(Colour, 'Colour', { description: 'Colour.' })
  colour?: Colour;

  @Int64Parameter({ description: 'Box.' })
  boxId?: bigint;

  @BooleanParameter({ description: 'Soft.' })
  soft?: boolean;

  @EnumParameter(Colour, 'Colour', { description: 'Colours.', isArray: true })
  colours?: Colour[];

  @Int64Parameter({ description: 'Boxes.', isArray: true })
  boxIds?: bigint[];

  @UuidParameter({ description: 'Mark.' })
  mark?: string;

  @IntegerParameter({ description: 'Count.', from: 'count' })
  countFrom?: number;

  @NumberParameter({ description: 'Price.', to: 'price' })
  priceTo?: number;

  @DecimalParameter({ precision: 6, scale: 2 }, { description: 'Weight.', from: 'weight' })
  weightFrom?: string;

  @DateParameter({ description: 'Day.', from: 'day' })
  dayFrom?: string;

  @DateTimeParameter({ description: 'At.', before: 'at' })
  atBefore?: Date;

  @PrefixParameter({ description: 'Name.', prefix: 'name' })
  namePrefix?: string;

  @SortParameter('name', 'at')
  sort?: string;
}

function read(query: string): ToysQuery {
  const lists = dtoMembers(ToysQuery).filter(({ isList }) => isList);
  const names = new Set(lists.map(({ name }) => name));
  const parameters = readQuery(query, new Set(fieldNames(ToysQuery)), names);
  return new DtoPipe().transform(parameters, { type: 'query', metatype: ToysQuery }) as ToysQuery;
}

function refusal(query: string): [string, string] {
  try {
    read(query);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [error.code, error.message];
  }
  return ['accepted', ''];
}

describe('An integer parameter', () => {
  it.each([
    ['', 20],
    ['size=1', 1],
    ['size=0', 0],
    ['size=-5', -5],
    ['size=100', 100],
  ])('is read with its default: "%s" gives %i', (query, size) => {
    expect(read(query).size).toBe(size);
  });

  it.each([
    '',
    '-6',
    '101',
    '1e1',
    '%2B5',
    '+5',
    '5.0',
    '0x10',
    '05',
    '-0',
    '10abc',
    'NaN',
    '%20',
    '1%0A',
    '1%00',
    '1,2',
    '1_0',
    '%D9%A5',
    '%zz',
    'Infinity',
    'null',
    '9'.repeat(400),
  ])('refuses "%s" and names itself and its bounds', (value) => {
    expect(refusal(`size=${value}`)).toEqual([
      'invalid_parameter',
      'size must be a whole number from -5 to 100.',
    ]);
  });
});

describe('An enum parameter', () => {
  it('may be left out, and is then absent', () => {
    expect(read('').colour).toBeUndefined();
  });

  it.each(['red', 'blue', 'r%65d'])('takes %s', (value) => {
    expect(read(`colour=${value}`).colour).toBe(decodeURIComponent(value));
  });

  it.each(['', 'Red', 'red%20', 'red,blue', 'toString', 'undefined'])(
    'refuses "%s" and names its values',
    (value) => {
      expect(refusal(`colour=${value}`)).toEqual(['invalid_parameter', 'colour must be one of red, blue.']);
    },
  );
});

describe('An int64 parameter', () => {
  it('may be left out, and is then absent', () => {
    expect(read('').boxId).toBeUndefined();
  });

  it.each(['0', '1', '-1', '9007199254740993', '9223372036854775807', '-9223372036854775808', '%31'])(
    'reads %s exactly',
    (value) => {
      expect(read(`boxId=${value}`).boxId).toBe(BigInt(decodeURIComponent(value)));
    },
  );

  it.each([
    '',
    '9223372036854775808',
    '-9223372036854775809',
    '12345678901234567890',
    '-0',
    '01',
    '+1',
    '%2B1',
    '1.0',
    '1e2',
    '0x1',
    '1n',
    '%201',
    '1%0A',
    '1_000',
    'null',
    'toString',
    '%D9%A3',
    '9'.repeat(400),
  ])('refuses "%s" and names itself and its bounds', (value) => {
    expect(refusal(`boxId=${value}`)).toEqual([
      'invalid_parameter',
      'boxId must be an integer from -9223372036854775808 to 9223372036854775807.',
    ]);
  });
});

describe('A boolean parameter', () => {
  it('may be left out, and is then absent', () => {
    expect(read('').soft).toBeUndefined();
  });

  it.each([
    ['true', true],
    ['false', false],
    ['tru%65', true],
  ])('reads %s as %p', (value, soft) => {
    expect(read(`soft=${value}`).soft).toBe(soft);
  });

  it.each([
    '',
    'TRUE',
    'True',
    '0',
    '1',
    'yes',
    'true%20',
    'true%0A',
    'null',
    'undefined',
    'toString',
    'constructor',
    'valueOf',
    '__proto__',
    'hasOwnProperty',
  ])('refuses "%s" and names its values', (value) => {
    expect(refusal(`soft=${value}`)).toEqual(['invalid_parameter', 'soft must be true or false.']);
  });
});

const MARK = '9f1c7a52-2f6c-4b5a-9a53-0f6f6a0c4f8e';

describe('A filter parameter', () => {
  it.each<[string, keyof ToysQuery, unknown]>([
    ['colours=red', 'colours', ['red']],
    ['colours=red&colours=blue&colours=red', 'colours', ['red', 'blue']],
    ['boxIds=9223372036854775807&boxIds=-1', 'boxIds', [9223372036854775807n, -1n]],
    [`mark=${MARK.toUpperCase()}`, 'mark', MARK],
    ['countFrom=-2147483648', 'countFrom', -2147483648],
    ['priceTo=1e-3', 'priceTo', 0.001],
    ['weightFrom=4.50', 'weightFrom', '4.50'],
    ['dayFrom=2026-01-31', 'dayFrom', '2026-01-31'],
    ['atBefore=2026-01-31T09:30:00%2B01:00', 'atBefore', new Date('2026-01-31T08:30:00Z')],
    ['atBefore=2026-01-31T09:30:00.123Z', 'atBefore', new Date('2026-01-31T09:30:00.123Z')],
    // A time stored at the last millisecond before it is before it, too.
    ['atBefore=2026-01-31T09:30:00.123000001Z', 'atBefore', new Date('2026-01-31T09:30:00.124Z')],
    ['namePrefix=%20%25_', 'namePrefix', ' %_'],
    [`namePrefix=${encodeURIComponent('\u{1F436}'.repeat(100))}`, 'namePrefix', '\u{1F436}'.repeat(100)],
    ['sort=-at', 'sort', '-at'],
    ['', 'sort', undefined],
    ['', 'colours', undefined],
  ])('reads "%s" by the type of its parameter: %s', (query, name, value) => {
    expect(read(query)[name]).toEqual(value);
  });

  it.each([
    ['colours=red&colours=pink', 'colours must be one of red, blue.'],
    ['colours=red,blue', 'colours must be one of red, blue.'],
    [
      Array.from({ length: 51 }, (_, id) => `boxIds=${id}`).join('&'),
      'boxIds must be an integer from -9223372036854775808 to 9223372036854775807, given 50 times at most.',
    ],
    ['mark=x', `mark must be a UUID such as ${MARK}.`],
    ['countFrom=2147483648', 'countFrom must be an integer from -2147483648 to 2147483647.'],
    ['countFrom=', 'countFrom must be an integer from -2147483648 to 2147483647.'],
    ['countFrom=1&countFrom=2', 'countFrom may be given only once.'],
    ['priceTo=1e999', 'priceTo must be a number within the range of a double.'],
    ['weightFrom=4.505', 'weightFrom must be a decimal such as 1.00.'],
    ['priceTo=NaN', 'priceTo must be a number within the range of a double.'],
    ['dayFrom=2026-02-30', 'dayFrom must be a date such as 2026-01-31.'],
    ['atBefore=2026-01-31', 'atBefore must be a date and time with an offset such as 2026-01-31T09:30:00Z.'],
    ['namePrefix=', 'namePrefix must have 1 to 100 characters, none of them U+0000.'],
    ['namePrefix=a%00', 'namePrefix must have 1 to 100 characters, none of them U+0000.'],
    [`namePrefix=${'a'.repeat(101)}`, 'namePrefix must have 1 to 100 characters, none of them U+0000.'],
    ['sort=size', 'sort must be one of id, -id, name, -name, at, -at.'],
    ['sort=', 'sort must be one of id, -id, name, -name, at, -at.'],
    ['sort=--at', 'sort must be one of id, -id, name, -name, at, -at.'],
  ])('refuses "%s" and names the allowed values', (query, message) => {
    expect(refusal(query)).toEqual(['invalid_parameter', message]);
  });
});
