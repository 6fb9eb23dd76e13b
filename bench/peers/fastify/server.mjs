/**
 * Hand-written Fastify 5 with schemas and prepared statements: the yardstick for "what a request costs at least".
 * Environment: PORT, DATABASE_URL (sqlite:<path> or postgres://...), BOOTSTRAP_API_KEY.
 */
import Fastify from 'fastify';
import { serve } from './app.mjs';

await serve(Fastify({ forceCloseConnections: true }), process.env);
