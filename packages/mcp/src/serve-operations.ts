import { once } from 'node:events';
import { ProtocolError, ProtocolErrorCode, Server, type Tool } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { asList, asNode, InvalidDocumentError, type OpenapiDocument } from './document.ts';
import { ArgumentError, callOperation, type CallOutcome, type Client } from './call-operation.ts';
import { type OperationTool, toolsOf } from './tools.ts';

/** The service whose operations are offered, and how. */
export interface Offer extends Pick<Client, 'apiKey'> {
  /** Root address of the service. */
  readonly url: string;
  /** Version by which assistants know the server. */
  readonly version: string;
  /** True to also offer operations that change something. */
  readonly allowWrites: boolean;
}

/**
 * Offers the operations of a document as tools of the Model Context Protocol over standard input and output, until the input
 * ends.
 *
 * @throws InvalidDocumentError if the document names no server at the address
 */
export async function serveOperations(document: OpenapiDocument, offer: Offer): Promise<void> {
  const { url, apiKey, allowWrites } = offer;
  const client = { baseUrl: baseUrlOf(document, url), apiKey };
  const tools = toolsOf(document).filter(({ writes }) => allowWrites || !writes);
  await serve(tools, client, offer, await faultOfKey(tools, client));
}

/** Asks the service whether it knows the key. @returns what it says if not; undefined too where it cannot be asked */
async function faultOfKey(tools: readonly OperationTool[], client: Client): Promise<string | undefined> {
  const tool = tools.find(({ writes, inputSchema }) => !writes && inputSchema.required.length === 0);
  if (!tool) return undefined;
  const values = 'limit' in tool.inputSchema.properties ? { limit: 1 } : {};
  const outcome = await callOperation(tool, values, client, new AbortController().signal).catch(
    () => undefined,
  );
  if (outcome?.status !== 401) return undefined;
  return `The service at ${client.baseUrl} refuses the API key in PETSTORE_API_KEY: ${outcome.texts[0]}`;
}

function instructionsOf({ url, allowWrites }: Offer): string {
  return [
    `These tools ask the petstore service at ${url}, each as one request with the person's API key.`,
    'Lists come in pages: while there is more, the result names the cursor to call again with.',
    'Send integers above 2^53 as strings. A refused call says why; do not repeat it unchanged.',
    ...(allowWrites
      ? []
      : ['Nothing can be changed: for that the person starts the server with --allow-writes.']),
  ].join(' ');
}

/**
 * The base address of the paths. A document names them below its servers, which may be relative. Only the origin that was asked
 * for gets the key, whatever the document names.
 *
 * @throws InvalidDocumentError
 */
function baseUrlOf({ root }: OpenapiDocument, url: string): string {
  const { origin } = new URL(url);
  const servers = asList(root.servers ?? [{ url: '/' }]).map((server) => asNode(server).url);
  const bases = servers.map((server) => (typeof server === 'string' ? URL.parse(server, url) : null));
  const base = bases.find((one) => one?.origin === origin);
  if (base) return base.href.replace(/\/$/, '');
  throw new InvalidDocumentError(
    `The document names no server at ${origin}, and the API key is sent nowhere else: give the address of the service itself.`,
  );
}

/** @param fault the service's reason to refuse the key, if any */
async function serve(
  tools: readonly OperationTool[],
  client: Client,
  offer: Offer,
  fault: string | undefined,
): Promise<void> {
  const handle = serveStdio(() => {
    const options = { capabilities: { tools: {} }, instructions: instructionsOf(offer) };
    // McpServer takes schemas of a library, and a document has JSON Schema.
    // oxlint-disable-next-line typescript/no-deprecated
    const server = new Server({ name: 'petstore', version: offer.version }, options);
    if (fault !== undefined) {
      const refuse = () => {
        throw new ProtocolError(ProtocolErrorCode.InvalidRequest, fault);
      };
      server.setRequestHandler('initialize', refuse);
      server.setRequestHandler('server/discover', refuse);
    }
    server.setRequestHandler('tools/list', () => ({ tools: tools.map(describe) }));
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      const { texts, isError } = await call(tools, params, client, mcpReq.signal);
      return { content: texts.map((text) => ({ type: 'text' as const, text })), isError };
    });
    return server;
  });
  await once(process.stdin, 'end');
  await handle.close();
}

function describe({ name, description, inputSchema, writes, method }: OperationTool): Tool {
  const annotations = { readOnlyHint: !writes, ...(writes && { destructiveHint: method === 'DELETE' }) };
  return { name, description, inputSchema: inputSchema as Tool['inputSchema'], annotations };
}

async function call(
  tools: readonly OperationTool[],
  { name, arguments: values = {} }: { readonly name: string; readonly arguments?: Record<string, unknown> },
  client: Client,
  signal: AbortSignal,
): Promise<CallOutcome> {
  const tool = tools.find((one) => one.name === name);
  if (!tool)
    return refused(`The tool ${name} does not exist. Tools that change something need --allow-writes.`);
  try {
    return await callOperation(tool, values, client, signal);
  } catch (error) {
    if (error instanceof ArgumentError) return refused(error.message);
    if (signal.aborted) throw error;
    return refused(
      `The service at ${new URL(client.baseUrl).origin} cannot be reached: ${(error as Error).message}.`,
    );
  }
}

function refused(reason: string): CallOutcome {
  return { texts: [reason], isError: true };
}
