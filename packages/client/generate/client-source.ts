import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import type { ApiDocument } from './document.ts';
import { writeOperation, type WrittenOperation } from './operations.ts';
import { shapesOf } from './shapes.ts';
import { declarationOf, errorCodesOf } from './types.ts';

const HEAD = '// Written by `npm run openapi` from docs/openapi.json.\n';

/** Codes that no operation has an example of, because they come ahead of it, or from the client itself. */
const OTHER_CODES = [
  `'rate_limited'`,
  `'request_timeout'`,
  `'network_error'`,
  `'timeout'`,
  `'unexpected_response'`,
];

/** What calls are given. */
const OPTIONS = ['CallOptions', 'ChangeOptions', 'ConditionalOptions', 'CreationOptions'];

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** The generated sources of the client, by their paths within `src`. */
export type ClientSource = Readonly<Record<'generated/types.ts' | 'generated/petstore-client.ts', string>>;

/**
 * Writes the part of the client that follows from the document.
 *
 * @param folder where the client is, for the options of its format
 * @throws Error that names what a client cannot be made of
 */
export async function writeClient(document: ApiDocument, folder: string): Promise<ClientSource> {
  const shapes = shapesOf(document);
  const names = new Set(shapes.keys());
  const written = Object.entries(document.paths).flatMap(([path, operations]) =>
    METHODS.flatMap((method) => {
      const operation = operations[method];
      return (operation && writeOperation(path, method, operation, document, names)) ?? [];
    }),
  );
  const declarations = Object.entries(document.components.schemas)
    // The client's own error class tells of it.
    .filter(([name]) => name !== 'Error')
    .map(([name, schema]) => declarationOf(name, schema));
  const queries = written.flatMap(({ query }) => query ?? []);
  const types = [
    HEAD,
    errorCodes(document),
    ...declarations,
    ...queries.map(({ declaration }) => declaration),
  ];
  const client = clientOf(
    written,
    [...Object.keys(document.components.schemas), ...queries.map(({ name }) => name)],
    [basePathOf(document), JSON.stringify(Object.fromEntries(shapes))],
  );
  return {
    'generated/types.ts': await formatted(join(folder, 'types.ts'), types.join('\n\n')),
    'generated/petstore-client.ts': await formatted(join(folder, 'client.ts'), client),
  };
}

function clientOf(
  written: readonly WrittenOperation[],
  types: readonly string[],
  made: readonly string[],
): string {
  const signatures = written.map(({ signature }) => signature).join('\n');
  const used = (names: readonly string[]) =>
    names.filter((name) => new RegExp(`\\b${name}\\b`).test(signatures));
  const importOf = (names: readonly string[], from: string) =>
    names.length > 0 ? `import type { ${names.join(', ')} } from '${from}';\n` : '';
  return `${HEAD}
${importOf(used(['Call']), '../call.ts')}${importOf(used(['List']), '../list.ts')}${importOf(
    [...used(OPTIONS), 'ClientOptions'].sort(),
    '../options.ts',
  )}import { Requests } from '../requests.ts';
${importOf(used(types).sort(), './types.ts')}
/** A client of the petstore service, with a method for each operation. */
export class PetstoreClient {
  readonly #requests: Requests;

  constructor(options: ClientOptions) {
    this.#requests = new Requests(options, ${made.join(', ')});
  }

  ${written.map(({ method }) => method).join('\n\n')}
}
`;
}

/** Where all paths begin: the service has one address, whatever the document calls its servers. */
function basePathOf({ servers: [server] }: ApiDocument): string {
  return JSON.stringify(new URL(server?.url ?? '/', 'http://localhost').pathname);
}

function errorCodes(document: ApiDocument): string {
  const known = errorCodesOf(document).map((code) => `'${code}'`);
  return `/** The codes of errors. New ones may be added: treat one that you do not know by its status. */
export type ErrorCode = ${[...known, ...OTHER_CODES].join(' | ')} | (string & {});`;
}

async function formatted(file: string, text: string): Promise<string> {
  return format(text, { ...(await resolveConfig(file)), filepath: file });
}
