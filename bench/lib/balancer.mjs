import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onServerCores } from './cores.mjs';
import { freePort, isReady } from './server.mjs';

const CONFIGURATION = join(import.meta.dirname, '../../deploy/balancer/haproxy.cfg');
const POLL_MS = 20;

/**
 * Puts HAProxy, as `deploy/balancer` has it, before servers that run, at most four. Its settings, `BALANCER_THREADS` and others, are
 * those of this process.
 *
 * @returns the first of them at the address of HAProxy, and as `direct` all of them without HAProxy. Their processor time and
 *   memory are those of all, without those of HAProxy, which may share their cores
 */
export async function balanced(servers, readyPath) {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const env = {
    ...process.env,
    BALANCER_PORT: String(port),
    BALANCER_METRICS: `127.0.0.1:${metricsPort}`,
    ...Object.fromEntries(servers.map(({ url: each }, i) => [`PETSTORE_${i + 1}`, new URL(each).host])),
  };
  const child = await onServerCores(() =>
    spawn('haproxy', ['-db', '-f', CONFIGURATION], { env, stdio: 'ignore' }),
  );
  const failed = once(child, 'error').then(([error]) => {
    throw error;
  });
  const exited = once(child, 'exit');
  const kill = () => child.kill('SIGKILL');
  process.prependOnceListener('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  while (!(await Promise.race([isReady(url + readyPath), failed]))) await sleep(POLL_MS);
  const all = {
    ...servers[0],
    cpuMicros: () => servers.reduce((sum, each) => sum + each.cpuMicros(), 0),
    rssBytes: () => servers.reduce((sum, each) => sum + each.rssBytes(), 0),
  };
  return {
    ...all,
    url,
    direct: { ...all, urls: servers.map((each) => each.url) },
    async stop() {
      kill();
      await exited;
      for (const each of servers) await each.stop();
    },
  };
}
