import { once } from 'node:events';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parse } from 'yaml';
import { codeBlocksOf } from '../modules/support/guide-blocks';
import { makeFolder } from '../support/folders';
import { freePort } from '../support/processes/free-port';
import { type PostgresServer, startPostgresServer } from '../support/databases/postgres-server';
import { endServiceProcesses, runCli, ServiceProcess } from '../support/processes/service-process';
import { until } from '../support/until';
import { startProgram, stopPrograms } from './support/program';
import { dashboardFaults } from './support/schemas';
import { PROJECT } from './support/dockerfile';

interface Target {
  readonly expr: string;
}

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly Target[];
}

interface Dashboard {
  readonly uid: string;
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] };
}

const DEPLOY = join(PROJECT, 'deploy');
/** What a service without Citus does not have: distributing.citus.ts looks at it. */
const OF_CITUS = new Set(['petstore_citus_worker_up']);
const text = readFileSync(join(DEPLOY, 'grafana', 'petstore.json'), 'utf8');
const dashboard = JSON.parse(text) as Dashboard;
/** Each line of the queries that the pages of the alerts have to paste. */
const pasted = globSync('docs/alerts/*.md', { cwd: PROJECT })
  .flatMap((page) => codeBlocksOf(readFileSync(join(PROJECT, page), 'utf8')))
  .flatMap(({ language, text: block }) => (language === 'promql' ? block.trimEnd().split('\n') : []));
const queries = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => ({ title, expr })),
);

describe('The dashboard', () => {
  it('matches the schema of Grafana', () => {
    expect(dashboardFaults(dashboard)).toEqual([]);
    expect(dashboardFaults(JSON.parse(text.replace('"legendFormat"', '"legend"')))).toHaveLength(1);
    expect(dashboardFaults(JSON.parse(text.replace('"never"', '"newer"')))).toHaveLength(1);
  });

  it('has panels with unique ids that do not overlap', () => {
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) => {
      expect(x + w).toBeLessThanOrEqual(24);
      return Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`);
    });
    expect(new Set(cells).size).toBe(cells.length);
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
  });

  it('queries only the chosen job and nodes', () => {
    const selectors = queries.flatMap(({ expr }) => expr.match(/\w\{[^}]*\}/g) ?? []);
    const ofAll = selectors.filter((selector) => !selector.includes('job=~"$job",instance=~"$instance"'));
    // What is recorded is recorded for all nodes together.
    expect(ofAll.filter((selector) => selector !== 'd{job=~"$job"}')).toEqual([]);
    expect(dashboard.templating.list.map(({ name }) => name)).toEqual(['datasource', 'job', 'instance']);
  });

  it('is provisioned in the Grafana of compose.yaml with its data source', () => {
    const read = (path: string) =>
      parse(readFileSync(join(DEPLOY, 'grafana', 'provisioning', path), 'utf8')) as unknown;
    const compose = readFileSync(join(PROJECT, 'compose.yaml'), 'utf8');
    const { providers } = read('dashboards/petstore.yaml') as { providers: [{ options: { path: string } }] };
    expect(compose).toContain(`./deploy/grafana/petstore.json:${providers[0].options.path}/petstore.json:ro`);
    const { datasources } = read('datasources/prometheus.yaml') as { datasources: [object] };
    expect(datasources).toMatchObject([
      { uid: 'prometheus', type: 'prometheus', url: 'http://prometheus:9090' },
    ]);
    expect(text).toContain('"value": "prometheus"');
  });
});

describe('Prometheus with these rules, for a node with everything and for one on SQLite', () => {
  let postgres: PostgresServer;
  let prometheus: string;
  let service: ServiceProcess;
  const prober = createServer((request, response) => {
    const asked = new URL(request.url ?? '', 'http://blackbox').searchParams;
    void fetch(asked.get('target') ?? '')
      .then(({ ok }) => ok && asked.get('module') === 'http_2xx')
      .catch(() => false)
      .then((succeeds) => response.end(`probe_success ${succeeds ? 1 : 0}\n`));
  });
  const end = new AbortController();
  let asking: Promise<void>;

  beforeAll(async () => {
    postgres = await startPostgresServer();
    // A replica that is none and a Redis that is away: what is told of them is there all the same.
    const environment = {
      NODE_ENV: 'production',
      DATABASE_URL: postgres.url,
      DATABASE_REPLICA_URLS: postgres.url,
      REDIS_URL: `redis://127.0.0.1:${await freePort('127.0.0.1')}`,
      MIGRATE_ON_START: 'true',
      RATE_LIMIT_PER_MINUTE: '600000',
      BACKUP_PATH: makeFolder(),
    };
    const cwd = makeFolder();
    service = await ServiceProcess.start(environment, { cwd });
    const alone = makeFolder();
    await runCli({}, alone, 'db', 'migrate');
    const small = await ServiceProcess.start({ NODE_ENV: 'production' }, { cwd: alone });
    const words = ['keys', 'create', '--name', 'test', '--scopes', 'pets:read,pets:write', '--json'];
    const { key } = JSON.parse(await runCli(environment, cwd, ...words)) as { key: string };
    prometheus = await startPrometheus([service, small]);
    asking = askAll(key);
  });

  afterAll(async () => {
    end.abort();
    await asking;
    await stopPrograms();
    prober.close();
    await endServiceProcesses();
    await postgres.stop();
  });

  /** One of each kind of request, again and again. */
  async function askAll(key: string): Promise<void> {
    for (let turn = 0; !end.signal.aborted; turn += 1) {
      const creation = {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': `key-${turn >> 1}` },
        body: '{"name":"Rex","categoryId":3}',
      };
      await Promise.all([
        service.fetch('/v1/pets', key),
        service.fetch('/v1/pets', 'unknown'),
        service.fetch('/v1/pets/1', key),
        service.fetch('/v1/pets', key, creation),
        service.fetch('/health/ready', key),
      ]);
      await pause(100);
    }
  }

  async function startPrometheus(services: readonly ServiceProcess[]): Promise<string> {
    const folder = makeFolder();
    const config = parse(readFileSync(join(DEPLOY, 'prometheus', 'prometheus.yaml'), 'utf8')) as {
      rule_files: string[];
      scrape_configs: { job_name: string; dns_sd_configs?: object; relabel_configs?: object[] }[];
    };
    const proberAddress = await startProber();
    const balancerAddress = await startBalancer();
    const scrapeConfigs = config.scrape_configs.map(({ dns_sd_configs: _, ...scrape }) => {
      const isProbe = scrape.job_name === 'petstore-probe';
      const hosts = services.map(({ url, managementUrl }) => new URL(isProbe ? url : managementUrl).host);
      const targets = scrape.job_name === 'petstore-balancer' ? [balancerAddress] : hosts;
      const own = JSON.parse(JSON.stringify(scrape).replace('blackbox:9115', proberAddress)) as object;
      return { ...own, static_configs: [{ targets }] };
    });
    const adapted = {
      ...config,
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: config.rule_files.map((file) => join(DEPLOY, 'prometheus', file)),
      scrape_configs: scrapeConfigs,
    };
    writeFileSync(join(folder, 'prometheus.yaml'), JSON.stringify(adapted));
    const address = `127.0.0.1:${await freePort('127.0.0.1')}`;
    const program = startProgram('prometheus', [
      `--config.file=${join(folder, 'prometheus.yaml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
    ]);
    await until(() => program.output.includes('Server is ready to receive web requests'));
    return `http://${address}/api/v1`;
  }

  /** @returns where HAProxy before the service has its metrics */
  async function startBalancer(): Promise<string> {
    const metricsPort = await freePort('127.0.0.1');
    startProgram('haproxy', ['-db', '-f', join(DEPLOY, 'balancer', 'haproxy.cfg')], {
      BALANCER_PORT: String(await freePort('127.0.0.1')),
      BALANCER_METRICS: `127.0.0.1:${metricsPort}`,
      PETSTORE_1: new URL(service.url).host,
    });
    return `127.0.0.1:${metricsPort}`;
  }

  /** Asks what it is told to, as blackbox_exporter does, which Debian and the tests need not have. */
  async function startProber(): Promise<string> {
    prober.listen(0, '127.0.0.1');
    await once(prober, 'listening');
    return `127.0.0.1:${(prober.address() as AddressInfo).port}`;
  }

  async function ask<T>(path: string): Promise<T> {
    const response = (await (await fetch(`${prometheus}${path}`)).json()) as {
      status: string;
      data: T;
      error?: string;
    };
    if (response.status !== 'success') throw new Error(response.error);
    return response.data;
  }

  /** What a query gives now, as Grafana would ask it. */
  async function results(expr: string): Promise<unknown[]> {
    const query = expr
      .replaceAll('$__rate_interval', '10s')
      .replaceAll('$job', 'petstore')
      .replaceAll('$instance', '.*');
    return (await ask<{ result: unknown[] }>(`/query?query=${encodeURIComponent(query)}`)).result;
  }

  async function withoutResult(): Promise<string[]> {
    const empty = await Promise.all(
      queries.map(async ({ title, expr }) => ((await results(expr)).length === 0 ? [title] : [])),
    );
    return empty.flat();
  }

  it('scrapes both services and the balancer, and evaluates every rule', async () => {
    type Targets = { activeTargets: { health: string; lastError: string }[] };
    await until(async () => (await results('count(up == 1) == 5')).length > 0);
    const { activeTargets } = await ask<Targets>('/targets');
    expect(activeTargets.map(({ health, lastError }) => [health, lastError])).toEqual(
      Array.from({ length: 5 }, () => ['up', '']),
    );
    type Rules = { groups: { rules: { name: string; health: string; lastError?: string }[] }[] };
    const rules = async () => (await ask<Rules>('/rules')).groups.flatMap((group) => group.rules);
    await until(async () => (await rules()).every(({ health }) => health !== 'unknown'));
    expect((await rules()).filter(({ health }) => health !== 'ok')).toEqual([]);
  });

  it('probes the public port of each node', async () => {
    await until(async () => (await results('count(probe_success == 1) == 2')).length > 0);
    const probed = (await results('probe_success{job="petstore-probe"}')) as {
      metric: { instance: string };
    }[];
    expect(probed.map(({ metric }) => metric.instance)).toContain(new URL(service.url).host);
  });

  it('knows every metric that the dashboard and the rules name', async () => {
    const files = ['objectives.yaml', 'alerts.yaml'].map((file) =>
      readFileSync(join(DEPLOY, 'prometheus', file), 'utf8'),
    );
    const expressions = [...queries.map(({ expr }) => expr), ...pasted, ...files].join('\n');
    const named = new Set(expressions.match(/\b[a-z_][\w:]*(?=\{(?!\{))/g)).difference(OF_CITUS);
    const known = async () => new Set(await ask<string[]>('/label/__name__/values'));
    const recorded = files.join('\n').match(/(?<=record: )\S+/g) ?? [];
    expect(recorded).toHaveLength(15);
    expect([...named].filter((name) => name.length > 20).length).toBeGreaterThan(15);
    await until(async () => new Set(recorded).isSubsetOf(await known()));
    // Some have no value before what they measure has happened once, such as a garbage collection.
    let unknown = named;
    await until(async () => (unknown = named.difference(await known())).size === 0).catch(() => {});
    expect([...unknown]).toEqual([]);
  });

  it('accepts every query on the pages of the alerts', async () => {
    expect(pasted.length).toBeGreaterThan(20);
    for (const query of pasted) expect([query, await results(query)]).toEqual([query, expect.any(Array)]);
    await expect(results('rate(up{job="petstore"})')).rejects.toThrow('range vector');
  });

  it('has data for every query of the dashboard, and for errors once there are any', async () => {
    await until(async () => (await withoutResult()).length <= 1);
    expect(await withoutResult()).toEqual(['Errors by route']);
    await postgres.kill('SIGKILL');
    await until(async () => (await withoutResult()).length === 0);
    await until(async () => (await results('ALERTS{alertname="PetstoreNotReady"}')).length > 0);
    await postgres.start();
    expect(await results('ALERTS{alertname="PetstoreRateLimitStoreDown"}')).toHaveLength(1);
  });

  it('has the version and the commit of the build for the dashboard', async () => {
    const [versions] = queries.filter(({ title }) => title === 'Versions');
    const [found] = (await results(versions?.expr ?? '')) as [{ readonly metric: object }];
    const health = (await (await fetch(`${service.managementUrl}/health`)).json()) as Record<string, string>;
    expect(health.commit).toMatch(/^[0-9a-f]{40}/);
    expect(found.metric).toMatchObject({ version: health.version, commit: health.commit });
  });

  it('has the date by which an alert judges a deprecated operation', async () => {
    const alerts = readFileSync(join(DEPLOY, 'prometheus', 'alerts.yaml'), 'utf8');
    const sunset = (await service.fetch('/v1/pets/1', 'unknown')).headers.get('sunset') ?? '';
    const [, from] = /vector\(time\(\)\) >= (\d+)/.exec(alerts) ?? [];
    expect(alerts).toContain('It goes away on 5 December 2030; this alert looks from 5 June 2030 on.');
    expect(new Date(sunset)).toEqual(new Date('2030-12-05T00:00:00Z'));
    expect(new Date(Number(from) * 1_000)).toEqual(new Date('2030-06-05T00:00:00Z'));
  });
});
