import { addSample } from '../../support/samples';
import { referencesOf, type Schema, type ServedDocument } from '../../support/served-document';
import type { TestService } from '../../support/service';
import type { Surroundings } from './arbitrary-values';

/** Makes two items of each collection a body of this schema refers to. */
export async function surroundings(
  service: TestService,
  document: ServedDocument,
  schema: Schema | undefined,
): Promise<Surroundings> {
  const ids: Record<string, number[]> = {};
  for (const [, collection] of schema ? referencesOf(schema, document) : []) {
    ids[collection] ??= [await addSample(service, collection), await addSample(service, collection)];
  }
  return { document, ids };
}
