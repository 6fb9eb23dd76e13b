import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildNestPeer } from './nest-build.mjs';

/** What the peers do not do either: no limit, no metrics, no line a request. */
const BARE = { RATE_LIMIT_PER_MINUTE: '0', METRICS: 'false', LOG_LEVEL: 'warn' };

/** As operators run it, with a limit that the load does not reach. */
const WATCHED = { RATE_LIMIT_PER_MINUTE: '10000000', METRICS: 'true', LOG_LEVEL: 'info' };

/**
 * The service in the forms that are compared with each other: bare, watched (limits, metrics and request log on), and
 * bare with two workers. Throws when the service has not been built.
 */
export function serviceKinds(root) {
  const kind = (name, settings) => ({
    name,
    entry: serviceEntry(root),
    nodeOptions: startOptions(root),
    readyPath: '/health/ready',
    env: ({ port, databaseFile, token }) => ({
      HOST: '127.0.0.1',
      PORT: String(port),
      MANAGEMENT_PORT: '0',
      DATABASE_URL: `sqlite:${databaseFile}`,
      MIGRATE_ON_START: 'true',
      BOOTSTRAP_API_KEY: token,
      ...settings,
    }),
  });
  return {
    bare: kind('service', BARE),
    watched: kind('watched', WATCHED),
    workers: kind('workers', { ...BARE, WORKERS: '2' }),
  };
}

function serviceEntry(root) {
  const entry = join(root, 'dist/src/main.js');
  if (!existsSync(entry)) throw new Error('dist/src/main.js is missing: run "npm run build" first.');
  return entry;
}

/** The three servers under comparison, each as one process on loopback. */
export function serverKinds(root, workFolder) {
  const peers = join(root, 'bench/peers');
  const peerEnv = ({ port, databaseFile, token }) => ({
    PORT: String(port),
    DATABASE_FILE: databaseFile,
    BOOTSTRAP_API_KEY: token,
  });
  return [
    serviceKinds(root).bare,
    {
      name: 'express',
      entry: join(peers, 'express/server.mjs'),
      nodeOptions: [],
      readyPath: '/v1/pets?limit=1',
      env: peerEnv,
    },
    {
      name: 'nest',
      entry: buildNestPeer(join(peers, 'nest'), join(workFolder, 'nest')),
      nodeOptions: [],
      readyPath: '/v1/pets?limit=1',
      env: peerEnv,
    },
  ];
}

/** The options `npm start` gives to Node. */
function startOptions(root) {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return scripts.start.split(' ').filter((word) => word.startsWith('--'));
}
