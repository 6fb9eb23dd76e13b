import { randomUUID } from 'node:crypto';

/**
 * V8 may read an escaped member name as another name: it compares the undecoded characters with the name it expects
 * from earlier objects, so after `{"\\":0}` anywhere in the process `{"\n":0}` is read with the name `\`
 * (https://github.com/nodejs/node/issues/63785). One client's body would change what another's means, and repeated
 * names would pass. Names without a backslash are read rightly, so JSON.parse is given no others.
 */

/** Begins the name that stands for one which JSON cannot write without a backslash. Random, so that no client can send it. */
const STAND_IN = randomUUID();

/**
 * Another way to write a member name, without a backslash: one and the same for all ways to escape that name.
 *
 * @param source the name as the JSON text writes it, with its quotation marks; returned as it is when malformed.
 */
export function plainName(source: string): string {
  let name: string;
  try {
    // Only names of members are misread: a string that stands alone is not.
    name = JSON.parse(source) as string;
  } catch {
    return source;
  }
  const plain = JSON.stringify(name);
  // UTF-16 keeps lone surrogates, which UTF-8 would turn into one and the same replacement character.
  return plain.includes('\\') ? `"${STAND_IN}${Buffer.from(name, 'utf16le').toString('base64url')}"` : plain;
}

/** Gives the members of a parsed object the names that {@link plainName} replaced. Other values are returned as they are. */
export function restoreNames(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return value;
  }
  const members = Object.entries(value);
  return members.some(([name]) => name.startsWith(STAND_IN))
    ? Object.fromEntries(members.map(([name, member]) => [restoredName(name), member]))
    : value;
}

function restoredName(name: string): string {
  return name.startsWith(STAND_IN)
    ? Buffer.from(name.slice(STAND_IN.length), 'base64url').toString('utf16le')
    : name;
}
