import type { ServedDocument } from '../../support/service/served-document';

/** The part of a document that is about a feature: the operations under its tag, and the schemas these lead to. */
export function partOf<Document extends ServedDocument>(document: Document, tag: string): Document {
  const paths = Object.fromEntries(
    Object.entries(document.paths)
      .map(([path, item]) => [
        path,
        Object.fromEntries(Object.entries(item).filter(([, { tags = [] }]) => tags.includes(tag))),
      ])
      .filter(([, item]) => Object.keys(item as object).length > 0),
  ) as ServedDocument['paths'];
  const { schemas } = document.components;
  const names = schemasUnder(paths, schemas);
  return {
    ...document,
    tags: document.tags.filter(({ name }) => name === tag),
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
