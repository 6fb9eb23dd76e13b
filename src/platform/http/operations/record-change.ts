import type { Type } from '@nestjs/common';
import type { RecordVerb } from '../../request-log/client-change.entity';
import type { Operation } from './operation';

/** Injects the names of record types, by the DTO that documents each. */
export const RECORD_KINDS = Symbol('RECORD_KINDS');

/** Names of record types, by the DTO that documents each. */
export type RecordKinds = ReadonlyMap<Type, string>;

/** Change that an operation makes to a record that operators know. */
export interface RecordChange {
  /** The kind of the record, as `pets`. */
  readonly kind: string;
  readonly verb: RecordVerb;
  /** The path parameter that says which record; unset where the Location of the response does. */
  readonly parameter?: string;
}

/**
 * Returns the change that an operation makes to a record; undefined when it changes no record, or none that operators know. An
 * operation beneath the path of a record changes that record: `POST /orders/:orderId/cancel` and `DELETE
 * /orders/:orderId/notes/:noteId` an order.
 *
 * @param operations all of its port
 */
export function recordChangeOf(
  { method, path, response }: Operation,
  operations: readonly Operation[],
  kinds: RecordKinds,
): RecordChange | undefined {
  if (!response || method === 'GET') return undefined;
  const created = response.kind === 'created' && kindOf(response.type, kinds);
  if (created) return { kind: created, verb: 'create' };
  for (let above = path; above !== ''; above = above.slice(0, above.lastIndexOf('/'))) {
    const [, parameter] = /\/:(\w+)$/.exec(above) ?? [];
    const kind = parameter && kindAt(above, operations, kinds);
    if (kind) return { kind, parameter, verb: method === 'DELETE' && above === path ? 'remove' : 'update' };
  }
  return undefined;
}

/** The kind of the record that some operation of a path responds with. */
function kindAt(path: string, operations: readonly Operation[], kinds: RecordKinds): string | undefined {
  const responses = operations.filter((operation) => operation.path === path).map(({ response }) => response);
  return responses
    .filter((response) => response?.kind === 'one')
    .map((response) => kindOf(response?.type, kinds))
    .find((kind) => kind !== undefined);
}

function kindOf(type: Type | undefined, kinds: RecordKinds): string | undefined {
  return type && kinds.get(type);
}
