import { DATA_RULE_CASES } from './data-rule-cases';
import { DEPRECATION_RULE_CASES } from './deprecation-rule-cases';
import { EVENT_RULE_CASES } from './event-rule-cases';
import { RESPONSE_RULE_CASES } from './response-rule-cases';
import { type RuleCase, state } from './rule-case';
import {
  counter,
  DAY,
  failing,
  gauge,
  HOUR,
  JOB,
  minutesOf,
  type Phases,
  requests,
  type Shares,
  slow,
} from './rule-series';

function objective(name: string, share: number, of: Shares): RuleCase[] {
  const each = 6_000 * share;
  const fast = (when: string, fires: boolean, ...phases: Phases) => {
    return { alert: `${name}FastBurn`, when, fires, at: minutesOf(phases), series: of(phases) };
  };
  const gradual = (when: string, fires: boolean, ...phases: Phases) => {
    return { alert: `${name}SlowBurn`, when, fires, at: minutesOf(phases), series: of(phases, 10), step: 10 };
  };
  return [
    fast('an hour at 20 times the share', true, [6 * HOUR, 0], [HOUR, 20 * each]),
    fast('six hours at 8 times', true, [7 * HOUR, 8 * each]),
    fast('that hour is over since 10 minutes', false, [6 * HOUR, 0], [HOUR, 20 * each], [10, 0]),
    fast('six hours at 5 times', false, [7 * HOUR, 5 * each]),
    fast('all is well', false, [7 * HOUR, 0]),
    gradual('a day at 4 times', true, [3 * DAY, 0], [DAY, 4 * each]),
    gradual('three days at 1.5 times', true, [4 * DAY, 1.5 * each]),
    gradual('three days at half the share', false, [4 * DAY, each / 2]),
    gradual('a day at 4 times is over since 7 hours', false, [DAY, 4 * each], [7 * HOUR, 0]),
  ];
}

const refusals = (refused: number, accepted: number, minutes = 20) => ({
  [`petstore_key_verifications_total{${JOB},result="unknown"}`]: counter([[minutes, refused]]),
  [`petstore_key_verifications_total{${JOB},result="accepted"}`]: counter([[minutes, accepted]]),
});

const replicaReads = (replica: number, primary: number) => ({
  [`petstore_replica_reads_total{${JOB},result="replica"}`]: counter([[40, replica]]),
  [`petstore_replica_reads_total{${JOB},result="primary"}`]: counter([[40, primary]]),
});

/** What each alert is there for, and what must leave it silent. */
export const RULE_CASES: readonly RuleCase[] = [
  ...objective('PetstoreErrorBudget', 0.001, failing),
  ...objective('PetstoreLatencyBudget', 0.01, slow),
  {
    alert: 'PetstoreErrorBudgetFastBurn',
    when: 'only probes fail',
    series: { ...failing([[420, 0]]), ...requests([[420, 600]], { status: 503, route: '/health/ready' }) },
    at: 420,
    fires: false,
  },
  {
    alert: 'PetstoreErrorBudgetFastBurn',
    when: 'a few requests at night fail',
    series: requests([[420, 1]], { status: 503 }),
    at: 420,
    fires: false,
  },
  {
    alert: 'PetstoreErrorBudgetSlowBurn',
    when: 'a few requests at night fail',
    series: requests([[420, 1]], { status: 503 }),
    at: 420,
    fires: true,
  },
  ...RESPONSE_RULE_CASES,
  ...state('PetstoreDown', `up{${JOB}}`, 0, 1, 2),
  {
    alert: 'PetstoreDown',
    when: 'nothing is known of any node',
    series: { 'up{job="other"}': gauge(1, 5) },
    at: 4,
    fires: true,
  },
  {
    alert: 'PetstoreDown',
    when: 'one of two is down',
    series: { [`up{${JOB}}`]: gauge(0, 9), 'up{job="petstore",instance="b"}': gauge(1, 9) },
    at: 8,
    fires: false,
  },
  ...state('PetstoreInstanceDown', `up{${JOB}}`, 0, 1, 5),
  ...state('PetstoreProbeFails', 'probe_success{job="petstore-probe",instance="a"}', 0, 1, 2),
  ...state('PetstoreNoneReady', `petstore_ready{${JOB}}`, 0, 1, 1),
  {
    alert: 'PetstoreNoneReady',
    when: 'one of two is ready',
    series: {
      [`petstore_ready{${JOB}}`]: gauge(0, 9),
      'petstore_ready{job="petstore",instance="b"}': gauge(1, 9),
    },
    at: 8,
    fires: false,
  },
  ...state('PetstoreNotReady', `petstore_ready{${JOB}}`, 0, 1, 5),
  {
    alert: 'PetstoreRestarting',
    when: 'five starts in an hour',
    series: { [`process_start_time_seconds{${JOB}}`]: '0 100 200 300 400 500x40' },
    at: 40,
    fires: true,
  },
  {
    alert: 'PetstoreRestarting',
    when: 'a rollout',
    series: { [`process_start_time_seconds{${JOB}}`]: '0x20 1200x20' },
    at: 40,
    fires: false,
  },
  ...state('PetstoreMemoryHigh', `process_resident_memory_bytes{${JOB}}`, 450e6, 200e6, 15),
  {
    alert: 'PetstoreFilesRunOut',
    when: 'nine of ten are open',
    series: { [`process_open_fds{${JOB}}`]: gauge(900, 20), [`process_max_fds{${JOB}}`]: gauge(1000, 20) },
    at: 15,
    fires: true,
  },
  {
    alert: 'PetstoreFilesRunOut',
    when: 'half are open',
    series: { [`process_open_fds{${JOB}}`]: gauge(500, 20), [`process_max_fds{${JOB}}`]: gauge(1000, 20) },
    at: 15,
    fires: false,
  },
  {
    alert: 'PetstoreLogLinesDropped',
    when: 'some are dropped again and again',
    series: { [`petstore_log_lines_dropped_total{${JOB}}`]: counter([[20, 5]]) },
    at: 20,
    fires: true,
  },
  {
    alert: 'PetstoreLogLinesDropped',
    when: 'some were dropped half an hour ago',
    series: {
      [`petstore_log_lines_dropped_total{${JOB}}`]: counter([
        [5, 5],
        [30, 0],
      ]),
    },
    at: 35,
    fires: false,
  },
  {
    alert: 'PetstorePoolSaturated',
    when: 'some wait all the time',
    series: {
      [`db_client_connection_pending_requests{${JOB},db_client_connection_pool_name="primary"}`]: gauge(
        3,
        20,
      ),
    },
    at: 15,
    fires: true,
  },
  {
    alert: 'PetstorePoolSaturated',
    when: 'many wait, and none in one of three samples',
    series: {
      [`db_client_connection_pending_requests{${JOB},db_client_connection_pool_name="primary"}`]:
        '9 3 0 9 3 0 9 3 0 9 3 0 9 3 0 9',
    },
    at: 15,
    fires: true,
  },
  {
    alert: 'PetstorePoolSaturated',
    when: 'some wait now and then',
    series: {
      [`db_client_connection_pending_requests{${JOB},db_client_connection_pool_name="primary"}`]:
        '3 0 0 0 0 3 0 0 0 0 3 0 0 0 0 3',
    },
    at: 15,
    fires: false,
  },
  {
    alert: 'PetstoreRequestsShed',
    when: 'one a second is refused',
    series: { [`petstore_requests_shed_total{${JOB}}`]: counter([[20, 60]]) },
    at: 15,
    fires: true,
  },
  {
    alert: 'PetstoreRequestsShed',
    when: 'a burst was refused half an hour ago',
    series: {
      [`petstore_requests_shed_total{${JOB}}`]: counter([
        [5, 600],
        [30, 0],
      ]),
    },
    at: 35,
    fires: false,
  },
  ...state('PetstoreRateLimitStoreDown', `petstore_rate_limit_store_up{${JOB}}`, 0, 1, 2),
  {
    alert: 'PetstoreReplicaReadsFallBack',
    when: 'three quarters go to the primary',
    series: replicaReads(100, 300),
    at: 40,
    fires: true,
  },
  {
    alert: 'PetstoreReplicaReadsFallBack',
    when: 'a quarter does',
    series: replicaReads(300, 100),
    at: 40,
    fires: false,
  },
  {
    alert: 'PetstoreReplicaReadsFallBack',
    when: 'there is no replica',
    series: replicaReads(0, 0),
    at: 40,
    fires: false,
  },
  ...state('PetstoreCitusWorkerAway', `petstore_citus_worker_up{${JOB},worker="10.0.0.2:5432"}`, 0, 1, 2),
  ...EVENT_RULE_CASES,
  ...state('PetstoreJobRunsFailed', `petstore_job_runs{${JOB},state="failed"}`, 1, 0, 5),
  {
    alert: 'PetstoreJobRunsFailed',
    when: 'many wait and none has failed',
    series: { [`petstore_job_runs{${JOB},state="waiting"}`]: gauge(500, 20) },
    at: 15,
    fires: false,
  },
  {
    alert: 'PetstoreManyKeysRefused',
    when: 'a flood of them',
    series: refusals(600, 600),
    at: 20,
    fires: true,
  },
  {
    alert: 'PetstoreManyKeysRefused',
    when: 'few among many',
    series: refusals(600, 60_000),
    at: 20,
    fires: false,
  },
  ...DATA_RULE_CASES,
  { alert: 'PetstoreManyKeysRefused', when: 'few', series: refusals(10, 0), at: 20, fires: false },
  ...DEPRECATION_RULE_CASES,
];
