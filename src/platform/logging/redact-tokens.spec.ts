import * as fc from 'fast-check';
import { tokenOfSecret } from '../security/api-key-token';
import { redactTokens } from './redact-tokens';

const tokens = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((secret) => tokenOfSecret(Buffer.from(secret)));
const texts = fc.string({ unit: 'binary' }).filter((text) => !text.includes('petk_'));

describe('redactTokens', () => {
  it('removes every key from a text', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(texts, tokens), { maxLength: 5 }), texts, (parts, end) => {
        const redacted = redactTokens(parts.flat().join('') + end);
        for (const [, token] of parts) expect(redacted).not.toContain(token.slice('petk_'.length));
      }),
    );
  });

  it('keeps the text around keys', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(texts, tokens), { maxLength: 5 }), (parts) => {
        const redacted = redactTokens(parts.map(([text, token]) => `${text} ${token} `).join(''));
        expect(redacted).toBe(parts.map(([text]) => `${text} petk_[redacted] `).join(''));
      }),
    );
  });

  it('removes a part of a key, which a library may have cut', () => {
    expect(redactTokens('at petk_0123456789…')).toBe('at petk_[redacted]…');
  });

  it('changes no text without a key', () => {
    fc.assert(fc.property(texts, (text) => expect(redactTokens(text)).toBe(text)));
    expect(redactTokens('a key begins with petk_')).toBe('a key begins with petk_');
  });
});
