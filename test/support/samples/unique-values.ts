import type { TestService } from '../service/service';
import { Database } from '../../../src/platform/database/database';
import { matching } from './matching';
import type { Members } from './module-samples';
import { resolveSchema, type Schema, type ServedDocument } from '../service/served-document';

/**
 * Values for the members of a body that no two rows of a table may share, each time others. A reference is new each time anyway.
 *
 * @param n that no other body has
 */
export function uniqueMembers(
  { app }: TestService,
  table: string,
  schema: Schema,
  document: ServedDocument,
  n: number,
): Members {
  const { properties = {} } = resolveSchema(schema, document);
  const members: Record<string, unknown> = {};
  for (const name of uniqueProperties(app.get(Database), table)) {
    const member = properties[name] && resolveSchema(properties[name], document);
    if (member && member['x-refers-to'] === undefined) members[name] = uniqueValue(member, n);
  }
  return members;
}

/** The properties of an entity that are unique, alone or with others. */
function uniqueProperties({ dataSource }: Database, table: string): string[] {
  const metadata = dataSource.entityMetadatas.find(({ tableName }) => tableName === table);
  const unique = [
    ...(metadata?.indices.filter(({ isUnique }) => isUnique) ?? []),
    ...(metadata?.uniques ?? []),
  ];
  return unique.flatMap(({ columns }) => columns.map(({ propertyName }) => propertyName));
}

function uniqueValue(schema: Schema, n: number): unknown {
  const { type, format, pattern, minimum, maximum, 'x-minimum': leastDecimal = '0' } = schema;
  const least = minimum ?? Math.min(1, maximum ?? 1);
  if (format === 'uuid') return `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
  if (format === 'date') return dayAfter(n).slice(0, 'YYYY-MM-DD'.length);
  if (format === 'date-time') return dayAfter(n);
  if (format === 'decimal') return String(Math.ceil(Number(leastDecimal)) + n);
  if (type === 'integer' || type === 'number') return least + n;
  return pattern === undefined ? uniqueText(schema, n) : matching(pattern, n);
}

function dayAfter(n: number): string {
  return new Date(Date.UTC(2000, 0, n)).toISOString();
}

function uniqueText({ minLength = 0, maxLength = Infinity }: Schema, n: number): string {
  const text = `sample ${n}`;
  return text.slice(Math.max(0, text.length - maxLength)).padEnd(minLength, '.');
}
