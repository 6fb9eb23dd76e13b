import { addSample, membersFor } from '../../support/samples/samples';
import {
  bodySchema,
  type PathValues,
  referencesOf,
  type ServedDocument,
  type ServedOperation,
} from '../../support/service/served-document';
import type { TestService } from '../../support/service/service';
import { sampleMark, type Surroundings } from './arbitrary-values';
import { textsOf } from './good-request';
import type { WireRequest } from './request';

/** What made-up requests of an operation are made from, and what puts into them what only a running service has. */
export interface FilledSurroundings extends Surroundings {
  /** A request with values in place of the parameters of its path, and with members of a sample where its body has marks. */
  filledIn(template: WireRequest, values: PathValues): Promise<WireRequest>;
}

/** Makes two items of each collection a body of this operation refers to. */
export async function surroundings(
  service: TestService,
  document: ServedDocument,
  operation: ServedOperation,
): Promise<FilledSurroundings> {
  const { collection } = operation;
  const schema = bodySchema(operation);
  const ids: Record<string, number[]> = {};
  for (const [, referred] of schema ? referencesOf(schema, document) : []) {
    ids[referred] ??= [await addSample(service, referred), await addSample(service, referred)];
  }
  const sampled = schema ? Object.keys(await membersFor(service, collection)) : [];
  const filledIn = async ({ target = '', body, ...request }: WireRequest, values: PathValues) => ({
    ...request,
    target: Object.entries(values).reduce(
      (filled, [name, value]) => filled.replace(`{${name}}`, () => encodeURIComponent(String(value))),
      target,
    ),
    ...(body !== undefined && { body: await withMembers(body) }),
  });
  const withMembers = async (body: string | Buffer) => {
    if (typeof body !== 'string' || !sampled.some((name) => body.includes(sampleMark(name)))) return body;
    const texts = textsOf(await membersFor(service, collection));
    return sampled.reduce(
      (text, name) => text.replaceAll(sampleMark(name), () => texts[name] ?? 'null'),
      body,
    );
  };
  return { document, ids, sampled, filledIn };
}
