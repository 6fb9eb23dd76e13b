import { type RuleCase, state } from './rule-case';
import { counter, failing, gauge, JOB, requests, slow } from './rule-series';

const EVENT_LOOP = `nodejs_eventloop_lag_max_seconds{${JOB}}`;

/** 5xx of the balancer, whoever made them, and those that it had from a process. */
const BALANCER_RESPONSES =
  'haproxy_backend_http_responses_total{job="petstore-balancer",instance="balancer:8405",proxy="operations",code="5xx"}';
const BALANCED_RESPONSES =
  'haproxy_server_http_responses_total{job="petstore-balancer",instance="balancer:8405",proxy="operations",server="petstore-1",code="5xx"}';

/** The alerts that tell of late and refused responses. */
export const RESPONSE_RULE_CASES: readonly RuleCase[] = [
  {
    alert: 'PetstoreGoodputLow',
    when: 'a fifth takes over a second',
    series: slow([[10, 1_200]]),
    at: 10,
    fires: true,
  },
  {
    alert: 'PetstoreGoodputLow',
    when: 'a fifth is refused at once with 503',
    series: failing([[10, 1_200]]),
    at: 10,
    fires: true,
  },
  {
    alert: 'PetstoreGoodputLow',
    when: 'a fifth leaves before it has a response',
    series: { ...requests([[10, 4_800]]), ...requests([[10, 1_200]], { status: '' }) },
    at: 10,
    fires: true,
  },
  {
    alert: 'PetstoreGoodputLow',
    when: 'every request fails',
    series: requests([[10, 600]], { status: 503 }),
    at: 10,
    fires: true,
  },
  {
    alert: 'PetstoreGoodputLow',
    when: 'one of twenty takes over a second',
    series: slow([[10, 300]]),
    at: 10,
    fires: false,
  },
  {
    alert: 'PetstoreGoodputLow',
    when: 'clients alone are at fault',
    series: requests([[10, 600]], { status: 401 }),
    at: 10,
    fires: false,
  },
  {
    alert: 'PetstoreGoodputLow',
    when: 'a few requests at night are slow',
    series: requests([[10, 2]], { slow: [[10, 2]] }),
    at: 10,
    fires: false,
  },
  {
    alert: 'PetstoreGoodputLow',
    when: 'only probes are slow',
    series: {
      ...requests([[10, 600]]),
      ...requests([[10, 600]], { route: '/health/ready', slow: [[10, 600]] }),
    },
    at: 10,
    fires: false,
  },
  ...state('PetstoreEventLoopSlow', EVENT_LOOP, 0.9, 0.05, 2),
  {
    alert: 'PetstoreEventLoopSlow',
    when: 'a block of eight seconds, once',
    series: { [EVENT_LOOP]: `${gauge(0.05, 5)} 8 ${gauge(0.05, 4)}` },
    at: 8,
    fires: false,
  },
  {
    alert: 'PetstoreBalancerRefuses',
    when: 'one a second is refused, and the service sends none',
    series: {
      [BALANCER_RESPONSES]: counter([[20, 60]]),
      [BALANCED_RESPONSES]: counter([[20, 0]]),
    },
    at: 15,
    fires: true,
  },
  {
    alert: 'PetstoreBalancerRefuses',
    when: 'each 5xx is from the service',
    series: {
      [BALANCER_RESPONSES]: counter([[20, 60]]),
      [BALANCED_RESPONSES]: counter([[20, 60]]),
    },
    at: 15,
    fires: false,
  },
];
