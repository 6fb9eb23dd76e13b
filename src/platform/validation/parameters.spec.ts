import { AppError } from '../errors/app-error';
import { readQuery } from '../values/query-reader';
import { DtoPipe } from './dto.pipe';
import { fieldNames } from './dto-members';
import { BooleanParameter, EnumParameter, Int64Parameter, IntegerParameter } from './parameters';

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
}

function read(query: string): ToysQuery {
  const parameters = readQuery(query, new Set(fieldNames(ToysQuery)));
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

describe('an integer parameter', () => {
  it.each([
    ['', 20],
    ['size=1', 1],
    ['size=0', 0],
    ['size=-5', -5],
    ['size=100', 100],
  ])('of "%s" is %i', (query, size) => {
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
    '9'.repeat(400),
  ])('refuses "%s", naming itself and its bounds', (value) => {
    expect(refusal(`size=${value}`)).toEqual([
      'invalid_parameter',
      'size must be a whole number from -5 to 100.',
    ]);
  });
});

describe('an enum parameter', () => {
  it('may be left out, and is then absent', () => {
    expect(read('').colour).toBeUndefined();
  });

  it.each(['red', 'blue', 'r%65d'])('takes %s', (value) => {
    expect(read(`colour=${value}`).colour).toBe(decodeURIComponent(value));
  });

  it.each(['', 'Red', 'red%20', 'red,blue', 'toString', 'undefined'])(
    'refuses "%s", naming what it takes',
    (value) => {
      expect(refusal(`colour=${value}`)).toEqual(['invalid_parameter', 'colour must be one of red, blue.']);
    },
  );
});

describe('an int64 parameter', () => {
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
  ])('refuses "%s", naming itself and its bounds', (value) => {
    expect(refusal(`boxId=${value}`)).toEqual([
      'invalid_parameter',
      'boxId must be an integer from -9223372036854775808 to 9223372036854775807.',
    ]);
  });
});

describe('a boolean parameter', () => {
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
  ])('refuses "%s", naming what it takes', (value) => {
    expect(refusal(`soft=${value}`)).toEqual(['invalid_parameter', 'soft must be true or false.']);
  });
});
