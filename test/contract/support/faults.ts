import { createToken } from '../../../src/platform/security/api-key-token';
import type { WireRequest } from './request';

/** One fault of a request, and how the response names it. */
export interface Fault {
  readonly of: string;
  readonly status: number;
  readonly code: string;
  readonly apply: (request: WireRequest) => WireRequest;
}

/** The faults of each place of a message, in the order in which they are judged. */
export type Order = readonly (readonly Fault[])[];

function header(name: string, value: string | readonly string[]) {
  return (request: WireRequest): WireRequest => ({
    ...request,
    headers: { ...request.headers, [name]: value },
  });
}

/** Adds to the query. */
function query(text: string) {
  return (request: WireRequest): WireRequest => {
    const { target = '/v1/pets' } = request;
    return { ...request, target: `${target}${target.includes('?') ? '&' : '?'}${text}` };
  };
}

/** Replaces the body. */
export function body(text: string) {
  return (request: WireRequest): WireRequest => ({ ...request, body: text });
}

/** Replaces the path under the base address. */
function path(change: (path: string) => string) {
  return (request: WireRequest): WireRequest => ({
    ...request,
    target: (request.target ?? '/v1/pets').replace(
      /^\/v1([^?]*)/,
      (_, found: string) => `/v1${change(found)}`,
    ),
  });
}

export const EXPECTATION: Fault = {
  of: 'expectation',
  status: 417,
  code: 'expectation_failed',
  apply: header('Expect', 'x'),
};
export const LENGTH: Fault = {
  of: 'long target',
  status: 414,
  code: 'uri_too_long',
  apply: query('a'.repeat(8_000)),
};
export const PATH_ENCODING: Fault = {
  of: 'path encoding',
  status: 400,
  code: 'invalid_path',
  apply: path((found) => `%ff${found}`),
};
export const ROUTE: Fault = {
  of: 'unknown path',
  status: 404,
  code: 'not_found',
  apply: path((found) => `/no-such-thing${found}`),
};
export const NO_KEY: Fault = {
  of: 'no key',
  status: 401,
  code: 'unauthorized',
  apply: (request) => ({ ...request, key: null }),
};
export const UNKNOWN_KEY: Fault = {
  of: 'unknown key',
  status: 401,
  code: 'invalid_api_key',
  apply: (request) => ({ ...request, key: createToken() }),
};
export const ACCEPT: Fault = {
  of: 'Accept',
  status: 406,
  code: 'not_acceptable',
  apply: header('Accept', 'text/html'),
};
export const TYPE: Fault = {
  of: 'type',
  status: 415,
  code: 'unsupported_media_type',
  apply: header('Content-Type', 'text/plain'),
};
export const TYPES: Fault = {
  of: 'two types',
  status: 400,
  code: 'invalid_request',
  apply: header('Content-Type', ['application/json', 'application/json']),
};
export const SIZE: Fault = {
  of: 'size',
  status: 413,
  code: 'payload_too_large',
  apply: header('Content-Length', '200000'),
};
export const JSON_TEXT: Fault = {
  of: 'JSON',
  status: 400,
  code: 'invalid_json',
  apply: body('{"name":"Rex"'),
};
export const PARAMETER: Fault = {
  of: 'parameter',
  status: 400,
  code: 'unknown_parameter',
  apply: query('page=2'),
};
export const TOP_LEVEL: Fault = { of: 'array', status: 400, code: 'invalid_body', apply: body('[]') };
export const BAD_LIMIT: Fault = {
  of: 'limit',
  status: 400,
  code: 'invalid_parameter',
  apply: query('limit=0'),
};
export const BAD_CURSOR: Fault = {
  of: 'cursor',
  status: 400,
  code: 'invalid_cursor',
  apply: query('cursor=x'),
};
export const MATCHING: Fault = {
  of: 'If-None-Match',
  status: 304,
  code: '',
  apply: header('If-None-Match', '*'),
};

export const CHANGED: Fault = {
  of: 'If-Match',
  status: 412,
  code: 'precondition_failed',
  apply: header('If-Match', '"no-such-tag"'),
};

/** The key is good for other operations. A request that has lost its key altogether does not get one back. */
export function scopeFault(key: () => string): Fault {
  return {
    of: 'scope',
    status: 403,
    code: 'insufficient_scope',
    apply: (request) => ({ ...request, key: request.key === undefined ? key() : request.key }),
  };
}

/** A method the path does not support. */
export function methodFault(method: string): Fault {
  return {
    of: 'method',
    status: 405,
    code: 'method_not_allowed',
    apply: (request) => ({ ...request, method }),
  };
}
