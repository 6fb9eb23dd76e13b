import type { MetricObjectWithValues, MetricValue } from '@prometheus-io/client';
import type { Environment } from '../config/load-settings';

/** Report of a worker that serves. */
export interface Listening {
  /** Root address, `http://127.0.0.1:3000`; the same for every worker. */
  readonly url: string;
  /** Root address of the management port. */
  readonly managementUrl: string;
  /** The token of the first key, when this worker's start made it. */
  readonly firstKey: string | undefined;
  /** The first key, if it lacks some of the existing scopes. */
  readonly firstKeyBehind:
    | { readonly id: string; readonly missing: readonly string[]; readonly every: readonly string[] }
    | undefined;
}

/** Counts of a process, as a registry of the Prometheus client returns them. */
export type Counts = readonly MetricObjectWithValues<MetricValue<string>>[];

/** Message of a worker to its primary. Libraries use the same channel, hence the member that only these messages have. */
export type ToPrimary =
  | { readonly petstore: 'listening'; readonly listening: Listening }
  /** The start failed; the reason is one sentence for the operator. */
  | { readonly petstore: 'failed'; readonly reason: string }
  /** A scrape needs the sums over the whole node. */
  | { readonly petstore: 'scrape'; readonly scrape: number }
  /** The reply to `count`. */
  | { readonly petstore: 'counted'; readonly round: number; readonly counts: Counts };

/** Tells a worker to begin. */
export interface Start {
  readonly petstore: 'start';
  /** Settings that take precedence over those the worker finds. */
  readonly environment: Environment;
  /** Secret for buckets of addresses, the same for all workers of the node. */
  readonly bucketSecret: string;
}

/** Message of the primary to a worker. */
export type ToWorker =
  | Start
  | { readonly petstore: 'stop' }
  /** Number of workers that listen now. */
  | { readonly petstore: 'strength'; readonly listening: number }
  /** Asks for the counts of the worker. */
  | { readonly petstore: 'count'; readonly round: number }
  /** The reply to `scrape`, in Prometheus' text format. */
  | { readonly petstore: 'scraped'; readonly scrape: number; readonly text: string };

/** Tells whether a message on the channel between primary and worker is one of ours. */
export function isOurs(message: unknown): message is ToPrimary | ToWorker {
  return typeof message === 'object' && message !== null && 'petstore' in message;
}
