import { readDate, readDateTime, readUuid, startOfDay } from './text-formats';

describe('readDate', () => {
  it.each([
    '0001-01-01',
    '0099-12-31',
    '1582-10-10',
    '1900-02-28',
    '1969-12-31',
    '2000-02-29',
    '2024-02-29',
    '2026-01-31',
    '2026-04-30',
    '2400-02-29',
    '9999-12-31',
  ])('takes %s as it is', (text) => {
    expect(readDate(text)).toBe(text);
  });

  it.each([
    '',
    '0000-01-01',
    '0000-12-31',
    '1900-02-29',
    '2023-02-29',
    '2100-02-29',
    '2024-02-30',
    '2026-04-31',
    '2026-01-32',
    '2026-01-00',
    '2026-00-10',
    '2026-13-01',
    '2026-1-31',
    '26-01-31',
    '12026-01-31',
    '+02026-01-31',
    '-0001-01-01',
    '20260131',
    '2026/01/31',
    '2026-01',
    '2026-01-31Z',
    '2026-01-31T00:00:00Z',
    '2026-W05-6',
    '2026-031',
    ' 2026-01-31',
    '2026-01-31 ',
    '2026-01-31\n',
    '\n2026-01-31',
    '2026-01-3１',
    '２０２６-０１-３１',
    '2026‐01‐31',
    '٢٠٢٦-٠١-٣١',
  ])('refuses %j', (text) => {
    expect(readDate(text)).toBeUndefined();
  });

  it.each([
    undefined,
    null,
    20260131,
    20260131n,
    true,
    new Date(0),
    ['2026-01-31'],
    { toString: () => '2026-01-31' },
  ])('refuses what is no text: %p', (value) => {
    expect(readDate(value)).toBeUndefined();
  });
});

describe('readDateTime', () => {
  it.each([
    ['2026-01-31T09:30:00Z', '2026-01-31T09:30:00.000Z'],
    ['2026-01-31t09:30:00z', '2026-01-31T09:30:00.000Z'],
    ['2026-01-31T00:00:00Z', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31T23:59:59Z', '2026-01-31T23:59:59.000Z'],
    ['2024-02-29T12:00:00+00:00', '2024-02-29T12:00:00.000Z'],
    ['2024-02-29T12:00:00-00:00', '2024-02-29T12:00:00.000Z'],
    ['2026-01-31T09:30:00+02:00', '2026-01-31T07:30:00.000Z'],
    ['2026-01-31T23:30:00-01:45', '2026-02-01T01:15:00.000Z'],
    ['2026-01-01T00:30:00+23:59', '2025-12-31T00:31:00.000Z'],
    ['2026-12-31T23:30:00-23:59', '2027-01-01T23:29:00.000Z'],
    ['2026-01-31T09:30:00.1Z', '2026-01-31T09:30:00.100Z'],
    ['2026-01-31T09:30:00.12Z', '2026-01-31T09:30:00.120Z'],
    ['2026-01-31T09:30:00.123Z', '2026-01-31T09:30:00.123Z'],
    ['2026-01-31T09:30:00.1239Z', '2026-01-31T09:30:00.123Z'],
    ['2026-01-31T09:30:00.999999Z', '2026-01-31T09:30:00.999Z'],
    ['2026-01-31T23:59:59.999999999999Z', '2026-01-31T23:59:59.999Z'],
    ['2026-01-31T09:30:00.0123456789Z', '2026-01-31T09:30:00.012Z'],
    ['2026-01-31T09:30:00.000000000001-01:00', '2026-01-31T10:30:00.000Z'],
    ['1969-12-31T23:59:59.9999Z', '1969-12-31T23:59:59.999Z'],
    ['1883-11-18T12:03:58Z', '1883-11-18T12:03:58.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['0001-01-01T00:00:00-00:01', '0001-01-01T00:01:00.000Z'],
    ['0099-12-31T23:59:59Z', '0099-12-31T23:59:59.000Z'],
    ['9999-12-31T23:59:59.9999Z', '9999-12-31T23:59:59.999Z'],
    ['9999-12-31T23:59:59+00:01', '9999-12-31T23:58:59.000Z'],
  ])('reads %s as %s', (text, instant) => {
    expect(readDateTime(text)?.toISOString()).toBe(instant);
  });

  it.each([
    ['without an offset', '2026-01-31T09:30:00'],
    ['with half an offset', '2026-01-31T09:30:00+02'],
    ['with an offset without a colon', '2026-01-31T09:30:00+0200'],
    ['with an offset of a day', '2026-01-31T09:30:00+24:00'],
    ['with an offset of 60 minutes', '2026-01-31T09:30:00+01:60'],
    ['with a zone and an offset', '2026-01-31T09:30:00Z+02:00'],
    ['with a zone by name', '2026-01-31T09:30:00 UTC'],
    ['with a zone in brackets', '2026-01-31T09:30:00Z[UTC]'],
    ['without seconds', '2026-01-31T09:30Z'],
    ['without a time', '2026-01-31'],
    ['without a date', '09:30:00Z'],
    ['at 24:00', '2026-01-31T24:00:00Z'],
    ['at the minute 60', '2026-01-31T09:60:00Z'],
    ['in a leap second', '2016-12-31T23:59:60Z'],
    ['on a day that is not', '2023-02-29T09:30:00Z'],
    ['in the month 13', '2026-13-01T09:30:00Z'],
    ['in the year 0000', '0000-12-31T23:59:59Z'],
    ['in the year 0000, brought into 0001 by its offset', '0000-12-31T23:59:59-01:00'],
    ['before 0001 by its offset', '0001-01-01T00:00:00+00:01'],
    ['after 9999 by its offset', '9999-12-31T23:59:59-00:01'],
    ['in a year of five digits', '12026-01-31T09:30:00Z'],
    ['in a year of six digits with a sign', '+012026-01-31T09:30:00Z'],
    ['with a full stop and no fraction', '2026-01-31T09:30:00.Z'],
    ['with a comma', '2026-01-31T09:30:00,5Z'],
    ['with a space for the T', '2026-01-31 09:30:00Z'],
    ['with an underscore for the T', '2026-01-31_09:30:00Z'],
    ['with a space ahead', ' 2026-01-31T09:30:00Z'],
    ['with a space behind', '2026-01-31T09:30:00Z '],
    ['with a line feed behind', '2026-01-31T09:30:00Z\n'],
    ['with a line feed ahead', '\n2026-01-31T09:30:00Z'],
    ['with full-width digits', '２０２６-01-31T09:30:00Z'],
    ['with a full-width Z', '2026-01-31T09:30:00Ｚ'],
    ['with a real minus sign', '2026-01-31T09:30:00−02:00'],
    ['in the basic form', '20260131T093000Z'],
    ['in the words of a header', 'Sat, 31 Jan 2026 09:30:00 GMT'],
    ['in seconds', '1769851800'],
    ['in no digits', ''],
  ])('refuses a time %s', (_title, text) => {
    expect(readDateTime(text)).toBeUndefined();
  });

  it.each([undefined, null, 1769851800, 1769851800n, true, new Date(0), ['2026-01-31T09:30:00Z']])(
    'refuses what is no text: %p',
    (value) => {
      expect(readDateTime(value)).toBeUndefined();
    },
  );
});

describe('startOfDay', () => {
  it('returns midnight in UTC for days that exist', () => {
    expect(startOfDay('2024-02-29')?.toISOString()).toBe('2024-02-29T00:00:00.000Z');
    for (const text of ['2026-02-29', '0000-01-01', '2026-1-1', ' 2026-01-01', '2026-01-01T', '']) {
      expect(startOfDay(text)).toBeUndefined();
    }
  });
});

describe('readUuid', () => {
  it.each([
    '9f1c7a52-2f6c-4b5a-9a53-0f6f6a0c4f8e',
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    '01890a5d-ac96-774b-bcce-b302099a8057',
  ])('takes %s as it is', (text) => {
    expect(readUuid(text)).toBe(text);
  });

  it.each(['9F1C7A52-2F6C-4B5A-9A53-0F6F6A0C4F8E', '9f1C7a52-2F6c-4b5a-9A53-0f6f6a0c4f8E'])(
    'reads %s in lower case',
    (text) => {
      expect(readUuid(text)).toBe('9f1c7a52-2f6c-4b5a-9a53-0f6f6a0c4f8e');
    },
  );

  it.each([
    '',
    '9f1c7a522f6c4b5a9a530f6f6a0c4f8e',
    '9f1c7a52-2f6c-4b5a-9a53-0f6f6a0c4f8',
    '9f1c7a52-2f6c-4b5a-9a53-0f6f6a0c4f8e0',
    '9f1c7a5-22f6c-4b5a-9a53-0f6f6a0c4f8e',
    '9f1c7a52-2f6c-4b5a-9a530f6f6a0c4f8e',
    '9f1c7a52_2f6c_4b5a_9a53_0f6f6a0c4f8e',
    '{9f1c7a52-2f6c-4b5a-9a53-0f6f6a0c4f8e}',
    'urn:uuid:9f1c7a52-2f6c-4b5a-9a53-0f6f6a0c4f8e',
    'gf1c7a52-2f6c-4b5a-9a53-0f6f6a0c4f8e',
    ' 9f1c7a52-2f6c-4b5a-9a53-0f6f6a0c4f8e',
    '9f1c7a52-2f6c-4b5a-9a53-0f6f6a0c4f8e ',
    '9f1c7a52-2f6c-4b5a-9a53-0f6f6a0c4f8e\n',
    '９f1c7a52-2f6c-4b5a-9a53-0f6f6a0c4f8e',
  ])('refuses %j', (text) => {
    expect(readUuid(text)).toBeUndefined();
  });

  it.each([undefined, null, 1, 1n, true, ['9f1c7a52-2f6c-4b5a-9a53-0f6f6a0c4f8e']])(
    'refuses what is no text: %p',
    (value) => {
      expect(readUuid(value)).toBeUndefined();
    },
  );
});
