import { InvalidArgumentError } from 'commander';
import {
  readCount,
  readDuration,
  readDurationOrZero,
  readId,
  readInstant,
  readNames,
  readText,
} from './option-values';

describe('durations', () => {
  it.each([
    ['1m', 60_000],
    ['30m', 1_800_000],
    ['12h', 43_200_000],
    ['90d', 7_776_000_000],
    ['2w', 1_209_600_000],
    ['36500d', 3_153_600_000_000],
  ])('reads %s as %d milliseconds', (text, milliseconds) => {
    expect(readDuration(text)).toBe(milliseconds);
  });

  it.each([
    '',
    '30',
    '30s',
    '1y',
    '1.5h',
    '-1h',
    '+1h',
    ' 1h',
    '1H',
    '1h30m',
    '0x1h',
    '36501d',
    '999999999w',
  ])('refuses "%s"', (text) => {
    expect(() => readDuration(text)).toThrow(InvalidArgumentError);
    expect(() => readDurationOrZero(text)).toThrow(InvalidArgumentError);
  });

  it('takes zero only where an option allows it', () => {
    expect([readDurationOrZero('0'), readDurationOrZero('0d')]).toEqual([0, 0]);
    expect(() => readDuration('0')).toThrow(InvalidArgumentError);
    expect(() => readDuration('0d')).toThrow(InvalidArgumentError);
  });
});

describe('counts', () => {
  it('are whole numbers from 1', () => {
    expect([readCount('1'), readCount('1000000'), readCount('999999999999')]).toEqual([
      1, 1e6, 999_999_999_999,
    ]);
  });

  it.each(['', '0', '-1', '+1', '1.5', '1e6', '0x10', '007', '1,000', '1000000000000'])(
    'refuse "%s"',
    (text) => {
      expect(() => readCount(text)).toThrow(InvalidArgumentError);
    },
  );
});

describe('texts', () => {
  it('are taken as they are', () => {
    expect(readText(' -ß ')).toBe(' -ß ');
  });

  it('are refused when they are empty or look like the next option', () => {
    expect(() => readText(' ')).toThrow(InvalidArgumentError);
    expect(() => readText('--json')).toThrow(InvalidArgumentError);
  });
});

describe('names', () => {
  it('are separated by commas, and gathered over several options', () => {
    expect(readNames('a, b,,c', readNames('x'))).toEqual(['x', 'a', 'b', 'c']);
  });
});

describe('instants', () => {
  it('are of RFC 3339; a day is its beginning in UTC', () => {
    expect(readInstant('2028-02-29')).toEqual(new Date('2028-02-29T00:00:00Z'));
    expect(readInstant('2026-01-31T12:00:00+02:00')).toEqual(new Date('2026-01-31T10:00:00Z'));
  });

  it.each(['', 'yesterday', '2026-02-29', '2026-1-31', '31.01.2026', '1769817600'])('refuse "%s"', (text) => {
    expect(() => readInstant(text)).toThrow(InvalidArgumentError);
  });

  it('need a zone with a time', () => {
    expect(() => readInstant('2026-01-31T12:00:00')).toThrow(InvalidArgumentError);
  });
});

describe('ids', () => {
  it('are integers of 64 bits', () => {
    expect([readId('1'), readId('9223372036854775807')]).toEqual([1n, 9223372036854775807n]);
  });

  it.each(['', 'x', '1.5', '1e3', '9223372036854775808'])('refuse "%s"', (text) => {
    expect(() => readId(text)).toThrow(InvalidArgumentError);
  });
});
