import { readFile } from 'node:fs/promises';
import { InvalidDocumentError, OpenapiDocument } from './document-node';

/** Time limit for a server to send its document, in milliseconds. */
const FETCH_TIMEOUT_MS = 10_000;

/**
 * Reads an OpenAPI 3 document, in JSON or YAML.
 *
 * @param source a file, or an http or https address without user and password
 * @throws InvalidDocumentError that says in one sentence what is wrong with it
 */
export async function readDocument(source: string): Promise<OpenapiDocument> {
  const url = /^https?:\/\//.test(source) ? URL.parse(source) : null;
  if (url && (url.username !== '' || url.password !== '')) {
    throw new InvalidDocumentError(
      'An address must not hold a password: every user of this machine sees it.',
    );
  }
  try {
    const text = url ? await fetchText(url) : await readFile(source, 'utf8');
    return new OpenapiDocument(await parse(text));
  } catch (error) {
    throw new InvalidDocumentError(`The document ${source} cannot be read: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

/** Parses JSON or YAML. YAML includes JSON, but JSON.parse is a hundred times as fast, and the package has 70 modules. */
async function parse(text: string): Promise<unknown> {
  if (/^\s*\{/.test(text)) return JSON.parse(text);
  const yaml = await import('yaml');
  return yaml.parse(text);
}

async function fetchText(url: URL): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
  if (!response.ok) throw new InvalidDocumentError(`the server responded with ${response.status}.`);
  return response.text();
}

function reasonOf(error: unknown): string {
  if (error instanceof InvalidDocumentError) return error.message;
  const { cause, message } = error as Error;
  // The parsers quote the text around the fault in further lines.
  const [first = ''] = (cause instanceof Error && cause.message !== '' ? cause.message : message).split('\n');
  return `${first.replace(/[.:]$/, '')}.`;
}
