import { Injectable } from '@nestjs/common';
import { Gauge } from '@prometheus-io/client';
import { Metrics } from '../telemetry/metrics';
import { byLabel, SeriesCounter } from '../telemetry/series-counter';
import { EventHandlers } from './event-handlers';
import { StoredEventsRepository } from './stored-events.repository';

const OUTCOMES = ['delivered', 'retried', 'failed'] as const;

/** What became of an attempt to deliver a stored event. */
export type DeliveryOutcome = (typeof OUTCOMES)[number];

/** Counts of stored events. */
@Injectable()
export class EventMetrics {
  private readonly deliveries: SeriesCounter<DeliveryOutcome>;

  constructor({ registry }: Metrics, handlers: EventHandlers, stored: StoredEventsRepository) {
    this.deliveries = new SeriesCounter(
      registry,
      'petstore_event_deliveries_total',
      'Attempts to hand a stored event to its handler.',
      byLabel('outcome', OUTCOMES),
    );
    const gauge = new Gauge({
      name: 'petstore_stored_events',
      help: 'Events in the database that handlers have still to take; failed ones wait for an operator.',
      labelNames: ['state'],
      // Every process of a node asks the same database.
      aggregator: 'max',
      registers: [],
      async collect() {
        this.reset();
        if (handlers.durable.size === 0) return;
        const backlogs = await stored.backlogs().catch(() => undefined);
        // Without the database there is no number to tell.
        if (!backlogs) return;
        this.set({ state: 'waiting' }, sum(backlogs.map(({ waiting }) => waiting)));
        this.set({ state: 'failed' }, sum(backlogs.map(({ failed }) => failed)));
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
