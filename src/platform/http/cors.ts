import type {
  CorsOptions,
  CorsOptionsDelegate,
} from '@nestjs/common/interfaces/external/cors-options.interface';
import type { Request } from 'express';

/** Headers a page of another origin may read; the rest are safelisted by the Fetch standard. */
const EXPOSED = [
  'Accept',
  'Allow',
  'Deprecation',
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
  'X-Request-Id',
];

/**
 * CORS for the origins named; for others only the `Vary` that keeps a cache from giving them the response to a named origin, or
 * that origin the response to another. Nothing at all on the management port. The lifecycle responds to the preflight.
 */
export function corsOptions(origins: readonly string[]): CorsOptionsDelegate<Request> {
  const options: CorsOptions = {
    origin: (origin: string | undefined, decide: (error: null, allow: boolean) => void) =>
      decide(null, origin !== undefined && origins.includes(origin)),
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: [
      'Authorization',
      'Content-Type',
      'Idempotency-Key',
      'If-Match',
      'If-None-Match',
      'X-Request-Id',
    ],
    exposedHeaders: EXPOSED,
    maxAge: 600,
    preflightContinue: true,
  };
  return ({ exchange }, decide) => {
    if (exchange.listener !== 'public') return decide(null, { origin: false });
    exchange.response.vary('Origin');
    decide(null, options);
  };
}
