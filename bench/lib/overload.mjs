import { execFile } from 'node:child_process';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { nextRequest } from './load-requests.mjs';
import { runLoad } from './load.mjs';
import { startBalanced } from './entrance.mjs';
import { anew } from './scenarios.mjs';

const GENERATOR = join(import.meta.dirname, 'open-load.mjs');
const CAPACITY_SECONDS = 5;

/** A server has recovered when it responds as fast as this, and is waited for so long. */
const NORMAL_MS = 100;
const RECOVERY_LIMIT_MS = 30_000;

const PROBE_EVERY_MS = 100;

/**
 * The loads: how clients connect, and how many times the capacity they ask for. A new connection costs a server as much again
 * as a get, so the capacity of kept ones is beyond that of new ones already.
 */
const LOADS = [
  { title: 'gets, a quarter more, connections kept', connect: 'kept', connections: 12_000, times: 1.25 },
  {
    title: 'creations, a quarter more, connections kept',
    connect: 'kept',
    connections: 12_000,
    times: 1.25,
    asks: ['create'],
  },
  { title: 'gets, connections kept', connect: 'kept', connections: 12_000, times: 3 },
  { title: 'gets, ten times, connections kept', connect: 'kept', connections: 12_000, times: 10 },
  { title: 'creations, connections kept', connect: 'kept', connections: 12_000, times: 3, asks: ['create'] },
  {
    title: 'creations, ten times, connections kept',
    connect: 'kept',
    connections: 12_000,
    times: 10,
    asks: ['create'],
  },
  {
    title: 'lists of 100, connections kept',
    connect: 'kept',
    connections: 12_000,
    times: 3,
    asks: ['list'],
    page: 100,
  },
  {
    title: 'lists of 100, ten times, connections kept',
    connect: 'kept',
    connections: 12_000,
    times: 10,
    asks: ['list'],
    page: 100,
  },
  {
    title: 'gets, tried again twice, connections kept',
    connect: 'kept',
    connections: 12_000,
    times: 3,
    retries: 2,
  },
  {
    title: 'gets, nine of ten from one address, connections kept',
    connect: 'kept',
    connections: 12_000,
    times: 3,
    greedyShare: 0.9,
  },
  { title: 'gets, pipelined', connect: 'pipelined', connections: 500, times: 3 },
  { title: 'gets, a connection each', connect: 'new', connections: 8_000, times: 1 },
];

/**
 * Asks the servers for more than they can do, by an open loop from a process of its own, one load and one server after the
 * other. The capacity of those behind the balancer is what they can do without it.
 *
 * @returns `[{title, times, servers: [{title, capacity, goodput, yield, p99, sent, late, refused, failed, gaveUp, modest, probeMs, managementMs, recoveryMs}]}]`:
 *   responses a second in a closed loop, those within a second of the load, the same by the service's own processor time as a share
 *   of the closed loop's, requests by what became of them, the share of those of callers that are not greedy that was in time, the
 *   longest waits of probes on the two ports, and how long after the load a get was normal again
 */
export async function measureOverload(fleet, kinds, token, plan, progress) {
  const servers = [];
  for (const kind of kinds) {
    const name = `overload-${kind.name}`;
    servers.push(
      kind.processes === undefined
        ? await fleet.startFilled(kind, plan.rows, name)
        : await startBalanced(fleet, kind, kind.processes, name, plan.rows),
    );
  }
  const loads = [];
  for (const load of LOADS.filter(({ title }) => title.includes(plan.load))) {
    progress(`  ${load.title}`);
    const measured = [];
    for (const [i, server] of servers.entries()) {
      const figures = await measureServer(server, kinds[i], load, token, plan);
      measured.push({ title: kinds[i].title, ...figures });
    }
    loads.push({ title: load.title, times: load.times, servers: measured });
  }
  for (const server of servers) await server.stop();
  await fleet.stopAll();
  return loads;
}

/** Sends a load by an open loop. @returns what came of it, as `open-load.mjs` writes it */
export async function sendOpenLoad(load) {
  const { stdout } = await promisify(execFile)(process.execPath, [GENERATOR, JSON.stringify(load)]);
  return JSON.parse(stdout);
}

async function measureServer(server, kind, { title, times, ...load }, token, plan) {
  const authorization = `Bearer ${token}`;
  const scenario = closedScenario(load, authorization, plan.rows);
  // A cold server may refuse some. A list of 100 takes as long as ten gets.
  const warmUp = { ...scenario, statuses: [...scenario.statuses, 503] };
  await runLoad(server, warmUp, { responses: plan.warmUpResponses / (load.page ? 10 : 1) });
  const { direct = server } = server;
  const seconds = plan.overloadSeconds;
  const { rate: capacity, cpuMicros } = await runLoad(direct, scenario, {
    seconds: Math.min(CAPACITY_SECONDS, seconds),
  });
  const asked = { ...load, url: server.url, authorization, rate: capacity * times, seconds, rows: plan.rows };
  const from = server.cpuMicros();
  const stopProbe = probe(server.url + kind.readyPath, authorization);
  const stopManagement =
    kind.managementPath && probe(server.managementUrl + kind.managementPath, authorization);
  const counts = await sendOpenLoad(asked);
  const cpu = server.cpuMicros() - from;
  const recoveryMs = await recovery(`${server.url}/v1/pets/1`, authorization);
  const probeMs = await stopProbe();
  const managementMs = await stopManagement?.();
  const { sent, inTime, late, refused, unsent, gaveUp, lost, failed, modestSent, modestInTime, p99 } = counts;
  // Peers may fail as they like: it shows in their row.
  if (failed > 0 && kind.managementPath)
    throw new Error(`${server.name}, ${title}: ${failed} responses neither 200, 429 nor 503`);
  return {
    capacity,
    goodput: inTime / seconds,
    yield: (inTime * cpuMicros) / cpu,
    p99,
    sent,
    late,
    refused,
    failed,
    gaveUp: gaveUp + lost + unsent,
    modest: modestSent > 0 ? modestInTime / modestSent : undefined,
    probeMs,
    managementMs,
    recoveryMs,
  };
}

/** The requests of a load, for a closed loop. */
export function closedScenario(load, authorization, rows) {
  const request = () => {
    const { body, ...asked } = nextRequest({ ...load, rows });
    const type = body && { 'Content-Type': 'application/json' };
    return { ...asked, body, headers: { Authorization: authorization, ...type } };
  };
  return anew({ name: `overload-${load.connect}`, statuses: [200, 201], request });
}

/**
 * Probes every 100 ms until told to stop. One that is cut off is sent again, and its wait goes on.
 *
 * @returns what stops it and resolves to the longest wait, in milliseconds
 */
export function probe(url, authorization) {
  const over = new AbortController();
  let longest = 0;
  const probing = (async () => {
    while (!over.signal.aborted) {
      const begin = performance.now();
      while (!(await isAnswered(url, authorization))) await sleep(PROBE_EVERY_MS);
      longest = Math.max(longest, performance.now() - begin);
      await sleep(PROBE_EVERY_MS);
    }
  })();
  return async () => {
    over.abort();
    await probing;
    return longest;
  };
}

/** Milliseconds from now until a get is responded to quickly. @returns undefined when that does not come about */
async function recovery(url, authorization) {
  const from = performance.now();
  while (performance.now() - from < RECOVERY_LIMIT_MS) {
    const begin = performance.now();
    if ((await isAnswered(url, authorization)) && performance.now() - begin <= NORMAL_MS) return begin - from;
    await sleep(10);
  }
  return undefined;
}

/** Asks on a new connection. */
function isAnswered(url, authorization) {
  return new Promise((resolve) => {
    const request = get(url, { agent: false, headers: { authorization } }, (response) => {
      response.resume().once('close', () => resolve(response.complete));
    });
    request.once('error', () => resolve(false));
  });
}
