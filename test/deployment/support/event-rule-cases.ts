import { type RuleCase, state } from './rule-case';
import { counter, gauge, JOB } from './rule-series';

const RETRIED = `petstore_event_deliveries_total{${JOB},outcome="retried"}`;
const WAITING = `petstore_stored_events{${JOB},state="waiting"}`;

/** Looks at the alert about stored events. */
export const EVENT_RULE_CASES: readonly RuleCase[] = [
  ...state('PetstoreStoredEventsFailed', `petstore_stored_events{${JOB},state="failed"}`, 2, 0, 5),
  {
    alert: 'PetstoreStoredEventsFailed',
    when: 'many wait and none has failed',
    series: { [WAITING]: gauge(500, 20) },
    at: 15,
    fires: false,
  },
  {
    alert: 'PetstoreStoredEventsFailed',
    when: 'a handler has failed for more than an hour',
    series: { [RETRIED]: counter([[120, 0.2]]) },
    at: 110,
    fires: true,
  },
  {
    alert: 'PetstoreStoredEventsFailed',
    when: 'a handler has failed for half an hour',
    series: {
      [RETRIED]: counter([
        [60, 0],
        [30, 0.2],
      ]),
    },
    at: 90,
    fires: false,
  },
  {
    alert: 'PetstoreStoredEventsFailed',
    when: 'an event has waited for its handler for two hours',
    series: { [RETRIED]: counter([[120, 0.1]]), [WAITING]: gauge(1, 120) },
    at: 110,
    fires: true,
  },
  {
    alert: 'PetstoreStoredEventsFailed',
    when: 'two events were delivered at the second attempt, 70 minutes apart',
    series: { [RETRIED]: '0x29 1x69 2x30' },
    at: 110,
    fires: false,
  },
  {
    alert: 'PetstoreStoredEventsFailed',
    when: 'events are delivered at the second attempt all the time, and none waits in between',
    series: { [RETRIED]: counter([[120, 0.2]]), [WAITING]: '0x60 1x20 0 1x40' },
    at: 110,
    fires: false,
  },
];
