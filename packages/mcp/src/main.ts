#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { fetchDocument, InvalidDocumentError } from './document.ts';
import { serveOperations } from './serve-operations.ts';

/** Address of the service unless another is given. */
const ADDRESS = 'http://127.0.0.1:3000';

const HELP = `Usage: petstore-mcp [--url <address>] [--allow-writes]

Serves the operations of a running petstore service to an AI assistant, over the Model Context Protocol on standard input and output.
Each call is a request with the API key of the environment variable PETSTORE_API_KEY.

Options:
  --url <address>  root address of the service (default: ${ADDRESS})
  --allow-writes   also offer operations that change something
  --help           print help
`;

/** Exit code of a wrong call. */
const WRONG_USAGE = 2;

function fail(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = WRONG_USAGE;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      url: { type: 'string', default: ADDRESS },
      'allow-writes': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const { PETSTORE_API_KEY: apiKey } = process.env;
  if (!apiKey) {
    fail('Set the environment variable PETSTORE_API_KEY to an API key.');
    return;
  }
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  const document = await fetchDocument(`${values.url.replace(/\/+$/, '')}/docs/openapi.json`);
  await serveOperations(document, { url: values.url, apiKey, version, allowWrites: values['allow-writes'] });
}

main().catch((error: unknown) => {
  const isUsage =
    error instanceof InvalidDocumentError ||
    (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS') === true;
  if (!isUsage) throw error;
  fail((error as Error).message);
});
