import type { Operation } from './operation';
import { RouteTable } from './routes';

function operation(method: string, path: string): Operation {
  return {
    id: `${method} ${path}`,
    controller: Object,
    listener: 'public',
    method,
    path,
    template: path,
    isPublic: true,
    scopes: [],
    parameterNames: new Set(),
    hasBody: false,
    answersFromDatabase: false,
    isRoutine: false,
    errors: [],
    isIdempotent: false,
    answer: undefined,
    rateLimit: undefined,
    deprecation: undefined,
  };
}

const table = new RouteTable([
  operation('GET', '/v1/pets'),
  operation('POST', '/v1/pets'),
  operation('GET', '/v1/pets/:petId'),
  operation('DELETE', '/v1/pets/:petId/photos/:photoId'),
  operation('GET', '/v1/pets/search'),
  operation('PUT', '/v1/a.b'),
]);

describe('RouteTable', () => {
  it.each([
    ['/v1/pets', '/v1/pets'],
    ['/v1/pets/7', '/v1/pets/:petId'],
    ['/v1/pets/%2F', '/v1/pets/:petId'],
    ['/v1/pets/:petId', '/v1/pets/:petId'],
    ['/v1/pets/7/photos/x', '/v1/pets/:petId/photos/:photoId'],
    ['/v1/a.b', '/v1/a.b'],
  ])('finds %s', (path, template) => {
    expect(table.find(path)?.path).toBe(template);
  });

  it('finds an exact path before a pattern that fits it too', () => {
    expect(table.find('/v1/pets/search')?.path).toBe('/v1/pets/search');
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
  ])('does not find "%s"', (path) => {
    expect(table.find(path)).toBeUndefined();
  });

  it('serves HEAD where it serves GET, and only there', () => {
    const pets = table.find('/v1/pets');
    expect(pets?.operations.get('HEAD')).toBe(pets?.operations.get('GET'));
    expect(table.find('/v1/a.b')?.operations.has('HEAD')).toBe(false);
  });

  it.each([
    ['/v1/pets', 'GET, HEAD, OPTIONS, POST'],
    ['/v1/pets/7', 'GET, HEAD, OPTIONS'],
    ['/v1/a.b', 'OPTIONS, PUT'],
  ])('allows at %s: %s', (path, allow) => {
    expect(table.find(path)?.allow).toBe(allow);
  });

  it('knows every method some route serves', () => {
    expect(table.allowAnywhere).toBe('DELETE, GET, HEAD, OPTIONS, POST, PUT');
  });
});
