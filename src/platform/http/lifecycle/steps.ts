import { AcceptStep } from './accept.step';
import { AuthenticationStep } from './authentication.step';
import { BodyStep } from './body.step';
import { CachedResponseStep } from './cached-response.step';
import { DeprecationStep } from './deprecation.step';
import { DrainStep } from './drain.step';
import { HostStep } from './host.step';
import { IdempotencyStep } from './idempotency.step';
import { ListRoomStep } from './list-room.step';
import { OverloadStep } from './overload.step';
import { ParametersStep } from './parameters.step';
import { ReadOnlyStep } from './read-only.step';
import { RateLimitStep } from './rate-limit.step';
import { RouteStep } from './route.step';
import { ScopeStep } from './scope.step';
import { TargetStep } from './target.step';
import { WireStep } from './wire.step';

/**
 * Steps that every request takes first, in this order. Nest cannot take them: it has no route for a wrong path or method, and
 * its middleware, guards and filters see neither.
 */
export const ARRIVAL_STEPS = [
  WireStep, //   400 bad_request, 417 expectation_failed
  DrainStep, //  503 service_unavailable
  OverloadStep, // 503 overloaded
  TargetStep, // 414 uri_too_long, 400 invalid_path, bad_request
  HostStep, //   421 misdirected_request, on the management port
  RouteStep, //  404 not_found, 405 method_not_allowed, OPTIONS
];

/**
 * Steps that a request for an operation takes next, in this order, as far as they apply to the operation. After that Nest runs
 * as everywhere: guards, interceptors, pipes (400 invalid_field, invalid_parameter), the handler (409 and 422 of `@Once()`, the
 * errors of the domain), exception filters.
 *
 * These steps stand ahead of Nest because of what they cost there: a response of the cache goes out in 2.5 µs less than by an
 * interceptor, and every other request of the operation would pay 5 µs for having one; a body is read before guards, as in
 * every Nest application, and never without a valid key.
 */
export const OPERATION_STEPS = [
  AuthenticationStep, // 401 unauthorized, invalid_api_key; 403 address_not_allowed; 429 for keys that are refused; 400 for two fields
  RateLimitStep, //      429 rate_limited
  ScopeStep, //          403 insufficient_scope
  DeprecationStep, //    410 operation_brownout, operation_removed
  AcceptStep, //         406 not_acceptable
  BodyStep, //           415 unsupported_media_type, 413 payload_too_large, 400 invalid_json
  ParametersStep, //     400 unknown_parameter, invalid_parameter
  IdempotencyStep, //    400 invalid_idempotency_key, 409 idempotency_in_progress, a response kept; 422 comes from @Once()
  ReadOnlyStep, //       503 service_unavailable, of what changes something while the service is read-only
  CachedResponseStep, // 200, 304
  ListRoomStep, //       429 rate_limited, 503 overloaded, of lists that are large
];
