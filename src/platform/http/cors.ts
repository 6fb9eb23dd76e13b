import type {
  CorsOptions,
  CorsOptionsDelegate,
} from '@nestjs/common/interfaces/external/cors-options.interface';
import type { Request } from 'express';

/** Headers a page of another origin may read; the rest are safelisted by the Fetch standard. */
const EXPOSED = [
  'Deprecation',
  'ETag',
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
 * CORS for the origins named, and nothing at all for others, nor on the management port. The lifecycle responds
 * to the preflight.
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
  return ({ exchange }, decide) => decide(null, exchange.listener === 'public' ? options : { origin: false });
}
