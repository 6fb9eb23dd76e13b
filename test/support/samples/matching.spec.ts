import { matching } from './matching';

const range = (from: number, length: number) => Array.from({ length }, (_, index) => from + index);

describe('Texts that match a pattern', () => {
  it.each([
    ['^[A-C][0-9]$', 30],
    ['^[a-z]$', 26],
    ['^[0-9]{2}$', 100],
    ['^[A-Z]{3}-[0-9]{4}$', 500],
  ])('are different in a row: %s gives %i', (pattern, length) => {
    const texts = range(1, length).map((n) => matching(pattern, n));
    expect(new Set(texts).size).toBe(length);
    for (const text of texts) expect(text).toMatch(new RegExp(pattern, 'u'));
  });

  it.each(['^[0-9]$', '^[A-C][0-9]$', '^[0-9]{3}$', '^[A-Z]{3}-[0-9]{4}$'])(
    'differ between the tests of a module and those of every module: %s',
    (pattern) => {
      const texts = [...range(1, 4), ...range(10_001, 4)].map((n) => matching(pattern, n));
      expect(new Set(texts).size).toBe(8);
    },
  );
});
