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

/** A request the operation carries out. */
export interface GoodRequest {
  readonly request: WireRequest;
  /** The item it is about, made for this request. */
  readonly id: number | undefined;
  /** The same with other members in its body, given as JSON text. */
  readonly requestWith: (members: Readonly<Record<string, string>>) => WireRequest;
}

/** @throws Error when the operation is about something no sample can be made of */
export async function goodRequest(
  service: TestService,
  document: ServedDocument,
  operation: ServedOperation,
): Promise<GoodRequest> {
  const { method, collection, isOfItem } = operation;
  // Two, so that a list of one at a time has a next page.
  if (isList(operation)) await addSample(service, collection);
  const id = isOfItem || isList(operation) ? await addSample(service, collection) : undefined;
  const target = targetOf(operation, id);
  const schema = bodySchema(operation);
  const references = schema && (await addReferences(service, schema));
  const requestWith: GoodRequest['requestWith'] = (members) => ({
    method,
    target,
    ...(schema && {
      headers: { 'Content-Type': bodyTypes(operation)[0] ?? '' },
      body: exampleText(schema, document, { ...references, ...members }),
    }),
  });
  return { id, request: requestWith({}), requestWith };
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
