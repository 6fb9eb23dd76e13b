import type { Engine } from '../column-types';

/** Characters with a meaning in LIKE. */
const LIKE_SPECIAL = /[\\%_]/g;

/** The condition that a text has a part in it, in any letter case (of ASCII on SQLite). */
export function contains(engine: Engine, column: string, parameter: string): string {
  return String.raw`${column} ${engine === 'postgres' ? 'ILIKE' : 'LIKE'} :${parameter} ESCAPE '\'`;
}

/** The value of the parameter of {@link contains}. */
export function containing(part: string): string {
  return `%${part.replace(LIKE_SPECIAL, String.raw`\$&`)}%`;
}
