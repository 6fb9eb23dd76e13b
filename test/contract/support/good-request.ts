import type { Members } from '../../support/samples/module-samples';
import { addParents, addReferences, addSample, membersFor } from '../../support/samples/samples';
import {
  bodySchema,
  bodyTypes,
  isList,
  type PathValues,
  resolveSchema,
  type Schema,
  type ServedDocument,
  type ServedOperation,
  targetOf,
} from '../../support/service/served-document';
import type { TestService } from '../../support/service/service';
import type { WireRequest } from './request';

/** The largest int64, as text: a double would round it. No item has it for an identifier. */
export const LARGEST = '9223372036854775807';

/** A request the operation carries out. */
export interface GoodRequest {
  readonly request: WireRequest;
  /** What stands in its path: ids of items that were made for this request. */
  readonly values: PathValues;
  /** The same with other members in its body, given as JSON text. */
  readonly requestWith: (members: Readonly<Record<string, string>>) => WireRequest;
}

/** @throws Error when the operation is about something no sample can be made of */
export async function goodRequest(
  service: TestService,
  document: ServedDocument,
  operation: ServedOperation,
): Promise<GoodRequest> {
  const { method, path, collection, itemParameter } = operation;
  const parents = await addParents(service, collection);
  // Two, so that a list of one at a time has a next page.
  for (const _ of isList(operation) ? [1, 2] : []) await addSample(service, collection, parents);
  const values =
    itemParameter === undefined
      ? parents
      : { ...parents, [itemParameter]: await addSample(service, collection, parents) };
  const target = targetOf(path, values);
  const schema = bodySchema(operation);
  const members = schema && {
    ...(await addReferences(service, schema)),
    ...textsOf(await membersFor(service, collection)),
  };
  const requestWith: GoodRequest['requestWith'] = (others) => ({
    method,
    target,
    ...(schema && {
      headers: { 'Content-Type': bodyTypes(operation)[0] ?? '' },
      body: exampleText(schema, document, { ...members, ...others }),
    }),
  });
  return { values, request: requestWith({}), requestWith };
}

/** Values as JSON text, by name. */
export function textsOf(members: Members): Record<string, string> {
  return Object.fromEntries(
    Object.entries(members)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, JSON.stringify(value)]),
  );
}

/** The example of a schema as JSON text, each int64 the largest there is unless it is given. */
function exampleText(
  schema: Schema,
  document: ServedDocument,
  given: Readonly<Record<string, unknown>> = {},
): string {
  const { example, properties, format, items } = resolveSchema(schema, document);
  if (format === 'int64') return LARGEST;
  if (items) {
    const { format: ofItems } = resolveSchema(items, document);
    const texts = (example as unknown[]).map((item) =>
      ofItems === 'int64' ? LARGEST : JSON.stringify(item),
    );
    return `[${texts.join()}]`;
  }
  if (!properties) return JSON.stringify(example);
  const members = Object.entries(properties).map(
    ([name, member]) =>
      `${JSON.stringify(name)}:${name in given ? String(given[name]) : exampleText(member, document)}`,
  );
  return `{${members.join()}}`;
}
