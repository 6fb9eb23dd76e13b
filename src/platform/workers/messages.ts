import type { MetricObjectWithValues, MetricValue } from '@prometheus-io/client';
import type { Environment } from '../config/load-settings';

/** What a worker tells once it serves. */
export interface Listening {
  /** Root address, `http://127.0.0.1:3000`; the same for every worker. */
  readonly url: string;
  /** Root address of the management port. */
  readonly managementUrl: string;
  /** The token of the first key, when this worker's start made it. */
  readonly firstKey: string | undefined;
  /** The first key, when it lacks some of the scopes that there are. */
  readonly firstKeyBehind:
    | { readonly id: string; readonly missing: readonly string[]; readonly every: readonly string[] }
    | undefined;
}

/** What a process counts, as a registry of the Prometheus client gives it. */
export type Counts = readonly MetricObjectWithValues<MetricValue<string>>[];

/** What a worker says to its primary. Libraries use the same channel, hence the member that only these have. */
export type ToPrimary =
  | { readonly petstore: 'listening'; readonly listening: Listening }
  /** The start failed, for a reason that is one sentence for the operator. */
  | { readonly petstore: 'failed'; readonly reason: string }
  /** A scrape wants the sums over the whole node. */
  | { readonly petstore: 'scrape'; readonly scrape: number }
  /** The reply to `count`. */
  | { readonly petstore: 'counted'; readonly round: number; readonly counts: Counts };

/** Tells a worker to begin. */
export interface Start {
  readonly petstore: 'start';
  /** Settings that take precedence over those the worker finds. */
  readonly environment: Environment;
  /** What all workers of the node tell addresses apart with when they count. */
  readonly bucketSecret: string;
}

/** What the primary says to a worker. */
export type ToWorker =
  | Start
  | { readonly petstore: 'stop' }
  /** How many workers listen now. */
  | { readonly petstore: 'strength'; readonly listening: number }
  /** Asks what the worker counts. */
  | { readonly petstore: 'count'; readonly round: number }
  /** The reply to `scrape`, in Prometheus' text format. */
  | { readonly petstore: 'scraped'; readonly scrape: number; readonly text: string };

/** Whether a message on the channel between primary and worker is one of ours. */
export function isOurs(message: unknown): message is ToPrimary | ToWorker {
  return typeof message === 'object' && message !== null && 'petstore' in message;
}
