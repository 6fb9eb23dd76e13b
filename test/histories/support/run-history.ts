import { existsSync, readFileSync } from 'node:fs';
import { until } from '../../support/until';
import { Clients } from './clients';
import { type Fault, Faults } from './faults';
import { type Delivery, type History, Recorder } from './history';
import type { Nodes } from './nodes';
import { Random } from './random';
import { UnreliableProxy } from './unreliable-proxy';

/** A run: what follows from the seed, and for how long it goes on. */
export interface RunOptions {
  readonly seed: number;
  readonly clients: number;
  /** Operations with a known outcome after which it ends. */
  readonly operations: number;
  /** Operations between two faults, on average. */
  readonly operationsPerFault: number;
  /** API key that reads and writes pets. */
  readonly key: string;
  /** File of the deliveries of events. */
  readonly ledger: string;
  /** Resolves to whether all stored events have been delivered. */
  readonly isDelivered: () => Promise<boolean>;
}

export interface Run {
  readonly history: History;
  /** Operations with a known outcome. */
  readonly known: number;
  /** Faults of servers and nodes, and what the proxy did, by their names. */
  readonly faults: ReadonlyMap<string, number>;
  readonly byStatus: ReadonlyMap<number, number>;
  /** Responses that no client should get, in words. */
  readonly unexpected: readonly string[];
}

/** Lets clients use nodes, half of the time through a proxy that cannot be relied on, while faults happen. */
export async function runHistory(nodes: Nodes, faults: readonly Fault[], options: RunOptions): Promise<Run> {
  const { seed, operations, key, ledger } = options;
  const random = new Random(seed);
  const recorder = new Recorder();
  const proxy = new UnreliableProxy(random.fork(1_000), nodes.ports);
  await proxy.listen();
  const ports = [...nodes.ports, ...nodes.ports.map(() => proxy.port)];
  const clients = new Clients(recorder, random, ports, key);
  const mishaps = new Faults(random.fork(2_000), faults);
  const running = Promise.all([
    clients.run(options.clients),
    mishaps.run(() => recorder.known, options.operationsPerFault),
  ]);
  try {
    await Promise.race([running, until(() => recorder.known >= operations, Infinity)]);
  } finally {
    mishaps.stop();
    clients.stop();
    await running;
  }
  await clients.readAll().finally(() => proxy.close());
  const { creates, changes, gets, pages } = recorder;
  await until(options.isDelivered);
  const deliveries = deliveriesIn(ledger);
  return {
    history: { creates, changes, gets, pages, deliveries },
    known: recorder.known,
    faults: new Map([...mishaps.counts, ...proxy.counts]),
    byStatus: clients.byStatus,
    unexpected: clients.unexpected,
  };
}

/** Returns the deliveries to handlers of events so far. */
function deliveriesIn(ledger: string): Delivery[] {
  const lines = existsSync(ledger) ? readFileSync(ledger, 'utf8').split('\n').slice(0, -1) : [];
  return lines.map((line) => {
    const [id, value] = JSON.parse(line) as [string, string];
    return { id, value };
  });
}
