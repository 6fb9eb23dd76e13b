import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto';

/** A personal value as it is stored: what its event says of it, and what lies beside the event. */
export interface CommittedValue {
  /** `sha256:` and 43 characters of base64url; tells nothing of the value without the salt. */
  readonly commitment: string;
  /** Salt and value, encrypted. */
  readonly sealed: string;
}

const COMMITMENT = /^sha256:[\w-]{43}$/;
const CIPHER = 'aes-256-gcm';
const SALT_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Makes a key of {@link commitTo}: 32 random bytes in base64url. */
export function newKey(): string {
  return randomBytes(32).toString('base64url');
}

/** Commits to a value with a salt of its own, and encrypts both. */
export function commitTo(value: string, key: string): CommittedValue {
  const opening = Buffer.concat([randomBytes(SALT_BYTES), Buffer.from(value)]);
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, Buffer.from(key, 'base64url'), iv);
  const encrypted = Buffer.concat([cipher.update(opening), cipher.final()]);
  const sealed = Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString('base64url');
  return { commitment: commitmentOf(opening), sealed };
}

/** Decrypts a value. @returns undefined if it is not the one that the commitment is to, or not under this key */
export function openValue({ commitment, sealed }: CommittedValue, key: string): string | undefined {
  const opening = decrypted(sealed, key);
  if (!opening || commitmentOf(opening) !== commitment) return undefined;
  return opening.subarray(SALT_BYTES).toString();
}

/** True if a value is encrypted with a key. */
export function isSealedWith(sealed: string, key: string): boolean {
  return decrypted(sealed, key) !== undefined;
}

/** Decrypts salt and value. @returns undefined if they are not under this key */
function decrypted(sealed: string, key: string): Buffer | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  try {
    const decipher = createDecipheriv(CIPHER, Buffer.from(key, 'base64url'), bytes.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
  } catch {
    return undefined;
  }
}

/** True of a text that stands for a personal value. */
export function isCommitment(text: unknown): text is string {
  return typeof text === 'string' && COMMITMENT.test(text);
}

function commitmentOf(opening: Buffer): string {
  return `sha256:${hash('sha256', opening, 'base64url')}`;
}
