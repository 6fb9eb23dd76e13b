import { Injectable } from '@nestjs/common';
import { Gauge } from '@prometheus-io/client';
import pTimeout from 'p-timeout';
import { Metrics } from '../telemetry/metrics';
import { byLabel, SeriesCounter } from '../telemetry/series-counter';
import { StoredEventsRepository } from './stored-events.repository';

const OUTCOMES = ['delivered', 'retried', 'failed'] as const;

/** Milliseconds that a scrape waits for the database. The primary waits a second when it gathers the metrics of its workers. */
const SCRAPE_TIMEOUT_MS = 500;

/** Outcome of an attempt to deliver a stored event. */
export type DeliveryOutcome = (typeof OUTCOMES)[number];

/** Counts of stored events. */
@Injectable()
export class EventMetrics {
  private readonly deliveries: SeriesCounter<DeliveryOutcome>;

  constructor({ registry }: Metrics, stored: StoredEventsRepository) {
    this.deliveries = new SeriesCounter(
      registry,
      'petstore_event_deliveries_total',
      'Attempts to deliver a stored event to its handler.',
      byLabel('outcome', OUTCOMES),
    );
    // Without the database there is no number to report.
    const backlogs = () =>
      pTimeout(stored.backlogs(), { milliseconds: SCRAPE_TIMEOUT_MS }).catch(() => undefined);
    const gauge = new Gauge({
      name: 'petstore_stored_events',
      help: 'Events in the database that wait for their handlers, or for an operator if they failed; counted among the oldest 100,000.',
      labelNames: ['state'],
      // Every process of a node asks the same database.
      aggregator: 'max',
      registers: [],
      async collect() {
        // Handlers that this version lacks are counted too: their events would be forgotten otherwise.
        const found = await backlogs();
        this.reset();
        if (!found) return;
        this.set({ state: 'waiting' }, sum(found.map(({ waiting }) => waiting)));
        this.set({ state: 'failed' }, sum(found.map(({ failed }) => failed)));
      },
    });
    registry.registerMetric(gauge);
  }

  count(outcome: DeliveryOutcome): void {
    this.deliveries.add(outcome);
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
