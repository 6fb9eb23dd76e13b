import { keepRequesting } from './client.mjs';
import { CONNECTIONS } from './plan.mjs';
import { quantile } from './statistics.mjs';

/**
 * Puts one scenario on one server, or on each of its `urls` in turn, until both `seconds` have gone by and `responses` have come.
 * Any failed connection and any unexpected status is an error.
 *
 * @returns `{responses, seconds, rate, p50, p99, generatorBusy, cpuMicros}`: responses a second, milliseconds, the share
 *   of the time the generator's own event loop was busy, and the server's processor time a response
 */
export async function runLoad(
  server,
  scenario,
  { seconds = 0, responses = 0, connections: count = CONNECTIONS },
) {
  const { urls = [server.url] } = server;
  const latencies = [];
  let failed = false;
  const begin = performance.now();
  const end = begin + seconds * 1000;
  const loop = performance.eventLoopUtilization();
  const cpu = server.cpuMicros();
  const next = () =>
    failed || (latencies.length >= responses && performance.now() >= end) ? undefined : scenario.request();
  const onResponse = (status, milliseconds) => {
    if (!scenario.statuses.includes(status)) throw new Error(`status ${status}`);
    latencies.push(milliseconds);
  };
  const connections = Array.from({ length: count }, (_, i) =>
    keepRequesting(urls[i % urls.length], next, onResponse),
  );
  try {
    await Promise.all(connections);
  } catch (cause) {
    failed = true;
    await Promise.allSettled(connections);
    throw new Error(`${server.name}, ${scenario.name}: ${cause.message}`, { cause });
  }
  const elapsed = (performance.now() - begin) / 1000;
  const responded = latencies.length;
  return {
    responses: responded,
    seconds: elapsed,
    rate: responded / elapsed,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    generatorBusy: performance.eventLoopUtilization(loop).utilization,
    cpuMicros: (server.cpuMicros() - cpu) / responded,
  };
}
