import { AppError } from '../errors/app-error';
import { readJson } from '../values/json-reader';
import { DtoPipe } from './dto.pipe';
import {
  BooleanField,
  DateField,
  DateTimeField,
  IntegerField,
  NumberField,
  ReferenceField,
  UuidField,
} from './fields';

const about = { description: 'Of a toy.', example: 1 };

/** One field of each type; those that end in `Maybe` may be left out. */
class Toy {
  @IntegerField(about)
  integer!: number;

  @NumberField(about)
  number!: number;

  @BooleanField(about)
  boolean!: boolean;

  @DateField(about)
  date!: string;

  @DateTimeField(about)
  dateTime!: Date;

  @UuidField(about)
  uuid!: string;

  @ReferenceField('/boxes', about)
  reference!: bigint;

  @IntegerField({ ...about, optional: true })
  integerMaybe?: number;

  @NumberField({ ...about, optional: true })
  numberMaybe?: number;

  @BooleanField({ ...about, optional: true })
  booleanMaybe?: boolean;

  @DateField({ ...about, optional: true })
  dateMaybe?: string;

  @DateTimeField({ ...about, optional: true })
  dateTimeMaybe?: Date;

  @UuidField({ ...about, optional: true })
  uuidMaybe?: string;

  @ReferenceField('/boxes', { ...about, optional: true })
  referenceMaybe?: bigint;
}

/** JSON of valid values, with the values in the DTO. */
const VALID: Record<string, [json: string, value: unknown]> = {
  integer: ['7', 7],
  number: ['0.5', 0.5],
  boolean: ['true', true],
  date: ['"2026-01-31"', '2026-01-31'],
  dateTime: ['"2026-01-31T09:30:00Z"', new Date('2026-01-31T09:30:00Z')],
  uuid: ['"9f1c7a52-2f6c-4b5a-9a53-0f6f6a0c4f8e"', '9f1c7a52-2f6c-4b5a-9a53-0f6f6a0c4f8e'],
  reference: ['3', 3n],
};

const SENTENCES: Record<string, string> = {
  integer: 'must be an integer from -2147483648 to 2147483647',
  number: 'must be a number within the range of a double',
  boolean: 'must be true or false',
  date: 'must be a date such as 2026-01-31',
  dateTime: 'must be a date and time with an offset such as 2026-01-31T09:30:00Z',
  uuid: 'must be a UUID such as 9f1c7a52-2f6c-4b5a-9a53-0f6f6a0c4f8e',
  reference: 'must be an integer from -9223372036854775808 to 9223372036854775807',
};

const TYPES = Object.keys(VALID);
const pipe = new DtoPipe();

/** Reads a toy of valid members, except those given as JSON; an undefined one is left out. */
function read(changes: Record<string, string | undefined> = {}): Toy {
  const valid = TYPES.map((name): [string, string | undefined] => [name, VALID[name]?.[0]]);
  const all: Record<string, string | undefined> = { ...Object.fromEntries(valid), ...changes };
  const members = Object.entries(all)
    .filter(([, json]) => json !== undefined)
    .map(([name, json]) => `"${name}":${json}`);
  return pipe.transform(readJson(Buffer.from(`{${members.join()}}`)), { type: 'body', metatype: Toy }) as Toy;
}

function refusal(changes: Record<string, string | undefined>): [string, string] {
  try {
    read(changes);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [error.code, error.message];
  }
  return ['accepted', ''];
}

it('The fields of a DTO get the values that were sent, in their declared types', () => {
  const values = Object.fromEntries(TYPES.map((name) => [name, VALID[name]?.[1]]));
  const maybe = Object.fromEntries(TYPES.map((name) => [`${name}Maybe`, undefined]));
  expect({ ...read() }).toStrictEqual({ ...values, ...maybe });
});

describe.each(TYPES)('A field of type %s', (type) => {
  const sentence = (name: string) => ['invalid_field', `${name} ${SENTENCES[type]}.`];

  it('is reported as required when it is missing, but not when it is null', () => {
    expect(refusal({ [type]: undefined })).toEqual(['invalid_field', `${type} is required.`]);
    expect(refusal({ [type]: 'null' })).toEqual(sentence(type));
  });

  it('may be left out when it is optional, but may not be null', () => {
    const name = `${type}Maybe`;
    const [json, value] = VALID[type] as [string, unknown];
    expect(read({ [name]: undefined })).toHaveProperty(name, undefined);
    expect(read({ [name]: json })).toHaveProperty(name, value);
    expect(refusal({ [name]: 'null' })).toEqual(sentence(name));
  });

  it.each(['{}', '[]', '{"constructor":1}', '""', '"x"', '"1"', '"true"', '[7]'])('refuses %s', (json) => {
    expect(refusal({ [type]: json })).toEqual(sentence(type));
  });

  it('refuses values of other types, except for numbers', () => {
    const isNumeric = (name: string) => ['integer', 'number', 'reference'].includes(name);
    for (const other of TYPES.filter((name) => name !== type && !(isNumeric(name) && isNumeric(type)))) {
      expect(refusal({ [type]: VALID[other]?.[0] })).toEqual(sentence(type));
    }
  });
});

describe('A field of a numeric or text type', () => {
  it.each([
    ['integer', '0', 0],
    ['integer', '-0', 0],
    ['integer', '1.0', 1],
    ['integer', '1e2', 100],
    ['integer', '10e-1', 1],
    ['integer', '2147483647', 2_147_483_647],
    ['integer', '-2147483648.000', -2_147_483_648],
    ['number', '0', 0],
    ['number', '1.0', 1],
    ['number', '1e2', 100],
    ['number', '-1.5', -1.5],
    ['number', '9007199254740993', 9_007_199_254_740_992],
    ['number', '9223372036854775807', 2 ** 63],
    ['number', '12345678901234567890', 12_345_678_901_234_567_000],
    ['number', '1.7976931348623157e308', Number.MAX_VALUE],
    ['number', '-1.7976931348623157e308', -Number.MAX_VALUE],
    ['number', '5e-324', Number.MIN_VALUE],
    ['number', '1e-400', 0],
    ['boolean', 'false', false],
    ['date', '"0001-01-01"', '0001-01-01'],
    ['date', '"2024-02-29"', '2024-02-29'],
    ['date', '"9999-12-31"', '9999-12-31'],
    ['dateTime', '"0001-01-01T00:00:00Z"', new Date('0001-01-01T00:00:00.000Z')],
    ['dateTime', '"9999-12-31T23:59:59.999Z"', new Date('9999-12-31T23:59:59.999Z')],
    ['dateTime', '"2026-01-31T09:30:00.1239+02:00"', new Date('2026-01-31T07:30:00.123Z')],
    ['uuid', '"9F1C7A52-2F6C-4B5A-9A53-0F6F6A0C4F8E"', '9f1c7a52-2f6c-4b5a-9a53-0f6f6a0c4f8e'],
    ['reference', '9007199254740993', 9_007_199_254_740_993n],
    ['reference', '9223372036854775807', 9_223_372_036_854_775_807n],
    ['reference', '-9223372036854775808', -9_223_372_036_854_775_808n],
    ['reference', '1e2', 100n],
    ['reference', '-0', 0n],
  ] as const)('is read exactly: %s reads %s as %p', (type, json, value) => {
    expect(read({ [type]: json })[type]).toStrictEqual(value);
  });

  it.each([
    ['integer', '2147483648'],
    ['integer', '-2147483649'],
    ['integer', '4294967296'],
    ['integer', '9007199254740993'],
    ['integer', '9223372036854775807'],
    ['integer', '12345678901234567890'],
    ['integer', '1e400'],
    ['integer', '1.5'],
    ['integer', '1e-400'],
    ['integer', '0.99999999999999999999'],
    ['integer', '7.00000000000000000001'],
    ['number', '1e400'],
    ['number', '-1e400'],
    ['number', '1.8e308'],
    ['number', '"NaN"'],
    ['boolean', '0'],
    ['boolean', '1'],
    ['date', '"2023-02-29"'],
    ['date', '"0000-01-01"'],
    ['date', '"2026-01-31T00:00:00Z"'],
    ['date', '"2026-01-31\\n"'],
    ['dateTime', '"2026-01-31T09:30:00"'],
    ['dateTime', '"2026-01-31"'],
    ['dateTime', '"2016-12-31T23:59:60Z"'],
    ['uuid', '"9f1c7a522f6c4b5a9a530f6f6a0c4f8e"'],
    ['uuid', '"{9f1c7a52-2f6c-4b5a-9a53-0f6f6a0c4f8e}"'],
    ['reference', '9223372036854775808'],
    ['reference', '12345678901234567890'],
    ['reference', '1.5'],
    ['reference', '1e-400'],
    ['reference', '1e400'],
  ])('is refused: %s refuses %s', (type, json) => {
    expect(refusal({ [type]: json })).toEqual(['invalid_field', `${type} ${SENTENCES[type]}.`]);
  });

  it('is read as 0 when it is -0', () => {
    expect(Math.abs(read({ number: '-0' }).number)).toBe(0);
    expect(Math.abs(read({ number: '-0.0' }).number)).toBe(0);
  });
});
