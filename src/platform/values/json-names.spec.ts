import fc from 'fast-check';
import { plainName, restoreNames } from './json-names';

const name = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('"', '\\', '\n', '\u0000', '/', 'a', '\ud800', '\udc00', '\u2028') }),
);

/** The name with every character escaped. */
function escaped(text: string): string {
  const units = Array.from({ length: text.length }, (_, i) =>
    text.charCodeAt(i).toString(16).padStart(4, '0'),
  );
  return `"${units.map((unit) => `\\u${unit}`).join('')}"`;
}

describe('plainName', () => {
  it.each([
    ['"\\u006eame"', '"name"'],
    ['"a\\/b"', '"a/b"'],
    ['"\\ud83d\\ude00"', '"😀"'],
    ['"plain"', '"plain"'],
  ])('writes %s as %s', (source, expected) => {
    expect(plainName(source)).toBe(expected);
  });

  it.each(['"\\x"', '"\\u12"', '"\t"', '"'])('leaves the malformed %j to JSON.parse', (source) => {
    expect(plainName(source)).toBe(source);
  });

  it('writes no backslash, and writes one name in one way only', () => {
    fc.assert(
      fc.property(name, (text) => {
        const plain = plainName(escaped(text));
        expect(plain).not.toContain('\\');
        expect(plainName(JSON.stringify(text))).toBe(plain);
      }),
    );
  });

  it('writes two names in two ways', () => {
    fc.assert(
      fc.property(name, name, (one, other) => {
        fc.pre(one !== other);
        expect(plainName(escaped(one))).not.toBe(plainName(escaped(other)));
      }),
    );
  });
});

describe('restoreNames', () => {
  it('gives back the names, their order and their values', () => {
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 6 }), (names) => {
        const text = `{${names.map((one, i) => `${plainName(escaped(one))}:${i}`).join()}}`;
        const expected = Object.fromEntries(names.map((one, i) => [one, i]));
        expect(Object.entries(restoreNames(JSON.parse(text)) as object)).toStrictEqual(
          Object.entries(expected),
        );
      }),
    );
  });

  it.each([null, 7, 'text', [['a']], { a: 1 }])('returns %j itself', (value) => {
    expect(restoreNames(value)).toBe(value);
  });

  it('takes __proto__ for a member beside restored names', () => {
    const restored = restoreNames(
      JSON.parse(`{"__proto__":{"admin":true},${plainName('"\\n"')}:1}`),
    ) as object;
    expect(Object.keys(restored)).toStrictEqual(['__proto__', '\n']);
    expect(Object.getPrototypeOf(restored)).toBe(Object.prototype);
  });
});
