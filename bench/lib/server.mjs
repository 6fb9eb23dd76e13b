import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { onServerCores } from './cores.mjs';
import { cpuMicros, rssBytes } from './process-usage.mjs';

const START_LIMIT_MS = 30_000;
const STOP_LIMIT_MS = 10_000;
const POLL_MS = 5;

/** Returns a port of the loopback address that nothing listens on. */
export async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}

/**
 * Starts one server as a child process and waits until it responds with 200 on its ready path.
 * Its output goes to a file: a pipe would have the load generator read it.
 *
 * @param kind `{name, entry, readyPath, nodeOptions, env({port, managementPort, databaseUrl, token})}`
 * @returns `{name, pid, url, managementUrl, readyMs, rssBytes(), cpuMicros(), stop()}`; `readyMs` runs from spawn
 *   to the first 200
 */
export async function startServer(kind, databaseUrl, token, logFile) {
  const port = await freePort();
  const managementPort = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const log = openSync(logFile, 'a');
  const begin = performance.now();
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    ...kind.env({ port, managementPort, databaseUrl, token }),
  };
  const child = await onServerCores(() =>
    spawn(process.execPath, [...kind.nodeOptions, kind.entry], { env, stdio: ['ignore', log, log] }),
  );
  closeSync(log);
  const exited = once(child, 'exit');
  // One that is still starting must not outlive an interrupted run either. First of all, for its files go then, too.
  const kill = () => child.kill('SIGKILL');
  process.prependOnceListener('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  const running = () => child.exitCode === null && child.signalCode === null;

  async function stop() {
    if (!running()) return;
    child.kill('SIGTERM');
    const killer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
    await exited;
    clearTimeout(killer);
  }

  while (!(await isReady(url + kind.readyPath, token))) {
    if (!running() || performance.now() - begin > START_LIMIT_MS) {
      await stop();
      throw new Error(`${kind.name} did not become ready; its output ends with:\n${tail(logFile)}`);
    }
    await sleep(POLL_MS);
  }
  return {
    name: kind.name,
    pid: child.pid,
    url,
    managementUrl: `http://127.0.0.1:${managementPort}`,
    readyMs: performance.now() - begin,
    rssBytes: () => rssBytes(child.pid),
    cpuMicros: () => cpuMicros(child.pid),
    stop,
  };
}

/** True if a server responds with 2xx. @param token not needed for the health pages */
export async function isReady(url, token) {
  try {
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

function tail(file) {
  return readFileSync(file, 'utf8').split('\n').slice(-15).join('\n');
}
