import type { ServedDocument } from '../../support/served-document';

/** The part of a document that is about one collection: its paths, its tags, and the schemas these lead to. */
export function partOf<Document extends ServedDocument>(document: Document, collection: string): Document {
  const paths = Object.fromEntries(
    Object.entries(document.paths).filter(
      ([path]) => path === collection || path.startsWith(`${collection}/`),
    ),
  );
  const tagged = new Set(
    Object.values(paths).flatMap((item) => Object.values(item).flatMap(({ tags }) => tags)),
  );
  const { schemas } = document.components;
  const names = schemasUnder(paths, schemas);
  return {
    ...document,
    tags: document.tags.filter(({ name }) => tagged.has(name)),
    paths,
    components: {
      ...document.components,
      schemas: Object.fromEntries(Object.entries(schemas).filter(([name]) => names.has(name))),
    },
  };
}

/** Names of the schemas a part of a document refers to, however deep. */
function schemasUnder(
  part: unknown,
  schemas: ServedDocument['components']['schemas'],
  found = new Set<string>(),
): Set<string> {
  for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    if (found.has(name)) continue;
    found.add(name);
    schemasUnder(schemas[name], schemas, found);
  }
  return found;
}
