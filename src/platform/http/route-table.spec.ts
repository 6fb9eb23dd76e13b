import type { Operation } from './operations/operation';
import type { Endpoint } from './exchange/exchange';
import { RouteTable } from './route-table';

function endpoint(method: string, path: string): Endpoint {
  const operation: Operation = {
    id: `${method} ${path}`,
    handlerName: path,
    methodName: path,
    controller: Object,
    listener: 'public',
    method,
    path,
    template: path,
    isPublic: true,
    consoleScopes: [],
    scopes: [],
    queryNames: new Set(),
    hasBody: false,
    hasForm: false,
    rawBody: undefined,
    queryLists: new Set(),
    isCached: false,
    isQuiet: false,
    isDocumented: true,
    errors: [],
    isIdempotent: false,
    response: undefined,
    rateLimit: undefined,
    deprecation: undefined,
  };
  return {
    operation,
    handle: () => undefined,
    change: undefined,
    serialize: undefined,
    represent: undefined,
    respond: undefined,
  };
}

const table = new RouteTable([
  endpoint('GET', '/v1/pets'),
  endpoint('POST', '/v1/pets'),
  endpoint('GET', '/v1/pets/:petId'),
  endpoint('DELETE', '/v1/pets/:petId/photos/:photoId'),
  endpoint('GET', '/v1/pets/search'),
  endpoint('PUT', '/v1/a.b'),
]);

describe('RouteTable', () => {
  it.each([
    ['/v1/pets', '/v1/pets'],
    ['/v1/pets/7', '/v1/pets/:petId'],
    ['/v1/pets/%2F', '/v1/pets/:petId'],
    ['/v1/pets/:petId', '/v1/pets/:petId'],
    ['/v1/pets/7/photos/x', '/v1/pets/:petId/photos/:photoId'],
    ['/v1/a.b', '/v1/a.b'],
  ])('finds the route of %s', (path, template) => {
    expect(table.find(path)?.route.path).toBe(template);
  });

  it('finds an exact path before a pattern that fits it too', () => {
    expect(table.find('/v1/pets/search')?.route.path).toBe('/v1/pets/search');
  });

  it.each([
    '',
    '/',
    '/v1',
    '/v1/pets/',
    '/v1/PETS',
    '/v1//pets',
    '/v1/pets/7/',
    '/v1/pets//photos/1',
    '/v1/axb',
    '/v1/pets/1/name',
    '/v1/pets/../pets',
    '/v1/%70ets',
    '/v1/pets;x=1',
    '/v1/pets.json',
    '*',
  ])('finds no route for "%s"', (path) => {
    expect(table.find(path)).toBeUndefined();
  });

  it('allows HEAD exactly where it allows GET', () => {
    const pets = table.find('/v1/pets');
    expect(pets?.route.endpoints.get('HEAD')).toBe(pets?.route.endpoints.get('GET'));
    expect(table.find('/v1/a.b')?.route.endpoints.has('HEAD')).toBe(false);
  });

  it.each([
    ['/v1/pets', 'GET, HEAD, OPTIONS, POST'],
    ['/v1/pets/7', 'GET, HEAD, OPTIONS'],
    ['/v1/a.b', 'OPTIONS, PUT'],
  ])('allows at %s: %s', (path, allow) => {
    expect(table.find(path)?.route.allow).toBe(allow);
  });

  it('lists every method that some route allows', () => {
    expect(table.allowAnywhere).toBe('DELETE, GET, HEAD, OPTIONS, POST, PUT');
  });
});
