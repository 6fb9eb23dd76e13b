import { hash } from 'node:crypto';
import type { Operation } from '../operations/operation';

/** Tells an operation whose 200 is a 304 instead where the client has it already (RFC 9110, section 13.1.2). */
export function isConditional({ method, response }: Pick<Operation, 'method' | 'response'>): boolean {
  return response?.kind === 'page' || (response?.kind === 'one' && method === 'GET');
}

/** A strong entity tag of a representation: equal bytes, equal tag (RFC 9110, section 8.8.3). */
export function entityTag(body: string | Buffer): string {
  return `"${hash('sha1', body, 'base64url')}"`;
}

/**
 * Tells whether an If-None-Match field names the tag or anything at all; weak comparison (RFC 9110, section 13.1.2).
 *
 * @param field the field's value, several joined by commas
 */
export function matchesNone(field: string, tag: string): boolean {
  if (field === tag || field.trim() === '*') return true;
  const named: readonly string[] = field.match(/"[^"]*"/g) ?? [];
  return named.includes(tag);
}
