import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import {
  OPERATION_STATES_FORMAT,
  type OperationStates,
  readOperationStates,
} from '../deprecation/operation-states';
import { Kind, mustBe } from './setting';

const MAX_WORKERS = 256;
const MAX_SECONDS = 3_600;
/** What may stand for addresses, as in the `trust proxy` setting of Express. */
const NAMED_RANGES = ['loopback', 'linklocal', 'uniquelocal'];

/** Which deprecated operations are switched off, for good or for a time. */
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

/** A time such as `10s` or `500ms`; a plain number is seconds. The value is in milliseconds. */
export function duration(): Kind<number> {
  const kind: Kind<number> = {
    allowed: `a time up to ${MAX_SECONDS} seconds such as 10s or 500ms`,
    parse(text) {
      const [, digits, unit] = /^(0|[1-9][0-9]{0,6})(ms|s)?$/.exec(text) ?? [];
      if (digits === undefined) return mustBe(kind);
      const value = Number(digits) * (unit === 'ms' ? 1 : 1_000);
      return value <= MAX_SECONDS * 1_000 ? { value } : mustBe(kind);
    },
  };
  return kind;
}

/** A number of processes; `auto` is one for each processor this process may use. */
export function workers(): Kind<number> {
  const kind: Kind<number> = {
    allowed: `auto or an integer from 1 to ${MAX_WORKERS}`,
    parse(text) {
      if (text === 'auto') return { value: Math.min(availableParallelism(), MAX_WORKERS) };
      const value = Number(text);
      return /^[1-9][0-9]{0,2}$/.test(text) && value <= MAX_WORKERS ? { value } : mustBe(kind);
    },
  };
  return kind;
}

/** Which proxies are trusted, as `proxy-addr` takes it: how many, or addresses, ranges and their names. */
export function proxies(): Kind<number | readonly string[]> {
  const kind: Kind<number | readonly string[]> = {
    allowed:
      'addresses, ranges such as 10.0.0.0/8, loopback, linklocal and uniquelocal, separated by commas, or a number of proxies from 1 to 9',
    parse(text) {
      if (/^[1-9]$/.test(text)) return { value: Number(text) };
      const entries = text === '' ? [] : text.split(',').map((entry) => entry.trim());
      const wrong = entries.findIndex((entry) => !isRange(entry));
      return wrong < 0 ? { value: Object.freeze(entries) } : mustBe(kind, `entry ${wrong + 1} is none`);
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
