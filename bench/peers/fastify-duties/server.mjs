/**
 * The same Fastify with an operator's duties, done by its own plugins: a line a request, a limit by key, a histogram,
 * ETags, and the request's id in the response. Environment as that of `../fastify/server.mjs`.
 */
import { randomUUID } from 'node:crypto';
import etag from '@fastify/etag';
import rateLimit from '@fastify/rate-limit';
import Fastify, { LogController } from 'fastify';
import metrics from 'fastify-metrics';
import pino from 'pino';
import { serve } from '../fastify/app.mjs';

// One line a request and as few writes as the service makes; Fastify by itself logs two lines and writes each at once.
const app = Fastify({
  forceCloseConnections: true,
  loggerInstance: pino(pino.destination({ minLength: 4_096, periodicFlush: 500, sync: true })),
  logController: new LogController({ disableRequestLogging: true }),
  requestIdHeader: 'x-request-id',
  genReqId: () => randomUUID(),
});
app.addHook('onRequest', (request, reply, done) => {
  reply.header('x-request-id', request.id);
  done();
});
app.addHook('onResponse', (request, reply, done) => {
  const { method, routeOptions, log } = request;
  const line = { method, route: routeOptions.url, status: reply.statusCode, durationMs: reply.elapsedTime };
  log.info(line, 'request');
  done();
});
// The histogram alone, as in the service; the summary that the plugin would keep as well costs more than that.
await app.register(metrics, { routeMetrics: { enabled: { histogram: true, summary: false } } });
await app.register(rateLimit, {
  max: 10_000_000,
  timeWindow: '1 minute',
  keyGenerator: (request) => request.headers.authorization,
});
await app.register(etag);

await serve(app, process.env);
