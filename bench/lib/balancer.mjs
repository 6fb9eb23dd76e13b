import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMicros } from './process-usage.mjs';
import { freePort, isReady } from './server.mjs';

const CONFIGURATION = join(import.meta.dirname, '../../deploy/balancer/haproxy.cfg');
const POLL_MS = 20;

/**
 * Puts HAProxy, as `deploy/balancer` has it, before a server that runs.
 *
 * @returns that server at the address of HAProxy; its processor time has that of HAProxy in it
 */
export async function balanced(server, readyPath) {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const child = spawn('haproxy', ['-db', '-f', CONFIGURATION], {
    env: {
      PATH: process.env.PATH,
      BALANCER_PORT: String(port),
      BALANCER_METRICS: `127.0.0.1:${metricsPort}`,
      PETSTORE_1: new URL(server.url).host,
    },
    stdio: 'ignore',
  });
  const failed = once(child, 'error').then(([error]) => {
    throw error;
  });
  const exited = once(child, 'exit');
  const kill = () => child.kill('SIGKILL');
  process.prependOnceListener('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  while (!(await Promise.race([isReady(url + readyPath), failed]))) await sleep(POLL_MS);
  return {
    ...server,
    url,
    cpuMicros: () => server.cpuMicros() + cpuMicros(child.pid),
    async stop() {
      kill();
      await exited;
      await server.stop();
    },
  };
}
