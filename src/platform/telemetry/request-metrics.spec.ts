import { Registry } from '@prometheus-io/client';
import { parseMetrics } from '../../../test/support/processes/prometheus';
import { RequestMetrics } from './request-metrics';

const LIST = { template: '/v1/pets' };

describe('The metrics of requests', () => {
  const registry = new Registry();
  const requests = new RequestMetrics(registry);

  async function samples(name: string) {
    const families = parseMetrics(await registry.metrics());
    return [...families.values()]
      .flatMap((family) => family.samples)
      .filter((sample) => sample.name === name);
  }

  it('count each duration in the first bucket whose bound it does not exceed, and in all above', async () => {
    for (const ms of [0, 1, 1.001, 2.5, 75, 10_000, 10_000.001]) {
      requests.begin();
      requests.end('GET', LIST, 200, ms);
    }
    const buckets = await samples('http_server_request_duration_seconds_bucket');
    expect(buckets.map(({ labels, value }) => [labels.le, value])).toEqual([
      ['0.001', 2],
      ['0.0025', 4],
      ['0.005', 4],
      ['0.01', 4],
      ['0.025', 4],
      ['0.05', 4],
      ['0.075', 5],
      ['0.1', 5],
      ['0.25', 5],
      ['0.5', 5],
      ['0.75', 5],
      ['1', 5],
      ['2.5', 5],
      ['5', 5],
      ['7.5', 5],
      ['10', 6],
      ['+Inf', 7],
    ]);
    const [sum] = await samples('http_server_request_duration_seconds_sum');
    expect(sum?.value).toBeCloseTo(20.079_502, 9);
  });

  it('have one series for all unknown methods', async () => {
    for (const method of ['BREW', 'PROPFIND', 'get', '__proto__', 'constructor']) {
      requests.begin();
      requests.end(method, undefined, 405, 1);
    }
    requests.begin();
    requests.end('GET', LIST, undefined, 1);
    requests.refuse(400);
    const counts = await samples('http_server_request_duration_seconds_count');
    expect(counts.map(({ labels, value }) => [...Object.values(labels), value])).toEqual([
      ['GET', '/v1/pets', '200', 7],
      ['_OTHER', '', '405', 5],
      ['GET', '/v1/pets', '', 1],
      ['_OTHER', '', '400', 1],
    ]);
  });

  it('count requests that are under way', async () => {
    requests.begin();
    requests.begin();
    requests.end('GET', LIST, 200, 1);
    expect(await samples('http_server_active_requests')).toMatchObject([{ value: 1 }]);
  });
});
