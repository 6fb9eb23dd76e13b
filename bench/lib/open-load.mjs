/**
 * A process of its own that sends gets at a rate, however slowly responses come: an open loop, so that a slow server gets no
 * less load. Takes one argument, the load as JSON, and writes what came of it to stdout as JSON, times in milliseconds.
 *
 * `{url, authorization, connect, connections, rate, seconds, asks, page, rows, retries, greedyShare}`: `connect` is `kept` (one request at a time on each of
 * `connections`), `pipelined` (all are written at once) or `new` (a connection each, so many at a time); `asks`, `page` and `rows`
 * are those of `nextRequest()`. With `retries` a request that is refused or given up is sent again so often, after what
 * `Retry-After` says or a second. With a `greedyShare` that share comes from one address, and the rest is counted apart, too.
 */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { nextRequest } from './load-requests.mjs';
import { quantile } from './statistics.mjs';

/** After how many milliseconds a client gives up, and within how many a response is of use to it. */
const PATIENCE_MS = 2_000;
const IN_TIME_MS = 1_000;

const PAUSE_MS = 1_000;
/** Another address of this machine than the one that connections have by themselves. A port of it is taken for a minute after its end. */
const MODEST_ADDRESS = '127.0.0.2';

const TICK_MS = 2;
const HEAD_END = '\r\n\r\n';

const load = JSON.parse(process.argv[2]);
const { hostname, port } = new URL(load.url);
const buffer = Buffer.allocUnsafe(256 * 1024);

const counts = {
  sent: 0,
  inTime: 0,
  late: 0,
  refused: 0,
  failed: 0,
  gaveUp: 0,
  lost: 0,
  unsent: 0,
  modestSent: 0,
  modestInTime: 0,
};

/** Requests that are sent again, by the tenth of a second. */
const again = new Map();
let nextTenth = 0;
const latencies = [];
const underWay = new Set();
const idle = { greedy: [], modest: [] };
const pipelines = [];
let opened = 0;
let hosts = 0;

function textOf() {
  hosts += 1;
  const { method, path, body = '' } = nextRequest(load);
  // A host of its own in each: the links of a list hold it, so that each list is read anew.
  return (
    `${method} ${path} HTTP/1.1\r\nHost: h${hosts}.example\r\nAuthorization: ${load.authorization}\r\n` +
    (body && `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`) +
    (load.connect === 'new' ? `Connection: close\r\n\r\n${body}` : `\r\n${body}`)
  );
}

/** Opens a connection, and takes apart what comes on it: `waiting` are its requests without a response. */
function open(isGreedy) {
  opened += 1;
  const free = isGreedy ? idle.greedy : idle.modest;
  const waiting = [];
  let received = '';
  const receive = (length) => {
    received += buffer.latin1Slice(0, length);
    for (;;) {
      const headEnd = received.indexOf(HEAD_END);
      if (headEnd === -1) return true;
      const head = received.slice(0, headEnd);
      const end = headEnd + HEAD_END.length + Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
      if (received.length < end) return true;
      received = received.slice(end);
      const pause = Number(/\r\nretry-after: *(\d+)/i.exec(head)?.[1] ?? 0) * 1_000;
      finish(waiting.shift(), Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)), pause);
      if (load.connect === 'new' || /\r\nconnection: *close/i.test(head)) socket.destroy();
      else if (load.connect === 'kept') free.push(connection);
    }
  };
  const socket = connect({
    host: hostname,
    port: Number(port),
    noDelay: true,
    localAddress: load.greedyShare === undefined || isGreedy ? undefined : MODEST_ADDRESS,
    onread: { buffer, callback: receive },
  });
  const connection = {
    socket,
    free,
    send(request) {
      request.connection = connection;
      waiting.push(request);
      socket.write(request.text, 'latin1');
    },
  };
  // It closes next.
  socket.on('error', () => {});
  socket.on('close', () => {
    opened -= 1;
    for (const request of waiting) if (underWay.delete(request)) counts.lost += 1;
  });
  return connection;
}

function begin(now, triesLeft = load.retries ?? 0) {
  counts.sent += 1;
  const isModest = load.greedyShare !== undefined && Math.random() >= load.greedyShare;
  if (isModest) counts.modestSent += 1;
  const connection = connectionFor(load.greedyShare !== undefined && !isModest);
  if (!connection) {
    counts.unsent += 1;
    return;
  }
  const request = { at: now, text: textOf(), connection, isModest, triesLeft };
  underWay.add(request);
  connection.send(request);
}

function connectionFor(isGreedy) {
  if (load.connect === 'pipelined') {
    const index = counts.sent % load.connections;
    if (pipelines[index].socket.destroyed) pipelines[index] = open(false);
    return pipelines[index];
  }
  const free = isGreedy ? idle.greedy : idle.modest;
  for (let one = free.pop(); one; one = free.pop()) if (!one.socket.destroyed) return one;
  return opened < load.connections ? open(isGreedy) : undefined;
}

function tryLater({ triesLeft }, now, pauseMs) {
  if (triesLeft === 0) return;
  const tenth = Math.ceil((now + pauseMs) / 100);
  const waiting = again.get(tenth) ?? [];
  again.set(tenth, waiting);
  waiting.push(triesLeft - 1);
}

function sendAgain(now) {
  for (; nextTenth <= now / 100; nextTenth += 1) {
    for (const triesLeft of again.get(nextTenth) ?? []) begin(now, triesLeft);
    again.delete(nextTenth);
  }
}

function finish(request, status, pauseMs) {
  if (!underWay.delete(request)) return;
  const took = performance.now() - request.at;
  if (status === 200 || status === 201) {
    latencies.push(took);
    counts[took <= IN_TIME_MS ? 'inTime' : 'late'] += 1;
    if (request.isModest && took <= IN_TIME_MS) counts.modestInTime += 1;
  } else {
    // 429: too many lists of one key.
    counts[status === 503 || status === 429 ? 'refused' : 'failed'] += 1;
    tryLater(request, performance.now(), pauseMs || PAUSE_MS);
  }
}

/** What a client does that has waited long enough: it leaves. One that pipelines still waits for the other responses. */
function giveUp(now) {
  for (const request of underWay) {
    if (now - request.at < PATIENCE_MS) return;
    underWay.delete(request);
    counts.gaveUp += 1;
    tryLater(request, now, PAUSE_MS);
    if (load.connect !== 'pipelined') request.connection.socket.resetAndDestroy();
  }
}

/**
 * Clients have their connections before they have much to ask: a flood of new ones is another load. A server that closes some of them
 * keeps fewer.
 */
async function connectAll() {
  for (let tried = 0; load.connect !== 'new' && tried < load.connections; tried += 1) {
    const connection = open(tried % 100 < (load.greedyShare ?? 0) * 100);
    if (load.connect === 'pipelined') pipelines.push(connection);
    else connection.socket.once('connect', () => connection.free.push(connection));
    if (tried % 10 === 9) await sleep(5);
  }
  await sleep(500);
}

/** Sends for as long as the load says, and resolves when no request is under way. */
function sendAll() {
  const { promise, resolve } = Promise.withResolvers();
  const deadline = performance.now() + load.seconds * 1000;
  let last = performance.now();
  let owed = 0;
  const tick = setInterval(() => {
    const now = performance.now();
    giveUp(now);
    if (now >= deadline) {
      if (underWay.size > 0) return;
      clearInterval(tick);
      resolve();
      return;
    }
    sendAgain(now);
    for (owed += ((now - last) / 1000) * load.rate; owed >= 1; owed -= 1) begin(now);
    last = now;
  }, TICK_MS);
  return promise;
}

await connectAll();
await sendAll();
const p99 = latencies.length > 0 ? quantile(latencies, 0.99) : null;
process.stdout.write(JSON.stringify({ ...counts, p99 }), () => process.exit(0));
