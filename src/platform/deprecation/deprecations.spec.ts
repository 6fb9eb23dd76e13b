import type { OperationState } from './operation-states';
import type { AppError } from '../errors/app-error';
import { type DeprecationHeaders, Deprecations } from './deprecations';
import type { Operation } from '../http/operations/operation';
import type { Endpoint } from '../http/exchange/exchange';
import { type Route, RouteTable } from '../http/route-table';
import { ServiceAddress } from '../values/service-address';

const getPet: Operation = {
  id: 'getPet',
  handlerName: 'PetsController.getPet',
  methodName: 'getPet',
  controller: Object,
  listener: 'public',
  method: 'GET',
  path: '/v1/pets/:petId',
  template: '/v1/pets/{petId}',
  isPublic: false,
  consoleScopes: [],
  scopes: ['pets:read'],
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
  deprecation: {
    since: new Date('2025-12-05T00:00:00Z'),
    sunset: new Date('2030-12-05T00:00:00Z'),
    successor: '/pets',
  },
};
const listPets: Operation = { ...getPet, id: 'listPets', path: '/v1/pets', deprecation: undefined };
const deletePet: Operation = { ...getPet, id: 'deletePet', method: 'DELETE', deprecation: undefined };
const routes = new RouteTable([listPets, deletePet, getPet].map(endpointOf));

function endpointOf(operation: Operation): Endpoint {
  return {
    operation,
    handle: () => undefined,
    change: undefined,
    serialize: undefined,
    represent: undefined,
    respond: undefined,
  };
}

function announced(path: string, publicBaseUrl?: string): DeprecationHeaders | undefined {
  return new Deprecations(new Map(), new ServiceAddress(publicBaseUrl)).announcementOf(
    routes.find(path)?.route as Route,
  );
}

describe('announcementOf', () => {
  it('returns the header fields of RFC 9745, RFC 8594 and RFC 8288 for the path of a deprecated operation', () => {
    expect(announced('/v1/pets/7')).toEqual({
      Deprecation: '@1764892800',
      Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
      Link: [
        '</docs/guide#getPet>; rel="deprecation"; type="text/html"',
        '</docs/guide#getPet>; rel="sunset"; type="text/html"',
        '</v1/pets>; rel="successor-version"',
      ].join(', '),
    });
  });

  it('begins links with the public address', () => {
    expect(announced('/v1/pets/7', 'https://api.example.com/store/v1')?.Link).toBe(
      [
        '<https://api.example.com/store/docs/guide#getPet>; rel="deprecation"; type="text/html"',
        '<https://api.example.com/store/docs/guide#getPet>; rel="sunset"; type="text/html"',
        '<https://api.example.com/store/v1/pets>; rel="successor-version"',
      ].join(', '),
    );
  });

  it('returns nothing for another path', () => {
    expect(announced('/v1/pets')).toBeUndefined();
  });
});

describe('assertServed', () => {
  const at = (time: string) => new Date(`2030-06-01T${time}Z`);
  const window = (from: string, to: string) => ({ from: at(from), to: at(to) });
  const brownout: OperationState = {
    state: 'brownout',
    windows: [window('01:00:00', '02:00:00'), window('05:00:00', '05:30:00')],
  };

  function refusal(state: OperationState | undefined, now: Date, operation = getPet): unknown[] {
    try {
      new Deprecations(new Map(state && [[operation.id, state]]), new ServiceAddress(undefined)).assertServed(
        operation,
        now,
      );
    } catch (error) {
      const { code, headers } = error as AppError;
      return [code, headers['Retry-After']];
    }
    return ['served'];
  }

  it.each<[string, unknown[]]>([
    ['00:59:59', ['served']],
    ['01:00:00', ['operation_brownout', '3600']],
    ['01:59:59', ['operation_brownout', '1']],
    ['02:00:00', ['served']],
    ['05:10:00', ['operation_brownout', '1200']],
    ['05:30:00', ['served']],
  ])('judges a brownout at %s', (time, expected) => {
    expect(refusal(brownout, at(time))).toEqual(expected);
  });

  it('rounds the time to wait up, so that no client comes back too early', () => {
    expect(refusal(brownout, new Date(at('01:59:58').getTime() + 1))).toEqual(['operation_brownout', '2']);
  });

  it('refuses a removed operation for good', () => {
    expect(refusal({ state: 'removed' }, at('00:00:00'))).toEqual(['operation_removed', undefined]);
  });

  it('serves an operation that is active or not configured, long after its sunset', () => {
    const later = new Date('2040-01-01T00:00:00Z');
    expect(refusal({ state: 'active' }, later)).toEqual(['served']);
    expect(refusal(undefined, later)).toEqual(['served']);
  });

  it('serves an operation that is not deprecated, whatever the configuration says', () => {
    expect(refusal({ state: 'removed' }, at('00:00:00'), listPets)).toEqual(['served']);
  });
});
