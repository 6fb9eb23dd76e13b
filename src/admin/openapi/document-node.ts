/** An object somewhere in a document. */
export type Node = Readonly<Record<string, unknown>>;

/** Takes a value for an object; whatever else it is has no members. */
export function asNode(value: unknown): Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Node) : {};
}

/** Takes a value for a list; whatever else it is has no entries. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The members of an object somewhere in a document, each an object. */
export function membersOf(value: unknown): Map<string, unknown> {
  return new Map(Object.entries(asNode(value)));
}

/** A document that cannot be compared; one sentence. */
export class UnfitDocument extends Error {}

/** An OpenAPI 3 document whose references lead within it. */
export class OpenapiDocument {
  readonly root: Node;

  /** @throws UnfitDocument when it is no OpenAPI 3 document */
  constructor(value: unknown) {
    this.root = asNode(value);
    const { openapi, paths } = this.root;
    if (typeof openapi !== 'string' || !/^3\.\d+/.test(openapi)) {
      throw new UnfitDocument('It is no OpenAPI 3 document.');
    }
    if (Object.keys(asNode(paths)).length === 0) throw new UnfitDocument('It has no paths.');
  }

  /**
   * What a value stands for: itself, or what it refers to (RFC 6901 pointers within the document).
   *
   * @throws UnfitDocument when it leads elsewhere or nowhere
   */
  resolve(value: unknown): Node {
    let node = asNode(value);
    for (let steps = 0; typeof node.$ref === 'string'; steps++) {
      if (steps > 50) throw new UnfitDocument(`The reference ${node.$ref} leads to itself.`);
      node = this.follow(node.$ref);
    }
    return node;
  }

  private follow(reference: string): Node {
    if (!reference.startsWith('#/')) {
      throw new UnfitDocument(`It refers to ${reference}, which is outside: bundle it into one file first.`);
    }
    let found: unknown = this.root;
    for (const step of reference.slice(2).split('/')) {
      const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
      found = asNode(found)[name];
    }
    if (found === undefined) throw new UnfitDocument(`The reference ${reference} leads nowhere.`);
    return asNode(found);
  }
}
