import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import type { ApiDocument } from './document.ts';
import { writeOperation, type WrittenOperation } from './operations.ts';
import { shapesOf } from './shapes.ts';
import { declarationOf, errorCodesOf } from './types.ts';

const HEAD = '// Written by `npm run artefacts` from docs/openapi.json.\n';

/** Codes of errors that come from the client itself. */
const OTHER_CODES = [`'network_error'`, `'timeout'`, `'unexpected_response'`];

/** Option types of the client and of its calls. */
const OPTIONS = ['CallOptions', 'ChangeOptions', 'ClientOptions', 'ConditionalOptions', 'CreationOptions'];

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** The generated sources of the client, by their paths within `src`. */
export type ClientSource = Readonly<Record<'generated/types.ts' | 'generated/petstore-client.ts', string>>;

/**
 * Writes the part of the client that follows from the document.
 *
 * @param folder the client's folder, for the options of its format
 * @throws Error that names the part of the document that the client cannot have
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
    // The client has an error class of its own.
    .filter(([name]) => name !== 'Error')
    .map(([name, schema]) => declarationOf(name, schema));
  const queries = written.flatMap(({ query }) => query ?? []);
  const types = [
    HEAD,
    errorCodes(document),
    ...declarations,
    ...queries.map(({ declaration }) => declaration),
  ];
  const client = clientOf(written, [basePathOf(document), JSON.stringify(Object.fromEntries(shapes))]);
  return {
    'generated/types.ts': await formatted(join(folder, 'src', 'types.ts'), types.join('\n\n')),
    'generated/petstore-client.ts': await formatted(join(folder, 'src', 'petstore-client.ts'), client),
  };
}

function clientOf(written: readonly WrittenOperation[], made: readonly string[]): string {
  const signatures = ['options: ClientOptions', ...written.map(({ signature }) => signature)].join('\n');
  const importOf = (names: readonly string[], from: string) => {
    const used = names.filter((name) => new RegExp(`(?<!\\.)\\b${name}\\b`).test(signatures));
    return used.length > 0 ? `import type { ${used.join(', ')} } from '${from}';\n` : '';
  };
  return `${HEAD}
${importOf(['Call'], '../call.ts')}${importOf(['List'], '../list.ts')}${importOf(OPTIONS, '../options.ts')}import { Requests } from '../requests.ts';
${/\btypes\./.test(signatures) ? "import type * as types from './types.ts';\n" : ''}
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

/** Path at which all paths begin: the service has one address, whatever servers the document names. */
function basePathOf({ servers: [server] }: ApiDocument): string {
  const { pathname } = new URL(server?.url ?? '/', 'http://localhost');
  return JSON.stringify(pathname.replace(/\/$/, ''));
}

function errorCodes(document: ApiDocument): string {
  const known = errorCodesOf(document).map((code) => `'${code}'`);
  return `/** The codes of errors. New ones may be added: treat one that you do not know by its status. */
export type PetstoreErrorCode = ${[...known, ...OTHER_CODES].join(' | ')} | (string & {});`;
}

async function formatted(file: string, text: string): Promise<string> {
  return format(text, { ...(await resolveConfig(file)), filepath: file });
}
