import { isIP } from 'node:net';
import {
  OPERATION_STATES_FORMAT,
  type OperationStates,
  readOperationStates,
} from '../deprecation/operation-states';
import { isWellFormedToken } from '../security/api-key-token';
import { Kind, mustBe, Parsed } from './setting';

const MAX_SECONDS = 3_600;
/** Names that may stand for addresses, as in the `trust proxy` setting of Express. */
const NAMED_RANGES = ['loopback', 'linklocal', 'uniquelocal'];

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

/** Items separated by commas; spaces around an item are ignored, and an empty text is an empty list. */
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

/** Deprecated operations that are switched off, for good or for a time. */
export function operationStates(): Kind<OperationStates> {
  const kind: Kind<OperationStates> = {
    allowed: OPERATION_STATES_FORMAT,
    parse(text) {
      const states = readOperationStates(text);
      return 'fault' in states ? mustBe(kind, states.fault) : states;
    },
  };
  return kind;
}

/** A time such as `10s` or `500ms`, from `minSeconds` on; a plain number is seconds. The value is in milliseconds. */
export function durationMs(minSeconds = 0): Kind<number> {
  const kind: Kind<number> = {
    allowed:
      minSeconds > 0
        ? `a time from ${minSeconds} to ${MAX_SECONDS} seconds such as 10s`
        : `a time up to ${MAX_SECONDS} seconds such as 10s or 500ms`,
    parse(text) {
      const [, digits, unit] = /^(0|[1-9][0-9]{0,6})(ms|s)?$/.exec(text) ?? [];
      if (digits === undefined) return mustBe(kind);
      const value = Number(digits) * (unit === 'ms' ? 1 : 1_000);
      return value >= minSeconds * 1_000 && value <= MAX_SECONDS * 1_000 ? { value } : mustBe(kind);
    },
  };
  return kind;
}

/** Trusted proxies as `proxy-addr` takes them: their number, or addresses, ranges and names of ranges. */
export function proxies(): Kind<number | readonly string[]> {
  const kind: Kind<number | readonly string[]> = {
    allowed:
      'addresses, ranges such as 10.0.0.0/8, loopback, linklocal and uniquelocal, separated by commas, or a number of proxies from 1 to 9',
    parse(text) {
      if (/^[1-9]$/.test(text)) return { value: Number(text) };
      const entries = text === '' ? [] : text.split(',').map((entry) => entry.trim());
      const wrong = entries.findIndex((entry) => !isRange(entry));
      return wrong < 0 ? { value: Object.freeze(entries) } : mustBe(kind, `entry ${wrong + 1} is not valid`);
    },
  };
  return kind;
}

function isRange(entry: string): boolean {
  if (NAMED_RANGES.includes(entry)) return true;
  const [address = '', bits, ...rest] = entry.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  // A range of all addresses would let every client choose its own; Express refuses it as well.
  return bits === undefined || (/^[1-9][0-9]{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
