/** Time limit for a server to send its document, in milliseconds. */
const FETCH_TIMEOUT_MS = 10_000;

/** An object somewhere in a document. */
export type Node = Readonly<Record<string, unknown>>;

/** Treats a value as an object; any other value has no members. */
export function asNode(value: unknown): Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Node) : {};
}

/** Treats a value as a list; any other value has no entries. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The members of an object somewhere in a document, by name. */
export function membersOf(value: unknown): Map<string, unknown> {
  return new Map(Object.entries(asNode(value)));
}

/** A document that cannot be read or used; the message is one sentence. */
export class InvalidDocumentError extends Error {}

/** An OpenAPI 3 document whose references stay within it. */
export class OpenapiDocument {
  readonly root: Node;

  /** @throws InvalidDocumentError if it is not an OpenAPI 3 document */
  constructor(value: unknown) {
    this.root = asNode(value);
    const { openapi, paths } = this.root;
    if (typeof openapi !== 'string' || !/^3\.\d+/.test(openapi)) {
      throw new InvalidDocumentError('It is not an OpenAPI 3 document.');
    }
    if (Object.keys(asNode(paths)).length === 0) throw new InvalidDocumentError('It has no paths.');
  }

  /**
   * Resolves a value: returns itself, or what it refers to (RFC 6901 pointers within the document).
   *
   * @throws InvalidDocumentError if the reference leads elsewhere or nowhere
   */
  resolve(value: unknown): Node {
    let node = asNode(value);
    for (let steps = 0; typeof node.$ref === 'string'; steps++) {
      if (steps > 50) throw new InvalidDocumentError(`The reference ${node.$ref} leads to itself.`);
      node = this.follow(node.$ref);
    }
    return node;
  }

  private follow(reference: string): Node {
    if (!reference.startsWith('#/')) {
      throw new InvalidDocumentError(
        `It refers to ${reference}, which is outside the document: bundle it into one file first.`,
      );
    }
    let found: unknown = this.root;
    for (const step of reference.slice(2).split('/')) {
      const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
      found = asNode(found)[name];
    }
    if (found === undefined) throw new InvalidDocumentError(`The reference ${reference} does not resolve.`);
    return asNode(found);
  }
}

/**
 * Fetches the document of a service.
 *
 * @throws InvalidDocumentError
 */
export async function fetchDocument(address: string): Promise<OpenapiDocument> {
  if (URL.parse(address)?.password) {
    throw new InvalidDocumentError(
      'An address must not hold a password: every user of this machine sees it.',
    );
  }
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
    if (!response.ok) throw new Error(`the server responded with ${response.status}.`);
    return new OpenapiDocument(await response.json());
  } catch (error) {
    throw new InvalidDocumentError(`The document ${address} cannot be read: ${reasonOf(error as Error)}`, {
      cause: error,
    });
  }
}

/** The first line of the reason: parsers quote the text around a fault in further lines. */
function reasonOf({ cause, message }: Error): string {
  const [first = ''] = (cause instanceof Error && cause.message !== '' ? cause.message : message).split('\n');
  return `${first.replace(/[.:]$/, '')}.`;
}
