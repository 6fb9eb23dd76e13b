import type { Command } from 'commander';
import { serveOperations } from '../../../packages/tools/src/mcp/serve-operations';
import { readDocument } from '../../../packages/tools/src/openapi/read-document';
import type { Cli } from '../../platform/cli/cli';
import { UsageError } from '../../platform/cli/command-error';
import { readText } from '../../platform/cli/option-values';
import { loadEnvironment } from '../../platform/config/load-settings';
import { packageVersion } from '../../platform/config/package-version';
import { exactJson } from '../../platform/values/exact-json';
import { onDocuments } from '../openapi/on-documents';

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
    .option('--url <url>', 'root address of the service (default: PORT of this machine)', readText)
    .option('--allow-writes', 'also offer operations that change something')
    .addHelpText(
      'after',
      `
The assistant starts this command and speaks to it over standard input and output. The tools are those of the document that the service
serves. Each call is a request with the API key of the environment variable PETSTORE_API_KEY: its scopes and limits
apply, and it is logged, as for any client. A key with the scope pets:read is enough to read.

Examples:
  petstore mcp
  petstore mcp --url https://api.example.com --allow-writes`,
    )
    .action(async ({ url, allowWrites = false }: McpOptions) => {
      const apiKey = loadEnvironment().PETSTORE_API_KEY;
      if (!apiKey) throw new UsageError('Set the environment variable PETSTORE_API_KEY to an API key.');
      const root = url ?? `http://127.0.0.1:${cli.loadSettings().port}`;
      const server = { name: 'petstore', version: packageVersion(), writeJson: exactJson };
      await onDocuments(async () => {
        const document = await readDocument(`${root.replace(/\/+$/, '')}/docs/openapi.json`);
        await serveOperations(document, { ...server, url: root, apiKey, allowWrites });
      });
    });
}
