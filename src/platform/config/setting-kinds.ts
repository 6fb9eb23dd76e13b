import { isIP } from 'node:net';
import { isWellFormedToken } from '../security/api-key-token';
import { Kind, mustBe, Parsed } from './setting';

/** A text that matches `pattern` as a whole. `allowed` says in words what the pattern accepts. */
export function matching(pattern: RegExp, allowed: string): Kind<string> {
  const kind: Kind<string> = {
    allowed,
    parse: (text) => (pattern.test(text) ? { value: text } : mustBe(kind)),
  };
  return kind;
}

/** An integer in plain decimal from `minimum` to `maximum`, both included. */
export function integer(minimum: number, maximum: number): Kind<number> {
  const kind: Kind<number> = {
    allowed: `an integer from ${minimum} to ${maximum}`,
    parse(text) {
      const value = Number(text);
      const plain = /^(0|-?[1-9][0-9]*)$/.test(text);
      return plain && value >= minimum && value <= maximum ? { value } : mustBe(kind);
    },
  };
  return kind;
}

/** `true` or `false`, exactly. */
export function boolean(): Kind<boolean> {
  const kind: Kind<boolean> = {
    allowed: 'true or false',
    parse: (text) => (text === 'true' || text === 'false' ? { value: text === 'true' } : mustBe(kind)),
  };
  return kind;
}

/** One of the given words. */
export function oneOf<const Word extends string>(words: readonly Word[]): Kind<Word> {
  const kind: Kind<Word> = {
    allowed: `one of ${words.join(', ')}`,
    parse(text) {
      const value = words.find((word) => word === text);
      return value === undefined ? mustBe(kind) : { value };
    },
  };
  return kind;
}

/** Items separated by commas; spaces around an item are ignored, an empty text is no item. */
export function list<T>(item: Kind<T>, allowed: string): Kind<readonly T[]> {
  const kind: Kind<readonly T[]> = {
    allowed,
    parse(text): Parsed<readonly T[]> {
      const values: T[] = [];
      for (const [index, entry] of (text === '' ? [] : text.split(',')).entries()) {
        const parsed = item.parse(entry.trim());
        if ('fault' in parsed) {
          return mustBe(kind, `entry ${index + 1} ${parsed.fault}`);
        }
        values.push(parsed.value);
      }
      return { value: Object.freeze(values) };
    },
  };
  return kind;
}

/** An IP address without brackets, or a host name (RFC 1123). */
export function host(): Kind<string> {
  const label = '[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
  const hostName = new RegExp(`^${label}(\\.${label})*$`);
  // Only digits and dots: a mistyped IPv4 address, which would otherwise pass as a host name.
  const numeric = /^[0-9.]+$/;
  const kind: Kind<string> = {
    allowed: 'an IP address or a host name',
    parse(text) {
      const named = text.length <= 253 && hostName.test(text) && !numeric.test(text);
      return isIP(text) !== 0 || named ? { value: text } : mustBe(kind);
    },
  };
  return kind;
}

/** The token of an API key, its checksum included. */
export function apiKey(): Kind<string> {
  const kind: Kind<string> = {
    allowed: 'an API key: petk_ and 49 letters and digits, the last six of which are a checksum',
    parse: (text) => (isWellFormedToken(text) ? { value: text } : mustBe(kind)),
  };
  return kind;
}
