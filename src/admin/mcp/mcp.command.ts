import { once } from 'node:events';
import type { Tool } from '@modelcontextprotocol/server';
import type { Command } from 'commander';
import type { Cli } from '../../platform/cli/cli';
import { UsageError } from '../../platform/cli/command-error';
import { readText } from '../../platform/cli/option-values';
import { loadEnvironment } from '../../platform/config/load-settings';
import { packageVersion } from '../../platform/config/package-version';
import { asList, asNode, type OpenapiDocument } from '../openapi/document-node';
import { readDocument } from '../openapi/read-document';
import { callOperation, type CallOutcome, type Client } from './call-operation';
import { type OperationTool, toolsOf } from './tools';

interface McpOptions {
  readonly url?: string;
  readonly allowWrites?: boolean;
}

/** `petstore mcp`: offers the operations of a running service as tools of the Model Context Protocol. Needs no database. */
export function addMcpCommand(program: Command, cli: Cli): void {
  program
    .command('mcp')
    .description(
      'serve the operations of a running service to AI assistants, over the Model Context Protocol',
    )
    .option('--url <url>', 'root address of the service; PORT of this machine unless given', readText)
    .option('--allow-writes', 'offer the operations that change something too')
    .addHelpText(
      'after',
      `
The assistant starts this command and speaks to it over standard input and output. The tools are those of the document that the service
serves. Each call is a request with the API key of the environment variable PETSTORE_API_KEY: its scopes, limits and records are those of
any client. A key with the scope pets:read is enough to read.

Examples:
  petstore mcp
  petstore mcp --url https://api.example.com --allow-writes`,
    )
    .action(async ({ url, allowWrites = false }: McpOptions) => {
      const apiKey = loadEnvironment().PETSTORE_API_KEY;
      if (!apiKey) throw new UsageError('Set the environment variable PETSTORE_API_KEY to an API key.');
      const root = url ?? `http://127.0.0.1:${cli.loadSettings().port}`;
      const document = await readDocument(`${root.replace(/\/+$/, '')}/docs/openapi.json`);
      const tools = toolsOf(document).filter(({ writes }) => allowWrites || !writes);
      await serve(tools, { baseUrl: baseUrlOf(document, root), apiKey });
    });
}

/**
 * The base address of the paths. A document names them below its servers, which may be relative. Only the origin that was asked
 * for gets the key, whatever the document names.
 *
 * @throws UsageError
 */
function baseUrlOf({ root }: OpenapiDocument, url: string): string {
  const { origin } = new URL(url);
  const servers = asList(root.servers ?? [{ url: '/' }]).map((server) => asNode(server).url);
  const bases = servers.map((server) => (typeof server === 'string' ? URL.parse(server, url) : null));
  const base = bases.find((one) => one?.origin === origin);
  if (base) return base.href.replace(/\/$/, '');
  throw new UsageError(
    `The document names no server at ${origin}, and the API key is sent nowhere else: give the address of the service itself.`,
  );
}

/** Serves until standard input ends. */
async function serve(tools: readonly OperationTool[], client: Client): Promise<void> {
  // Loaded here: no other command needs it.
  const [{ Server }, { serveStdio }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('@modelcontextprotocol/server/stdio'),
  ]);
  const handle = serveStdio(() => {
    const server = new Server(
      { name: 'petstore', version: packageVersion() },
      { capabilities: { tools: {} } },
    );
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
  if (!tool) return refused(`There is no tool ${name}. Those that change something need --allow-writes.`);
  try {
    return await callOperation(tool, values, client, signal);
  } catch (error) {
    if (error instanceof UsageError) return refused(error.message);
    if (signal.aborted) throw error;
    return refused(`The service at ${client.baseUrl} cannot be reached: ${(error as Error).message}.`);
  }
}

function refused(reason: string): CallOutcome {
  return { texts: [reason], isError: true };
}
