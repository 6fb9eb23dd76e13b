import type { DataSource } from 'typeorm';
import { anyCase } from '../driver/any-case';

/** Characters with a meaning in LIKE. */
const LIKE_SPECIAL = /[\\%_]/g;

/** The condition that a text has a part in it, in any letter case. */
export function contains(dataSource: DataSource, column: string, parameter: string): string {
  return String.raw`${anyCase(dataSource, column)} LIKE ${anyCase(dataSource, `:${parameter}`)} ESCAPE '\'`;
}

/** The value of the parameter of {@link contains}. */
export function containing(part: string): string {
  return `%${part.replace(LIKE_SPECIAL, String.raw`\$&`)}%`;
}
