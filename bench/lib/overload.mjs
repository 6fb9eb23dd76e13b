import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { runLoad } from './load.mjs';
import { anew } from './scenarios.mjs';

const GENERATOR = join(import.meta.dirname, 'open-load.mjs');
const CAPACITY_SECONDS = 5;
const PROBE_EVERY_MS = 100;

/**
 * The loads: how clients connect, and how many times the capacity they ask for. A new connection costs a server as much again
 * as a get, so the capacity of kept ones is beyond that of new ones already.
 */
const LOADS = [
  { title: 'gets, connections kept', connect: 'kept', connections: 12_000, times: 3 },
  { title: 'lists of 100, connections kept', connect: 'kept', connections: 12_000, times: 3, page: 100 },
  { title: 'gets, pipelined', connect: 'pipelined', connections: 500, times: 3 },
  { title: 'gets, a connection each', connect: 'new', connections: 8_000, times: 1 },
];

/**
 * Asks the servers for more than they can do, by an open loop from a process of its own, one load and one server after the
 * other.
 *
 * @returns `[{title, times, servers: [{title, capacity, goodput, p99, sent, late, refused, gaveUp, probeMs, cpuMicros}]}]`:
 *   responses a second in a closed loop, those within a second of the load, requests by what became of them, the longest wait of a
 *   probe, and the server's processor time a response
 */
export async function measureOverload(fleet, kinds, token, plan, progress) {
  const servers = [];
  for (const kind of kinds) servers.push(await fleet.startFilled(kind, plan.rows, `overload-${kind.name}`));
  const loads = [];
  for (const load of LOADS) {
    progress(`  ${load.title}`);
    const measured = [];
    for (const [i, server] of servers.entries()) {
      const figures = await measureServer(server, kinds[i], load, token, plan);
      measured.push({ title: kinds[i].title, ...figures });
    }
    loads.push({ title: load.title, times: load.times, servers: measured });
  }
  await fleet.stopAll();
  return loads;
}

async function measureServer(server, kind, { title, times, ...load }, token, plan) {
  const authorization = `Bearer ${token}`;
  const scenario = closedScenario(load, authorization, plan.rows);
  await runLoad(server, scenario, { responses: plan.warmUpResponses });
  const { rate: capacity } = await runLoad(server, scenario, { seconds: CAPACITY_SECONDS });
  const seconds = plan.overloadSeconds;
  const asked = { ...load, url: server.url, authorization, rate: capacity * times, seconds, rows: plan.rows };
  const cpu = server.cpuMicros();
  const stopProbe = probe(server.url + kind.readyPath, authorization);
  const { stdout } = await promisify(execFile)(process.execPath, [GENERATOR, JSON.stringify(asked)]);
  const probeMs = await stopProbe();
  const counts = JSON.parse(stdout);
  const { sent, inTime, late, refused, unsent, gaveUp, lost, failed, p99 } = counts;
  if (failed > 0) throw new Error(`${server.name}, ${title}: ${failed} responses neither 200 nor 503`);
  return {
    capacity,
    goodput: inTime / seconds,
    p99,
    sent,
    late,
    refused,
    gaveUp: gaveUp + lost + unsent,
    probeMs,
    cpuMicros: (server.cpuMicros() - cpu) / (inTime + late + refused),
  };
}

function closedScenario({ page, connect }, authorization, rows) {
  const path = () => (page ? `/v1/pets?limit=${page}` : `/v1/pets/${1 + Math.floor(Math.random() * rows)}`);
  const request = () => ({ method: 'GET', path: path(), headers: { Authorization: authorization } });
  return anew({ name: `overload-${connect}`, statuses: [200], request });
}

/**
 * Probes every 100 ms until told to stop. One that is cut off is sent again, and its wait goes on.
 *
 * @returns what stops it and resolves to the longest wait, in milliseconds
 */
function probe(url, authorization) {
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

async function isAnswered(url, authorization) {
  try {
    await fetch(url, { headers: { authorization } }).then((response) => response.arrayBuffer());
    return true;
  } catch {
    return false;
  }
}
