import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto';

/** Tokens that the provider issued for a session, besides the claims. */
export interface ProviderTokens {
  /** Identifies at the sign-out the session at the provider that is to end. */
  readonly idToken?: string | undefined;
  /** Lets the service ask the provider again; unset if the provider issues none. */
  readonly refreshToken?: string | undefined;
}

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts tokens for the row of a session with a key that only the browser has: the token of its session. */
export function sealTokens(token: string, tokens: ProviderTokens): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, keyOf(token), nonce);
  const sealed = [cipher.update(JSON.stringify(tokens), 'utf8'), cipher.final()];
  return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]).toString('base64url');
}

/** Decrypts tokens. @throws Error if they were encrypted for another session */
export function unsealTokens(token: string, text: string): ProviderTokens {
  const bytes = Buffer.from(text, 'base64url');
  const decipher = createDecipheriv(ALGORITHM, keyOf(token), bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const opened = [decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()];
  return JSON.parse(Buffer.concat(opened).toString('utf8')) as ProviderTokens;
}

function keyOf(token: string): Buffer {
  return hash('sha256', `provider tokens ${token}`, 'buffer');
}
