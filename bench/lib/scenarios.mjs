import { randomInt } from 'node:crypto';
import { distinctApiKeys } from './api-key.mjs';
import { CATEGORIES, petOf, STATUSES } from './data.mjs';

export const PAGE_SIZE = 20;

let hosts = 0;

/** The same scenario with a host of its own in each request: a list's links hold the host, so no response fits twice. */
export function anew(scenario) {
  return {
    ...scenario,
    request: () => {
      const request = scenario.request();
      hosts += 1;
      return { ...request, headers: { ...request.headers, Host: `host-${hosts}.example` } };
    },
  };
}

/** The kinds of request, each `() => {method, path, headers, body?}`, for a table of `rows` pets. */
function requests(token, rows) {
  const headers = { Authorization: `Bearer ${token}` };
  const writing = { ...headers, 'Content-Type': 'application/json' };
  const anyStatus = () => STATUSES[randomInt(STATUSES.length)];
  return {
    list: () => ({ method: 'GET', path: `/v1/pets?limit=${PAGE_SIZE}&status=${anyStatus()}`, headers }),
    get: () => ({ method: 'GET', path: `/v1/pets/${randomInt(rows) + 1}`, headers }),
    create: () => {
      const { name, status } = petOf(randomInt(rows) + 1);
      const body = JSON.stringify({ name, categoryId: randomInt(CATEGORIES) + 1, status });
      return { method: 'POST', path: '/v1/pets', headers: writing, body };
    },
  };
}

/** Each `{name, title, statuses, request}`, in the order they are measured in; the writing ones come last. */
export function makeScenarios(token, rows) {
  const { list, get, create } = requests(token, rows);
  const withKey = (key) => ({ ...list(), headers: { Authorization: `Bearer ${key}` } });
  const unknownKey = distinctApiKeys();
  const mixed = () => {
    const dice = randomInt(100);
    return dice < 50 ? list() : dice < 95 ? get() : create();
  };
  return [
    { name: 'get', title: 'get by id', statuses: [200], request: get },
    anew({ name: 'anew', title: 'list, each read anew', statuses: [200], request: list }),
    { name: 'list', title: 'list, repeated', statuses: [200], request: list },
    {
      name: 'refused',
      title: 'refused: unknown keys, each sent once',
      statuses: [401],
      request: () => withKey(unknownKey()),
    },
    {
      name: 'malformed',
      title: 'refused: malformed key',
      statuses: [401],
      request: () => withKey('not-a-key'),
    },
    { name: 'create', title: 'create', statuses: [201], request: create },
    { name: 'mixed', title: 'mixed: 50 list, 45 get, 5 create', statuses: [200, 201], request: mixed },
  ];
}
