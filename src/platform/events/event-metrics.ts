import { Injectable } from '@nestjs/common';
import { Metrics } from '../telemetry/metrics';
import { byLabel, SeriesCounter } from '../telemetry/series-counter';
import { storedStates } from '../telemetry/stored-states';
import { StoredEventsRepository } from './stored-events.repository';

const OUTCOMES = ['delivered', 'retried', 'failed'] as const;

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
    registry.registerMetric(
      storedStates(
        'petstore_stored_events',
        'Events in the database that wait for their handlers, or for an operator if they failed; counted among the oldest 100,000.',
        async () => {
          // Handlers that this version lacks are counted too: their events would be forgotten otherwise.
          const backlogs = await stored.backlogs();
          return {
            waiting: sum(backlogs.map(({ waiting }) => waiting)),
            failed: sum(backlogs.map(({ failed }) => failed)),
          };
        },
      ),
    );
  }

  count(outcome: DeliveryOutcome): void {
    this.deliveries.add(outcome);
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
