import { randomBytes } from 'node:crypto';

/** A text of so many bytes, one a character, that no database makes shorter when it stores it. */
export function incompressible(bytes: number): string {
  return randomBytes(bytes).toString('base64').slice(0, bytes);
}
