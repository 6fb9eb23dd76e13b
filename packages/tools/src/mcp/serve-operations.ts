import { once } from 'node:events';
import type { Tool } from '@modelcontextprotocol/server';
import { asList, asNode, InvalidDocumentError, type OpenapiDocument } from '../openapi/document-node';
import { ArgumentError, callOperation, type CallOutcome, type Client } from './call-operation';
import { type OperationTool, toolsOf } from './tools';

/** The service whose operations are offered, and how. */
export interface Offer extends Pick<Client, 'apiKey' | 'writeJson'> {
  /** Root address of the service. */
  readonly url: string;
  /** Name and version by which assistants know the server. */
  readonly name: string;
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
  const { url, apiKey, writeJson, allowWrites } = offer;
  const tools = toolsOf(document).filter(({ writes }) => allowWrites || !writes);
  await serve(tools, { baseUrl: baseUrlOf(document, url), apiKey, writeJson }, offer);
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

async function serve(
  tools: readonly OperationTool[],
  client: Client,
  { name, version }: Offer,
): Promise<void> {
  // Loaded only when there is something to serve: it takes longer than all before it.
  const [{ Server }, { serveStdio }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('@modelcontextprotocol/server/stdio'),
  ]);
  const handle = serveStdio(() => {
    const server = new Server({ name, version }, { capabilities: { tools: {} } });
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
    return refused(`The service at ${client.baseUrl} cannot be reached: ${(error as Error).message}.`);
  }
}

function refused(reason: string): CallOutcome {
  return { texts: [reason], isError: true };
}
