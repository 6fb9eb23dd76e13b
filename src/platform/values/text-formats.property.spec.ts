import fc from 'fast-check';
import { readDate, readDateTime, readUuid } from './text-formats';

const FIRST = new Date('0001-01-01T00:00:00.000Z');
const LAST = new Date('9999-12-31T23:59:59.999Z');

const instants = fc.date({ min: FIRST, max: LAST, noInvalidDate: true });
const digits = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength });
const upTo = (max: number) => fc.nat(max).map(pad);

const days = fc.tuple(digits(4, 4), upTo(13), upTo(32));
const clocks = fc.tuple(upTo(25), upTo(61), upTo(61)).map((parts) => parts.join(':'));

function pad(n: number): string {
  return String(n).padStart(2, '0');
}

it('readDate takes exactly the days the calendar has', () => {
  fc.assert(
    fc.property(days, ([year, month, day]) => {
      const isLeap = Number(year) % 4 === 0 && (Number(year) % 100 !== 0 || Number(year) % 400 === 0);
      const length = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][Number(month) - 1] ?? 0;
      const isDay = year !== '0000' && day !== '00' && Number(day) <= length;
      const text = `${year}-${month}-${day}`;
      expect(readDate(text)).toBe(isDay ? text : undefined);
    }),
    { numRuns: 5_000, examples: [[['0000', '01', '01']], [['0004', '02', '29']], [['2100', '02', '29']]] },
  );
});

describe('readDateTime', () => {
  it('reads every instant back from its own text, in either case', () => {
    fc.assert(
      fc.property(instants, (instant) => {
        const text = instant.toISOString();
        expect(readDateTime(text)?.getTime()).toBe(instant.getTime());
        expect(readDateTime(text.toLowerCase())?.getTime()).toBe(instant.getTime());
      }),
      { numRuns: 1_000 },
    );
  });

  it('reads an instant from the clock of any offset', () => {
    fc.assert(
      fc.property(instants, fc.integer({ min: -1_439, max: 1_439 }), (clock, minutes) => {
        const size = Math.abs(minutes);
        const offset = `${minutes < 0 ? '-' : '+'}${pad(Math.trunc(size / 60))}:${pad(size % 60)}`;
        const expected = clock.getTime() - minutes * 60_000;
        const isWithin = expected >= FIRST.getTime() && expected <= LAST.getTime();
        const text = clock.toISOString().replace('Z', offset);
        expect(readDateTime(text)?.getTime()).toBe(isWithin ? expected : undefined);
      }),
      {
        numRuns: 1_000,
        examples: [
          [FIRST, 1],
          [FIRST, -1],
          [LAST, 1],
          [LAST, -1],
        ],
      },
    );
  });

  it('truncates any fraction to the millisecond', () => {
    fc.assert(
      fc.property(instants, digits(1, 12), (instant, fraction) => {
        const seconds = instant.toISOString().slice(0, 19);
        const cut = fraction.padEnd(3, '0').slice(0, 3);
        expect(readDateTime(`${seconds}.${fraction}Z`)?.toISOString()).toBe(`${seconds}.${cut}Z`);
      }),
      { numRuns: 2_000 },
    );
  });

  it('agrees with Date on arbitrary text', () => {
    const zones = fc.oneof(
      fc.constantFrom('Z', 'z', ''),
      fc
        .tuple(fc.constantFrom('+', '-'), upTo(25), fc.constantFrom(':', ''), upTo(61))
        .map((all) => all.join('')),
    );
    const texts = fc
      .tuple(
        days.map((parts) => parts.join('-')),
        fc.constantFrom('T', 't', ' ', ''),
        clocks,
        fc.oneof(
          fc.constant(''),
          digits(0, 3).map((fraction) => `.${fraction}`),
        ),
        zones,
        fc.constantFrom('', ' ', '\n', '0'),
      )
      .map((parts) => parts.join(''));
    let taken = 0;
    fc.assert(
      fc.property(fc.oneof({ weight: 4, arbitrary: texts }, fc.string()), (text) => {
        const read = readDateTime(text);
        if (read === undefined) return;
        taken += 1;
        expect(read.getTime()).toBe(Date.parse(text.toUpperCase()));
      }),
      { numRuns: 10_000 },
    );
    expect(taken).toBeGreaterThan(100);
  });
});

it('readUuid takes every UUID there is', () => {
  fc.assert(fc.property(fc.uuid(), (uuid) => expect(readUuid(uuid.toUpperCase())).toBe(uuid)));
});
