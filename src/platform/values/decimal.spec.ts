import { compareDecimals, decimalPattern, readDecimal } from './decimal';

const PRICE = { precision: 5, scale: 2 };

describe('A decimal', () => {
  it.each([
    ['0', '0.00'],
    ['-0', '0.00'],
    ['-0.00', '0.00'],
    ['7', '7.00'],
    ['1.5', '1.50'],
    ['-0.5', '-0.50'],
    ['999.99', '999.99'],
  ])('is read with all decimal places: %s', (text, read) => {
    expect(readDecimal(text, PRICE)).toBe(read);
    expect(text).toMatch(new RegExp(decimalPattern(PRICE), 'u'));
    expect(read).toMatch(new RegExp(decimalPattern(PRICE), 'u'));
  });

  it.each(['', '1.234', '1000', '01', '+1', '.5', '1.', '1e2', ' 1', '1,5', 'NaN', '١'])(
    'is refused when it is %j',
    (text) => {
      expect(readDecimal(text, PRICE)).toBeUndefined();
      expect(text).not.toMatch(new RegExp(decimalPattern(PRICE), 'u'));
    },
  );

  it.each([1, 1n, null, undefined, true, ['1']])('is refused when it is not a text: %p', (value) => {
    expect(readDecimal(value, PRICE)).toBeUndefined();
  });

  it('may be declared without digits before or after the point', () => {
    expect(readDecimal('0.05', { precision: 2, scale: 2 })).toBe('0.05');
    expect(readDecimal('1', { precision: 2, scale: 2 })).toBeUndefined();
    expect('1').not.toMatch(new RegExp(decimalPattern({ precision: 2, scale: 2 }), 'u'));
    expect(readDecimal('12', { precision: 2, scale: 0 })).toBe('12');
    expect('12.0').not.toMatch(new RegExp(decimalPattern({ precision: 2, scale: 0 }), 'u'));
  });

  it('is compared by its value', () => {
    expect(['10.00', '9.00', '-9.00', '-10.00', '0.00'].sort(compareDecimals)).toEqual([
      '-10.00',
      '-9.00',
      '0.00',
      '9.00',
      '10.00',
    ]);
    expect(compareDecimals('1.00', '1.00')).toBe(0);
  });
});
