import { performance } from 'node:perf_hooks';
import autocannon from 'autocannon';
import { CONNECTIONS } from './plan.mjs';

const SAMPLE_MS = 100;

/**
 * Puts one scenario on one server for about `seconds` and returns
 * `{rate, p50, p99, generatorBusy, cpuMicros}`: answers per second, milliseconds, the share of the
 * time the generator's own event loop was busy, and the server's processor time an answer. Any failed or unexpected answer is an error.
 */
export async function runLoad(server, scenario, seconds) {
  const { requestsPerConnection: length = 128 } = scenario;
  let begin;
  let loop;
  let cpu;
  const run = autocannon({
    url: server.url,
    connections: CONNECTIONS,
    duration: seconds,
    sampleInt: SAMPLE_MS,
    setupClient: (client) => {
      client.setRequests(Array.from({ length }, () => scenario.request()));
    },
  });
  // Emitted once the requests are built and before the first answer can arrive.
  run.once('start', () => {
    begin = performance.now();
    loop = performance.eventLoopUtilization();
    cpu = server.cpuMicros();
  });
  const result = await run;
  const elapsedSeconds = (performance.now() - begin) / 1000;
  const generatorBusy = performance.eventLoopUtilization(loop).utilization;
  const cpuUsed = server.cpuMicros() - cpu;
  assertExpected(server, scenario, result);
  const answers = sum(Object.values(result.statusCodeStats).map(({ count }) => count));
  const { p50, p99 } = result.latency;
  return { rate: answers / elapsedSeconds, p50, p99, generatorBusy, cpuMicros: cpuUsed / answers };
}

function assertExpected(server, scenario, result) {
  const faults = Object.entries(result.statusCodeStats)
    .filter(([status]) => !scenario.statuses.includes(Number(status)))
    .map(([status, { count }]) => `${count} times status ${status}`);
  if (result.errors > 0) faults.push(`${result.errors} failed requests, ${result.timeouts} of them timeouts`);
  if (result.resets > 0) faults.push(`${result.resets} resets`);
  if (faults.length > 0) throw new Error(`${server.name}, ${scenario.name}: ${faults.join(', ')}`);
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
