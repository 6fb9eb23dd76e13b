// A primary of two workers. The first stands still with a connection on its way to it; then both are killed within one
// turn of the event loop, so that the primary hears of all at once. Prints what became of the connection.
import cluster from 'node:cluster';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';

const WORKERS = join(import.meta.dirname, '../../../dist/src/platform/workers');
/** More than a closed connection takes to be noticed. */
const PATIENCE_MS = 10_000;
/** As long as the system takes to end a killed process, and more. */
const BUSY_MS = 1_000;

if (cluster.isPrimary) void main();
else process.on('message', ({ petstore }) => petstore === 'start' && listen());

function listen() {
  const server = createServer((socket) => socket.end('served'));
  server.listen(0, '127.0.0.1', () => {
    const url = `http://127.0.0.1:${server.address().port}`;
    process.send({ petstore: 'listening', listening: { url, managementUrl: url } });
  });
}

async function main() {
  const { Primary } = (await import(join(WORKERS, 'primary.js'))).default;
  const logger = { info() {}, warn() {}, error() {} };
  const primary = new Primary(2, logger, () => ({}));
  const { url } = await primary.start();
  const [first, second] = Object.values(cluster.workers).map(({ process: child }) => child.pid);
  process.kill(first, 'SIGSTOP');
  const outcomes = await Promise.all([ask(url), ask(url), kill(first, second)]);
  process.stdout.write(`${outcomes.filter(Boolean).sort().join(' ')}\n`, () => process.exit());
}

/** Kills both once one connection was served and the other waits, and stays busy until both have ended. */
async function kill(...pids) {
  await new Promise((resolve) => setTimeout(resolve, BUSY_MS));
  pids.forEach((pid) => process.kill(pid, 'SIGKILL'));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_MS);
}

function ask(url) {
  const { promise, resolve } = Promise.withResolvers();
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const timer = setTimeout(() => resolve('waits'), PATIENCE_MS);
  socket.on('data', (bytes) => resolve(bytes.toString()));
  socket.on('error', () => resolve('closed'));
  socket.on('close', () => {
    clearTimeout(timer);
    resolve('closed');
  });
  return promise;
}
