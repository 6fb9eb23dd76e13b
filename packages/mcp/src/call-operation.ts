import { randomUUID } from 'node:crypto';
import { asList, asNode, type Node } from './document.ts';
import { isInt64, type OperationTool } from './tools.ts';

/** The function of ECMAScript's "JSON.parse source text access"; TypeScript's library does not know it yet. */
const { rawJSON } = JSON as unknown as { rawJSON(this: void, text: string): object };

/** Time limit for a response, in milliseconds. */
const RESPONSE_TIMEOUT_MS = 30_000;

/** The result of a tool call: texts for the model, and whether the service refused the call. */
export interface CallOutcome {
  readonly texts: readonly string[];
  readonly isError: boolean;
  /** Status of the response, if there was one. */
  readonly status?: number;
}

/** An argument that an operation does not take, or that has been rounded. */
export class ArgumentError extends Error {}

/** The client that calls the service. */
export interface Client {
  /** Base address of the document's paths: `http://127.0.0.1:3000/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
}

/**
 * Calls an operation as any other client does, with the same key, scopes and limits.
 *
 * @param values the arguments; 64-bit integers may be strings
 * @throws ArgumentError
 * @throws the error of `fetch` if the service cannot be reached
 */
export async function callOperation(
  tool: OperationTool,
  values: Node,
  { baseUrl, apiKey }: Client,
  signal: AbortSignal,
): Promise<CallOutcome> {
  const response = await fetch(addressOf(tool, values, baseUrl), {
    method: tool.method,
    headers: {
      Authorization: `Bearer ${apiKey}`,
      Accept: 'application/json',
      ...(tool.bodyType && { 'Content-Type': tool.bodyType }),
      ...(tool.isIdempotent && { 'Idempotency-Key': randomUUID() }),
    },
    body: tool.bodyType && exactJson(exact(values.body, asNode(tool.inputSchema.properties.body), 'body')),
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(RESPONSE_TIMEOUT_MS)]),
  });
  const body = await response.text();
  const texts = [body === '' ? `${response.status} without a body` : body, ...notesOn(response)];
  return { texts, isError: !response.ok, status: response.status };
}

function addressOf(tool: OperationTool, values: Node, baseUrl: string): URL {
  const textOf = (value: unknown) => {
    const given = value ?? '';
    return typeof given === 'string' ? given : exactJson(given);
  };
  const unknown = Object.keys(values).find((name) => !(name in tool.inputSchema.properties));
  if (unknown !== undefined) throw new ArgumentError(`${tool.name} takes no argument ${unknown}.`);
  let path = tool.path;
  const query = new URLSearchParams();
  for (const [name, where] of tool.parameters) {
    const value = exact(values[name], asNode(tool.inputSchema.properties[name]), name);
    if (where === 'path') path = path.replace(`{${name}}`, segmentOf(name, textOf(value)));
    else
      for (const one of Array.isArray(value) ? value : [value]) {
        if (one !== undefined) query.append(name, textOf(one));
      }
  }
  const url = new URL(baseUrl);
  // Concatenated text could name another origin, which would then get the key: `http://host` and `@elsewhere/pets`.
  url.pathname = `${url.pathname.replace(/\/$/, '')}${path.replace(/^(?!\/)/, '/')}`;
  url.search = query.toString();
  return url;
}

/** Encodes an argument as one segment of the path; `.` and `..` would lead out of it, however they are encoded. */
function segmentOf(name: string, text: string): string {
  if (['', '.', '..'].includes(text)) throw new ArgumentError(`${name} must not be empty, "." or "..".`);
  if (!text.isWellFormed()) throw new ArgumentError(`${name} is not well-formed text.`);
  return encodeURIComponent(text);
}

/** Writes a value as JSON, a `bigint` as the number it is. */
function exactJson(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'bigint' ? rawJSON(String(member)) : member,
  );
}

/** Converts strings to 64-bit integers where the schema says so, and refuses numbers that a double may have rounded. */
function exact(value: unknown, schema: Node, name: string): unknown {
  if (isInt64(schema)) {
    if (typeof value === 'string' && /^-?\d+$/.test(value)) return BigInt(value);
    if (typeof value === 'number' && !Number.isSafeInteger(value)) {
      throw new ArgumentError(`${name} may have been rounded: send an integer above 2^53 as a string.`);
    }
    return value;
  }
  if (Array.isArray(value)) return value.map((item) => exact(item, asNode(schema.items), name));
  if (typeof value !== 'object' || value === null) return value;
  const properties = [schema, ...asList(schema.allOf).map(asNode)].map((part) => asNode(part.properties));
  return Object.fromEntries(
    Object.entries(value).map(([member, one]) => {
      const [described] = properties.filter((part) => Object.hasOwn(part, member));
      return [member, exact(one, asNode(described?.[member]), `${name}.${member}`)];
    }),
  );
}

/** Facts from the headers of a response that its body does not tell. */
function notesOn({ headers, ok }: Response): string[] {
  const [, next] = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '') ?? [];
  const cursor = next && new URL(next, 'http://relative').searchParams.get('cursor');
  const wait = headers.get('retry-after');
  return [
    ...(cursor ? [`There are more items: call again with the same arguments and the cursor ${cursor}`] : []),
    ...(wait && !ok ? [`Call again after ${wait} seconds, not sooner.`] : []),
    ...(ok ? [] : [`Request id: ${headers.get('x-request-id')}`]),
  ];
}
