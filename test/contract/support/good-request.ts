import { addReferences, addSample } from '../../support/samples';
import {
  bodySchema,
  bodyTypes,
  isList,
  resolveSchema,
  type Schema,
  type ServedDocument,
  type ServedOperation,
  targetOf,
} from '../../support/served-document';
import type { TestService } from '../../support/service';
import type { WireRequest } from './request';

/** The largest int64, as text: a double would round it. No item has it for an identifier. */
export const LARGEST = '9223372036854775807';

/** A request the operation carries out, and the id of the item it is about, which is there for this request alone. */
export interface GoodRequest {
  readonly request: WireRequest;
  readonly id: number | undefined;
}

/**
 * @param members JSON text of members of the body that are to be other than in the example
 * @throws Error when the operation is about something no sample can be made of
 */
export async function goodRequest(
  service: TestService,
  document: ServedDocument,
  operation: ServedOperation,
  members: Readonly<Record<string, string>> = {},
): Promise<GoodRequest> {
  const { method, collection, isOfItem } = operation;
  // Two, so that a list of one at a time has a next page.
  if (isList(operation)) await addSample(service, collection);
  const id = isOfItem || isList(operation) ? await addSample(service, collection) : undefined;
  const target = targetOf(operation, id);
  const schema = bodySchema(operation);
  if (!schema) return { id, request: { method, target } };
  const references = await addReferences(service, schema);
  const body = exampleText(schema, document, { ...references, ...members });
  return {
    id,
    request: { method, target, body, headers: { 'Content-Type': bodyTypes(operation)[0] ?? '' } },
  };
}

/** The example of a schema as JSON text, each int64 the largest there is unless it is given. */
function exampleText(
  schema: Schema,
  document: ServedDocument,
  given: Readonly<Record<string, unknown>> = {},
): string {
  const { example, properties, format, items } = resolveSchema(schema, document);
  if (format === 'int64') return LARGEST;
  if (items) return `[${exampleText(items, document)}]`;
  if (!properties) return JSON.stringify(example);
  const members = Object.entries(properties).map(
    ([name, member]) =>
      `${JSON.stringify(name)}:${name in given ? String(given[name]) : exampleText(member, document)}`,
  );
  return `{${members.join()}}`;
}
