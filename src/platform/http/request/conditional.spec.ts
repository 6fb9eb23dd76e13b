import { entityTag, matchesNone } from './conditional';

describe('entityTag', () => {
  it('returns a strong tag of URL-safe characters', () => {
    expect(entityTag('[]')).toMatch(/^"[\w-]{27}"$/);
  });

  it('returns the same tag for equal bytes only', () => {
    expect(entityTag('["é"]')).toBe(entityTag(Buffer.from('["é"]')));
    expect(entityTag('[1]')).not.toBe(entityTag('[2]'));
  });
});

describe('matchesNone', () => {
  it.each(['"a"', 'W/"a"', '*', ' * ', '"x", "a"', '"x","a"', 'W/"x" , W/"a"', '"x,y", "a"', '"", "a"'])(
    'finds "a" in %s',
    (field) => {
      expect(matchesNone(field, '"a"')).toBe(true);
    },
  );

  it.each(['', 'a', '"A"', '"aa"', '"b"', '"*"', 'W/"b", "c"', '"x"a"', '* , x', '"a'])(
    'does not find "a" in %s',
    (field) => {
      expect(matchesNone(field, '"a"')).toBe(false);
    },
  );
});
