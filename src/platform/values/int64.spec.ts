import fc from 'fast-check';
import { INT64_MAX, INT64_MIN, integerOfJsonLiteral, parseDecimalInt64 } from './int64';

const int64 = fc.oneof(fc.bigInt({ min: INT64_MIN, max: INT64_MAX }), fc.bigInt({ min: -100n, max: 100n }));
const outside = fc.oneof(
  fc.bigInt({ min: INT64_MAX + 1n, max: INT64_MAX + 100n }),
  fc.bigInt({ min: INT64_MIN - 100n, max: INT64_MIN - 1n }),
  fc.bigInt({ min: 2n ** 64n, max: 2n ** 300n }),
);
const digitText = (min: number, max: number) =>
  fc.string({ unit: fc.constantFrom(...'0059'.split('')), minLength: min, maxLength: max });
/** Number literals with many zeros, so that whole numbers come about in every way JSON can write them. */
const literal = fc
  .record({
    sign: fc.constantFrom('', '-'),
    whole: fc.oneof(
      fc.constant('0'),
      fc.tuple(fc.constantFrom('1', '9'), digitText(0, 20)).map((p) => p.join('')),
    ),
    fraction: digitText(0, 25),
    e: fc.constantFrom('e', 'E'),
    exponent: fc.option(fc.integer({ min: -45, max: 45 }), { nil: undefined }),
    plus: fc.constantFrom('', '+', '0', '+00'),
  })
  .map(({ sign, whole, fraction, e, exponent, plus }) => ({
    source:
      sign +
      whole +
      (fraction === '' ? '' : `.${fraction}`) +
      (exponent === undefined ? '' : e + (exponent < 0 ? exponent : `${plus}${exponent}`)),
    expected: exact(`${sign}${whole}${fraction}`, (exponent ?? 0) - fraction.length),
  }));

/** Returns the integer digits * 10^scale within int64, by exact division. */
function exact(digits: string, scale: number): bigint | undefined {
  const power = 10n ** BigInt(Math.abs(scale));
  const mantissa = digits.startsWith('-') ? -BigInt(digits.slice(1)) : BigInt(digits);
  if (scale < 0 && mantissa % power !== 0n) {
    return undefined;
  }
  const value = scale < 0 ? mantissa / power : mantissa * power;
  return value < INT64_MIN || value > INT64_MAX ? undefined : value;
}

describe('The bounds of int64', () => {
  it('are those of a signed 64-bit integer', () => {
    expect(INT64_MIN).toBe(-9223372036854775808n);
    expect(INT64_MAX).toBe(9223372036854775807n);
  });
});

describe('parseDecimalInt64', () => {
  it.each([
    ['0', 0n],
    ['7', 7n],
    ['-1', -1n],
    ['10', 10n],
    ['9007199254740993', 9007199254740993n],
    ['9223372036854775807', INT64_MAX],
    ['-9223372036854775808', INT64_MIN],
  ])('reads %s exactly', (text, expected) => {
    expect(parseDecimalInt64(text)).toBe(expected);
  });

  it.each([
    '',
    ' ',
    '-',
    '-0',
    '+1',
    '00',
    '01',
    '-01',
    '1.0',
    '1.',
    '.5',
    '1e1',
    '0x10',
    '1n',
    '1_000',
    '--1',
    ' 1',
    '1 ',
    '1\n',
    '\n1',
    '1\n2',
    '\ufeff1',
    '١',
    '１',
    'abc',
    'null',
    'Infinity',
    'NaN',
    '1,000',
    '9223372036854775808',
    '-9223372036854775809',
    '99999999999999999999',
    '-99999999999999999999',
  ])('refuses %j', (text) => {
    expect(parseDecimalInt64(text)).toBeUndefined();
  });

  it('refuses a text that cannot fit by its length, without converting it', () => {
    const convert = jest.spyOn(globalThis, 'BigInt');
    try {
      expect(parseDecimalInt64('9'.repeat(8_000))).toBeUndefined();
      expect(parseDecimalInt64(`-${'9'.repeat(20)}`)).toBeUndefined();
      expect(convert).not.toHaveBeenCalled();
      expect(parseDecimalInt64('9')).toBe(9n);
      expect(convert).toHaveBeenCalledTimes(1);
    } finally {
      convert.mockRestore();
    }
  });

  it('reads every int64 that is written in decimal', () => {
    fc.assert(fc.property(int64, (value) => parseDecimalInt64(value.toString()) === value));
  });

  it('refuses every integer outside int64', () => {
    fc.assert(fc.property(outside, (value) => parseDecimalInt64(value.toString()) === undefined));
  });

  it('accepts no text other than the one decimal form of its value', () => {
    const nearly = fc.string({ unit: fc.constantFrom(...'0019-+.e \n'.split('')), maxLength: 22 });
    fc.assert(
      fc.property(fc.oneof(nearly, fc.string({ unit: 'binary' })), (text) => {
        const value = parseDecimalInt64(text);
        return value === undefined || value.toString() === text;
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('integerOfJsonLiteral()', () => {
  it.each([
    ['0', 0n],
    ['-0', 0n],
    ['-0.0e5', 0n],
    ['0e999999999', 0n],
    ['0e-999999999', 0n],
    ['1.0', 1n],
    ['1e2', 100n],
    ['1E+2', 100n],
    ['1e00002', 100n],
    ['-1e2', -100n],
    ['10e-1', 1n],
    ['1.5e1', 15n],
    ['0.001e3', 1n],
    ['100e-2', 1n],
    ['9007199254740993', 9007199254740993n],
    ['9223372036854775807.0', INT64_MAX],
    ['9.223372036854775807e18', INT64_MAX],
    ['92233720368547758070e-1', INT64_MAX],
    ['-9.223372036854775808E18', INT64_MIN],
  ])('reads %s as the integer it denotes', (source, expected) => {
    expect(integerOfJsonLiteral(source)).toBe(expected);
  });

  it.each([
    '1.5',
    '0.1',
    '15e-1',
    '9007199254740992.5',
    '1.0000000000000000000000000001',
    '-0.5',
    '1e-400',
    '1e-1',
    '1e400',
    '1e19',
    '1e999999999',
    '1e-999999999',
    '1e9007199254740993',
    '9223372036854775808',
    '-9223372036854775809',
    '9223372036854775807.5',
    '9.223372036854775808e18',
  ])('finds no int64 in %s', (source) => {
    expect(integerOfJsonLiteral(source)).toBeUndefined();
  });

  it.each([
    '',
    '-',
    '+1',
    '01',
    '1.',
    '.5',
    '1e',
    '1e+',
    '1 ',
    '0x10',
    '1n',
    'NaN',
    'Infinity',
    'true',
    '1e2.5',
  ])('finds no int64 in %j, which is not a JSON number', (source) => {
    expect(integerOfJsonLiteral(source)).toBeUndefined();
  });

  it('agrees with exact arithmetic on every way to write a number', () => {
    let integers = 0;
    fc.assert(
      fc.property(literal, ({ source, expected }) => {
        integers += expected === undefined ? 0 : 1;
        expect(integerOfJsonLiteral(source)).toBe(expected);
      }),
      { numRuns: 5_000 },
    );
    expect(integers).toBeGreaterThan(100);
  });

  it('reads every int64 however its decimal point and exponent are moved', () => {
    fc.assert(
      fc.property(int64, fc.integer({ min: 1, max: 300 }), (value, shift) => {
        expect(integerOfJsonLiteral(`${value}.${'0'.repeat(shift)}`)).toBe(value);
        expect(integerOfJsonLiteral(`${value}${value === 0n ? '' : '0'.repeat(shift)}e-${shift}`)).toBe(
          value,
        );
      }),
    );
  });

  it('reads literals as long as a whole body', () => {
    const zeros = '0'.repeat(102_400);
    const nines = '9'.repeat(102_400);
    expect(integerOfJsonLiteral(`7${zeros}e-102400`)).toBe(7n);
    expect(integerOfJsonLiteral(`0.${zeros}7e102401`)).toBe(7n);
    expect(integerOfJsonLiteral(`7.${zeros}`)).toBe(7n);
    expect(integerOfJsonLiteral(`7e${zeros}1`)).toBe(70n);
    expect(integerOfJsonLiteral(`7.${zeros}1`)).toBeUndefined();
    expect(integerOfJsonLiteral(nines)).toBeUndefined();
    expect(integerOfJsonLiteral(`7e${nines}`)).toBeUndefined();
    expect(integerOfJsonLiteral(`7e-${nines}`)).toBeUndefined();
    expect(integerOfJsonLiteral(`0e${nines}`)).toBe(0n);
  });

  it('never passes a long literal or a hostile exponent to BigInt()', () => {
    const convert = jest.spyOn(globalThis, 'BigInt');
    try {
      expect(integerOfJsonLiteral('9'.repeat(102_400))).toBeUndefined();
      expect(integerOfJsonLiteral('1e99999999')).toBeUndefined();
      expect(convert).not.toHaveBeenCalled();
      expect(integerOfJsonLiteral('1e2')).toBe(100n);
      expect(convert).toHaveBeenCalledTimes(1);
    } finally {
      convert.mockRestore();
    }
  });
});
