import crypto, { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { createToken, hashToken, isWellFormedToken, tokenHint, tokenOfSecret } from './api-key-token';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
// Computed outside this code from the documented form; the last two hold values that do not fit in 256 bits.
const ZEROS = 'petk_00000000000000000000000000000000000000000003HGPmv';
const COUNTED = 'petk_003aUlTJC7tjlCTQj2uNU3MFagCXG9LRKRcwGkBIDlf2tSsyz';
const LARGEST = 'petk_yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rOw8Xp10RrhC1';
const PADDED_CHECKSUM = 'petk_000000000000000000000000000000000000000005G005UQR';
const TOO_LARGE = 'petk_yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rOw8Xp22N3FBf';
const ALL_Z = 'petk_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz3oixQq';

const token = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => tokenOfSecret(Buffer.from(bytes)));

/** Returns the integer that base62 digits stand for. */
const base62 = (text: string) =>
  text.split('').reduce((value, digit) => value * 62n + BigInt(DIGITS.indexOf(digit)), 0n);
const replaced = (text: string, i: number, character: string) =>
  text.slice(0, i) + character + text.slice(i + 1);

describe('tokenOfSecret', () => {
  it.each([
    ['zeros', Buffer.alloc(32), ZEROS],
    ['counted bytes', Buffer.from(Array.from({ length: 32 }, (_, i) => i)), COUNTED],
    ['the largest secret', Buffer.alloc(32, 255), LARGEST],
    ['a checksum with leading zeros', Buffer.from(`${'00'.repeat(30)}0146`, 'hex'), PADDED_CHECKSUM],
  ])('writes %s in the documented form', (_case, secret, expected) => {
    expect(tokenOfSecret(secret)).toBe(expected);
  });

  it('carries all 256 bits of the secret and the CRC-32 of what precedes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        const secret = Buffer.from(bytes);
        const text = tokenOfSecret(secret);
        expect(text).toMatch(/^petk_[0-9A-Za-z]{49}$/);
        expect(base62(text.slice(5, 48))).toBe(BigInt(`0x${secret.toString('hex')}`));
        expect(base62(text.slice(48))).toBe(BigInt(crc32(Buffer.from(text.slice(0, 48), 'ascii'))));
      }),
    );
  });

  it.each([0, 31, 33])('refuses a secret of %i bytes', (length) => {
    expect(() => tokenOfSecret(Buffer.alloc(length))).toThrow(RangeError);
  });
});

describe('createToken', () => {
  it('makes well-formed tokens, no two alike', () => {
    const tokens = Array.from({ length: 500 }, () => createToken());
    expect(tokens.filter((text) => !isWellFormedToken(text))).toStrictEqual([]);
    expect(new Set(tokens).size).toBe(tokens.length);
  });

  it('takes the whole secret from the cryptographic random source', () => {
    const secret = Buffer.from(Array.from({ length: 32 }, (_, i) => i));
    const random = jest.spyOn(crypto, 'randomBytes').mockImplementation(() => secret);
    try {
      expect(createToken()).toBe(COUNTED);
      expect(random.mock.calls).toStrictEqual([[32]]);
    } finally {
      random.mockRestore();
    }
  });
});

describe('isWellFormedToken', () => {
  it.each([ZEROS, COUNTED, LARGEST, PADDED_CHECKSUM])('accepts %s', (text) => {
    expect(isWellFormedToken(text)).toBe(true);
  });

  it.each([
    ['is empty', ''],
    ['is the prefix alone', 'petk_'],
    ['holds a value of 2^256', TOO_LARGE],
    ['holds the largest 43 digits', ALL_Z],
    ['has another prefix', `pets_${ZEROS.slice(5)}`],
    ['has the prefix in capitals', `PETK_${ZEROS.slice(5)}`],
    ['lacks a character', ZEROS.slice(0, -1)],
    ['has one more character', `${ZEROS}0`],
    ['has a space before it', ` ${ZEROS}`],
    ['has a line break after it', `${ZEROS}\n`],
    ['has the scheme in it', `Bearer ${ZEROS}`],
    ['is very long', ZEROS.repeat(1_000)],
  ])('refuses a text that %s', (_case, text) => {
    expect(isWellFormedToken(text)).toBe(false);
  });

  it.each(['-', '_', '+', '/', '=', ' ', '\u0000', 'é', '０', '@', '[', '`', '{', ':'])(
    'refuses %j among the digits even under a matching checksum',
    (character) => {
      const signed = replaced(ZEROS, 20, character).slice(0, 48);
      let checksum = '';
      for (let rest = crc32(signed); checksum.length < 6; rest = Math.floor(rest / 62)) {
        checksum = DIGITS.charAt(rest % 62) + checksum;
      }
      expect(isWellFormedToken(signed + checksum)).toBe(false);
    },
  );

  it('accepts every token made', () => {
    fc.assert(fc.property(token, (text) => isWellFormedToken(text)));
  });

  it('refuses a token with any one character changed', () => {
    const character = fc.oneof(
      fc.constantFrom(...DIGITS.split(''), '_'),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    );
    fc.assert(
      fc.property(token, fc.nat(53), character, (text, i, other) => {
        fc.pre(text[i] !== other);
        expect(isWellFormedToken(replaced(text, i, other))).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  it('refuses a token with any two different characters swapped', () => {
    fc.assert(
      fc.property(token, fc.nat(53), fc.nat(53), (text, i, j) => {
        fc.pre(text[i] !== text[j]);
        expect(isWellFormedToken(replaced(replaced(text, i, text.charAt(j)), j, text.charAt(i)))).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  it('refuses a token with a character lost or doubled', () => {
    fc.assert(
      fc.property(token, fc.nat(53), (text, i) => {
        expect(isWellFormedToken(text.slice(0, i) + text.slice(i + 1))).toBe(false);
        expect(isWellFormedToken(text.slice(0, i) + text.slice(i, i + 1) + text.slice(i))).toBe(false);
      }),
    );
  });

  it('refuses arbitrary text', () => {
    const shaped = fc
      .string({ unit: fc.constantFrom(...DIGITS.split('')), minLength: 49, maxLength: 49 })
      .map((text) => `petk_${text}`);
    fc.assert(
      fc.property(fc.oneof(shaped, fc.string({ unit: 'binary' })), (text) => !isWellFormedToken(text)),
    );
  });
});

describe('hashToken', () => {
  it('is the SHA-256 of the token in lower-case hexadecimal', () => {
    expect(hashToken(ZEROS)).toBe('cc13c8d9e4dd33e43b34c4b444cfdb0f889511fdcbdf17b2832542daa898bbf6');
    fc.assert(
      fc.property(token, (text) => hashToken(text) === createHash('sha256').update(text).digest('hex')),
    );
  });
});

describe('tokenHint', () => {
  it('shows the first four digits of the secret and the last four of the token', () => {
    expect(tokenHint(COUNTED)).toBe('petk_003a…Ssyz');
  });

  it('shows only eight of 49 characters, whatever the token', () => {
    fc.assert(
      fc.property(token, (text) => {
        expect(tokenHint(text)).toBe(`petk_${text.slice(5, 9)}…${text.slice(50)}`);
      }),
    );
  });
});

describe('The rule for gitleaks in docs/operations/keys.md', () => {
  const page = readFileSync(join(__dirname, '..', '..', '..', 'docs', 'operations', 'keys.md'), 'utf8');
  const [, pattern = ''] = /^regex = '''(.+)'''$/m.exec(page) ?? [];

  it('finds a key within a text, and only the key', () => {
    expect(`API_KEY="${COUNTED}";`.match(new RegExp(pattern, 'g'))).toEqual([COUNTED]);
  });
});
