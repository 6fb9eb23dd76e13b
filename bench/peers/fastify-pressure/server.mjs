/**
 * The same Fastify with its plugin against overload, with the limit of the plugin's own page. Not with that of the loop's
 * utilization: a full load without a queue reaches that one. Environment as that of `../fastify/server.mjs`.
 */
import underPressure from '@fastify/under-pressure';
import Fastify from 'fastify';
import { serve } from '../fastify/app.mjs';

const app = Fastify({ forceCloseConnections: true });
await app.register(underPressure, { maxEventLoopDelay: 1_000, retryAfter: 1 });

await serve(app, process.env);
