import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildNestPeer } from './nest-build.mjs';

/**
 * The three servers under comparison, each as one process on loopback.
 * Throws when the service has not been built.
 */
export function serverKinds(root, workFolder) {
  const service = join(root, 'dist/src/main.js');
  if (!existsSync(service)) throw new Error('dist/src/main.js is missing: run "npm run build" first.');
  const peers = join(root, 'bench/peers');
  const peerEnv = ({ port, databaseFile, token }) => ({
    PORT: String(port),
    DATABASE_FILE: databaseFile,
    BOOTSTRAP_API_KEY: token,
  });
  return [
    {
      name: 'service',
      entry: service,
      nodeOptions: startOptions(root),
      readyPath: '/health/ready',
      env: ({ port, databaseFile, token }) => ({
        HOST: '127.0.0.1',
        PORT: String(port),
        MANAGEMENT_PORT: '0',
        RATE_LIMIT_PER_MINUTE: '0',
        DATABASE_URL: `sqlite:${databaseFile}`,
        MIGRATE_ON_START: 'true',
        BOOTSTRAP_API_KEY: token,
      }),
    },
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
