import type { SpanOptions } from '../../tracing/span';
import type { Engine } from '../column-types';

/** OpenTelemetry's names of the engines. */
const SYSTEMS: Readonly<Record<Engine, string>> = { sqlite: 'sqlite', postgres: 'postgresql' };

/** Known facts about work on the database. */
export interface DatabaseWork {
  /** The command, `SELECT`. */
  readonly operation?: string;
  readonly table?: string | undefined;
  /** The statement. It has parameters in place of the values, because a trace must not show values. */
  readonly text?: string;
}

/** Returns the span that a trace shows for work on the database, by OpenTelemetry's conventions for database spans. */
export function databaseSpan(engine: Engine, { operation, table, text }: DatabaseWork): SpanOptions {
  return {
    name: [operation, table].filter(Boolean).join(' ') || 'transaction',
    attributes: {
      'db.system.name': SYSTEMS[engine],
      ...(operation !== undefined && { 'db.operation.name': operation }),
      ...(table !== undefined && { 'db.collection.name': table }),
      ...(text !== undefined && { 'db.query.text': text }),
    },
  };
}
