import { exchange } from '../support/http/raw-http';
import { until } from '../support/until';
import { OWN_METRICS } from './support/own-metrics';
import { Scrape } from './support/scrape';
import { useService } from './support/service';

describe('The labels of metrics', () => {
  const service = useService('sqlite', { RATE_LIMIT_PER_MINUTE: '1000000' });
  const scrape = () => Scrape.of(service());

  it('do not grow with what clients send, however odd and often', async () => {
    const labelled = async () =>
      new Set((await scrape()).samples.map(({ name, labels }) => `${name} ${JSON.stringify(labels)}`));
    const ask1 = async (marker: string, i: number) => {
      const methods = ['GET', 'PROPFIND', 'MKCOL', 'PURGE', 'M-SEARCH', 'BREW'];
      const method = methods[i % methods.length] as string;
      const fields = `Host: ${marker}.test\r\nX-Request-Id: ${marker}\r\nUser-Agent: ${marker}\r\n`;
      const auth =
        i % 2 === 0 ? `Authorization: Bearer ${marker}\r\n` : `Authorization: Bearer ${service().key}\r\n`;
      const target = [`/${marker}`, `/v1/pets/${marker}`, `/v1/pets?${marker}=1`, `/v1/pets/${i}`][i % 4];
      await exchange(
        service().port,
        `${method} ${target} HTTP/1.1\r\n${fields}${auth}Idempotency-Key: ${marker}\r\nConnection: close\r\n\r\n`,
        { head: method === 'HEAD' },
      );
    };
    for (let i = 0; i < 24; i++) await ask1(`odd-${i}`, i);
    // The service measures these in the background, for the first time soon after its start.
    for (const name of ['petstore_database_disk_free_bytes', 'petstore_stored_events'])
      await until(async () => (await scrape()).samples.some((sample) => sample.name === name));
    const before = await labelled();
    for (let i = 0; i < 1_000; i++) await ask1(`odder-${i}`, i);
    await until(async () => (await scrape()).value('http_server_active_requests') === 0);
    const added = [...(await labelled())].filter((series) => !before.has(series) && !/nodejs_/.test(series));
    expect(added).toEqual([]);
  });

  it('have few values, each of them known', async () => {
    const now = await scrape();
    for (const { name, labels } of now.samples.filter((sample) => !/^(process|nodejs)_/.test(sample.name))) {
      const [, allowed] = OWN_METRICS[name] ?? OWN_METRICS[name.replace(/_(bucket|sum|count)$/, '')] ?? [];
      for (const [label, value] of Object.entries(labels)) {
        const values = allowed?.[label];
        const isAllowed = values instanceof RegExp ? values.test(value) : values?.includes(value);
        expect([name, label, value, isAllowed]).toEqual([name, label, value, true]);
      }
    }
    const text = JSON.stringify(now.samples.map(({ labels }) => Object.values(labels)));
    for (const secret of [service().key, 'petk_', 'key_', 'Rex', 'odd', '127.0.0.1'])
      expect(text).not.toContain(secret);
  });
});
