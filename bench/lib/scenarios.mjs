import { randomInt } from 'node:crypto';
import { makeApiKey } from './api-key.mjs';
import { CATEGORIES, petOf, STATUSES } from './data.mjs';

export const PAGE_SIZE = 20;

/** The kinds of request, each `() => {method, path, headers, body?}`, for a table of `rows` pets. */
export function requests(token, rows) {
  const headers = { Authorization: `Bearer ${token}` };
  const anyStatus = () => STATUSES[randomInt(STATUSES.length)];
  return {
    list: () => ({ method: 'GET', path: `/v1/pets?limit=${PAGE_SIZE}&status=${anyStatus()}`, headers }),
    get: () => ({ method: 'GET', path: `/v1/pets/${randomInt(rows) + 1}`, headers }),
    create: () => {
      const { name, status } = petOf(randomInt(rows) + 1);
      return {
        method: 'POST',
        path: '/v1/pets',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify({ name, categoryId: randomInt(CATEGORIES) + 1, status }),
      };
    },
  };
}

/**
 * How many requests a connection makes before it repeats them where nothing the service has kept may be used: all
 * connections together make more different ones than it keeps answers to.
 */
const ANEW_PER_CONNECTION = 1_024;

let hosts = 0;

/** The same scenario with a host of its own in each request: an answer holds the host, so none can be used again. */
export function anew(scenario) {
  return {
    ...scenario,
    requestsPerConnection: ANEW_PER_CONNECTION,
    request: () => {
      const request = scenario.request();
      hosts += 1;
      return { ...request, headers: { ...request.headers, Host: `host-${hosts}.example` } };
    },
  };
}

/** More keys than one server refuses in two rounds, so that no cache of refused keys answers for it. */
const UNKNOWN_KEYS = 65_536;

function unknownKeys() {
  const keys = Array.from({ length: UNKNOWN_KEYS }, makeApiKey);
  let next = 0;
  return () => keys[next++ % UNKNOWN_KEYS];
}

/**
 * The scenarios all three servers are put through, in order; the writing ones come last.
 * Each is `{name, title, statuses, request, requestsPerConnection?}`; a connection repeats its
 * requests when it has sent them all.
 */
export function comparedScenarios(token, rows) {
  const { list, get, create } = requests(token, rows);
  const withKey = (key) => ({ ...list(), headers: { Authorization: `Bearer ${key}` } });
  const nextUnknownKey = unknownKeys();
  const mixed = () => {
    const dice = randomInt(100);
    return dice < 80 ? list() : dice < 95 ? get() : create();
  };
  return [
    { name: 'list', title: 'list, 20 of a status', statuses: [200], request: list },
    anew({ name: 'anew', title: 'list, each read anew', statuses: [200], request: list }),
    { name: 'get', title: 'get by id', statuses: [200], request: get },
    {
      name: 'refused',
      title: 'refused: unknown keys, each sent once',
      statuses: [401],
      request: () => withKey(nextUnknownKey()),
      requestsPerConnection: 1_024,
    },
    {
      name: 'malformed',
      title: 'refused: malformed key',
      statuses: [401],
      request: () => withKey('not-a-key'),
    },
    { name: 'create', title: 'create', statuses: [201], request: create },
    { name: 'mixed', title: 'mixed 80 / 15 / 5', statuses: [200, 201], request: mixed },
  ];
}
