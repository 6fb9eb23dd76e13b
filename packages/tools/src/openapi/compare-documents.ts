import { appearance, breaking, type Change, type Direction, harmless } from './change';
import { SchemaComparison } from './compare-schemas';
import { asList, asNode, membersOf, type Node, type OpenapiDocument } from './document-node';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** An operation with what its path declares for all of its operations. */
interface Operation {
  /** `GET /pets/{petId}`. */
  readonly name: string;
  readonly node: Node;
  /** Parameters of the path and of the operation, by their location and name. */
  readonly parameters: ReadonlyMap<string, Node>;
  readonly security: readonly Node[];
}

/**
 * Lists the changes for clients from one document to the other, in the order of the operations. Texts, examples and the names
 * of schemas change nothing for clients.
 *
 * @throws InvalidDocumentError if a reference cannot be followed
 */
export function compareDocuments(before: OpenapiDocument, after: OpenapiDocument): Change[] {
  const [old, now] = [operationsOf(before), operationsOf(after)];
  const changes: Change[] = [];
  if (basePath(before) !== basePath(after)) {
    changes.push(
      breaking('servers', `Paths now begin with ${basePath(after)} instead of ${basePath(before)}.`),
    );
  }
  for (const [key, operation] of old) {
    const successor = now.get(key);
    if (successor) changes.push(...compareOperations(before, after, operation, successor));
    else changes.push(appearance(operation.name, deprecated(operation), 'removed'));
  }
  for (const [key, { name }] of now) {
    if (!old.has(key)) changes.push(appearance(name, 'operation', 'added'));
  }
  return changes;
}

function deprecated({ node }: Operation): string {
  return node.deprecated === true ? 'operation, which was deprecated,' : 'operation';
}

/** Operations by method and path. Clients do not see the names of path parameters, so the keys leave them out. */
function operationsOf(document: OpenapiDocument): Map<string, Operation> {
  const operations = new Map<string, Operation>();
  for (const [path, value] of membersOf(document.root.paths)) {
    const item = document.resolve(value);
    for (const method of METHODS) {
      if (item[method] === undefined) continue;
      const node = asNode(item[method]);
      const parameters = [...asList(item.parameters), ...asList(node.parameters)].map((each) =>
        document.resolve(each),
      );
      const names = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name);
      operations.set(`${method} ${path.replace(/\{[^}]*\}/g, '{}')}`, {
        name: `${method.toUpperCase()} ${path}`,
        node,
        parameters: new Map(parameters.map((each) => [keyOf(each, names), each])),
        security: asList(node.security ?? document.root.security).map(asNode),
      });
    }
  }
  return operations;
}

function keyOf(parameter: Node, namesInPath: readonly (string | undefined)[]): string {
  const [location, name] = [textOf(parameter.in), textOf(parameter.name)];
  if (location === 'path') return `path parameter ${namesInPath.indexOf(name) + 1}`;
  return `${location} parameter ${location === 'header' ? name.toLowerCase() : name}`;
}

function compareOperations(
  before: OpenapiDocument,
  after: OpenapiDocument,
  old: Operation,
  now: Operation,
): Change[] {
  const { name } = old;
  const schemas = new SchemaComparison(before, after);
  const changes: Change[] = [];
  if (old.node.operationId !== now.node.operationId) {
    changes.push(harmless(name, 'The operationId was changed: generated clients name functions by it.'));
  }
  if (old.node.deprecated !== true && now.node.deprecated === true) {
    changes.push(harmless(name, 'The operation is deprecated.'));
  }
  return [
    ...changes,
    ...compareSecurity(old, now),
    ...compareParameters(old, now, schemas),
    ...compareBodies(
      before.resolve(old.node.requestBody),
      after.resolve(now.node.requestBody),
      schemas,
      name,
    ),
    ...compareResponses(before, after, old.node.responses, now.node.responses, schemas, name),
  ];
}

/** Compares security: credentials that were sufficient must still be sufficient. */
function compareSecurity(old: Operation, now: Operation): Change[] {
  const open: Node[] = [{}];
  const olds = old.security.length > 0 ? old.security : open;
  const nows = now.security.length > 0 ? now.security : open;
  const asksNoMore = (wanted: Node, offered: Node) =>
    Object.entries(wanted).every(
      ([scheme, scopes]) =>
        scheme in offered && asList(scopes).every((scope) => asList(offered[scheme]).includes(scope)),
    );
  return olds
    .filter((offered) => !nows.some((wanted) => asksNoMore(wanted, offered)))
    .map((offered) => {
      const was = Object.keys(offered).join(' and ') || 'no credentials';
      return breaking(old.name, `A request with ${was} is no longer enough.`);
    });
}

function compareParameters(old: Operation, now: Operation, schemas: SchemaComparison): Change[] {
  const changes: Change[] = [];
  for (const key of new Set([...old.parameters.keys(), ...now.parameters.keys()])) {
    const [was, is] = [old.parameters.get(key), now.parameters.get(key)];
    const at = `${old.name}, ${key}`;
    if (!is) changes.push(appearance(at, 'parameter', 'removed'));
    else if (!was) {
      changes.push(
        is.required === true
          ? breaking(at, 'The parameter is added, and is required.')
          : appearance(at, 'parameter', 'added'),
      );
    } else {
      changes.push(...compareRequired(was, is, at, 'parameter'));
      changes.push(...schemas.compare(was.schema, is.schema, 'sent', at));
    }
  }
  return changes;
}

function compareBodies(old: Node, now: Node, schemas: SchemaComparison, name: string): Change[] {
  const at = `${name}, body`;
  const [was, is] = [old.content !== undefined, now.content !== undefined];
  if (!was && !is) return [];
  if (!was) {
    return [
      now.required === true ? breaking(at, 'A body is now required.') : appearance(at, 'body', 'added'),
    ];
  }
  if (!is) return [appearance(at, 'body', 'removed')];
  return [
    ...compareRequired(old, now, at, 'body'),
    ...compareContents(old.content, now.content, 'sent', at, schemas),
  ];
}

/** Compares whether a parameter or a body is required. */
function compareRequired(old: Node, now: Node, at: string, noun: string): Change[] {
  const [was, is] = [old.required === true, now.required === true];
  if (was === is) return [];
  return [
    is ? breaking(at, `The ${noun} is now required.`) : harmless(at, `The ${noun} is no longer required.`),
  ];
}

function basePath({ root }: OpenapiDocument): string {
  const url = textOf(asNode(asList(root.servers)[0]).url);
  return (URL.parse(url, 'http://server')?.pathname ?? '/').replace(/(?!^)\/$/, '');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/**
 * Compares the responses of an operation. Errors may come and go, because clients are to judge an unknown error by its class;
 * they rely on all other responses.
 */
function compareResponses(
  before: OpenapiDocument,
  after: OpenapiDocument,
  old: unknown,
  now: unknown,
  schemas: SchemaComparison,
  name: string,
): Change[] {
  const [olds, nows] = [membersOf(old), membersOf(now)];
  return [...new Set([...olds.keys(), ...nows.keys()])].sort().flatMap((status) => {
    const at = `${name}, ${status}`;
    if (!olds.has(status)) return [appearance(at, 'status', 'added', !isError(status))];
    if (!nows.has(status)) return [appearance(at, 'status', 'removed', !isError(status))];
    const [was, is] = [before.resolve(olds.get(status)), after.resolve(nows.get(status))];
    return [
      ...compareHeaders(before, after, was, is, schemas, at),
      ...compareContents(was.content, is.content, 'got', at, schemas),
    ];
  });
}

function isError(status: string): boolean {
  return /^[45]|^default$/.test(status);
}

function compareHeaders(
  before: OpenapiDocument,
  after: OpenapiDocument,
  was: Node,
  is: Node,
  schemas: SchemaComparison,
  name: string,
): Change[] {
  const [olds, nows] = [lowerCase(membersOf(was.headers)), lowerCase(membersOf(is.headers))];
  return [...new Set([...olds.keys(), ...nows.keys()])].flatMap((header) => {
    const at = `${name}, header ${header}`;
    if (!nows.has(header)) return [appearance(at, 'header', 'removed')];
    if (!olds.has(header)) return [appearance(at, 'header', 'added')];
    const [old, now] = [before.resolve(olds.get(header)), after.resolve(nows.get(header))];
    const always = [old.required === true, now.required === true];
    const changes = schemas.compare(old.schema, now.schema, 'got', at);
    if (always[0] === always[1]) return changes;
    return [
      ...changes,
      always[0]
        ? breaking(at, 'The header may now be left out.')
        : harmless(at, 'The header is now always sent.'),
    ];
  });
}

/** Compares the content of a body or response by media type. */
function compareContents(
  old: unknown,
  now: unknown,
  direction: Direction,
  at: string,
  schemas: SchemaComparison,
): Change[] {
  const [olds, nows] = [membersOf(old), membersOf(now)];
  return [...new Set([...olds.keys(), ...nows.keys()])].flatMap((type) => {
    const where = `${at} ${type}`;
    if (!nows.has(type)) return [appearance(where, 'media type', 'removed')];
    if (!olds.has(type)) return [appearance(where, 'media type', 'added')];
    return schemas.compare(asNode(olds.get(type)).schema, asNode(nows.get(type)).schema, direction, where);
  });
}

/** Header names are case-insensitive (RFC 9110, section 5.1). */
function lowerCase(headers: ReadonlyMap<string, unknown>): Map<string, unknown> {
  return new Map([...headers].map(([name, value]) => [name.toLowerCase(), value]));
}
