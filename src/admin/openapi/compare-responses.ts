import { appearance, breaking, type Change, harmless } from './change';
import { compareContents } from './compare-contents';
import type { SchemaComparison } from './compare-schemas';
import { membersOf, type Node, type OpenapiDocument } from './document-node';

/**
 * Compares what an operation answers. Errors may come and go, because a client is to judge one it does not know by its class;
 * what is no error it relies on.
 */
export function compareResponses(
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
        ? breaking(at, 'The header may be left out now.')
        : harmless(at, 'The header is always there now.'),
    ];
  });
}

/** Header names are the same in any case (RFC 9110, section 5.1). */
function lowerCase(headers: ReadonlyMap<string, unknown>): Map<string, unknown> {
  return new Map([...headers].map(([name, value]) => [name.toLowerCase(), value]));
}
