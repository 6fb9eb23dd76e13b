import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from './compile.mjs';

/** What the bare peers do not do either: no limit, no line a request. The service times requests for its metrics all the same. */
const BARE = { RATE_LIMIT_PER_MINUTE: '0', LOG_LEVEL: 'warn' };

/** As operators run it, with a limit that the load does not reach. */
const WITH_DUTIES = { RATE_LIMIT_PER_MINUTE: '10000000', LOG_LEVEL: 'info' };

/**
 * Every server that is measured, each as one process on loopback.
 * A kind is `{name, title, entry, nodeOptions, readyPath, managementPath, env({port, managementPort, databaseUrl, token})}`.
 * Throws when the service has not been built.
 */
export function serverKinds(root, workFolder) {
  const peers = join(root, 'bench/peers');
  compile(join(peers, 'nest'), join(workFolder, 'nest'));
  return {
    service: serviceKind(root),
    serviceDuties: service(root, 'service-duties', 'this service', WITH_DUTIES),
    fastify: peer('fastify', 'Fastify', join(peers, 'fastify/server.mjs'), '/health/ready'),
    fastifyDuties: peer(
      'fastify-duties',
      'Fastify with duties',
      join(peers, 'fastify-duties/server.mjs'),
      '/health/ready',
    ),
    fastifyPressure: peer(
      'fastify-pressure',
      'Fastify with under-pressure',
      join(peers, 'fastify-pressure/server.mjs'),
      '/health/ready',
    ),
    express: peer('express', 'Express', join(peers, 'express/server.mjs')),
    nest: peer('nest', 'stock Nest', join(workFolder, 'nest/main.js')),
  };
}

/** The service of a checkout, which may be another one than this. Throws when it has not been built. */
export function serviceKind(root) {
  return service(root, 'service', 'this service', BARE);
}

function service(root, name, title, settings) {
  const entry = join(root, 'dist/src/main.js');
  if (!existsSync(entry)) throw new Error('dist/src/main.js is missing: run "npm run build" first.');
  return {
    name,
    title,
    entry,
    nodeOptions: startOptions(root),
    readyPath: '/health/ready',
    managementPath: '/health/live',
    env: ({ port, managementPort, databaseUrl, token }) => ({
      // In production a start makes no database.
      NODE_ENV: 'bench',
      HOST: '127.0.0.1',
      PORT: String(port),
      MANAGEMENT_PORT: String(managementPort),
      DATABASE_URL: databaseUrl,
      MIGRATE_ON_START: 'true',
      BOOTSTRAP_API_KEY: token,
      ...settings,
    }),
  };
}

function peer(name, title, entry, readyPath = '/v1/pets?limit=1') {
  const env = ({ port, databaseUrl, token }) => ({
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    BOOTSTRAP_API_KEY: token,
  });
  return { name, title, entry, nodeOptions: [], readyPath, env };
}

/** The options `npm start` gives to Node. */
function startOptions(root) {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return scripts.start.split(' ').filter((word) => word.startsWith('--'));
}
