import type { Counter } from '@prometheus-io/client';
import { ApiKeysService } from '../../../src/auth/api-keys.service';
import { loadSettings } from '../../../src/platform/config/load-settings';
import { createLogger } from '../../../src/platform/logging/logger';
import { Metrics } from '../../../src/platform/telemetry/metrics';
import { type RunningService, startService } from '../../../src/process/start-service';
import type { PostgresServer } from '../../support/databases/postgres-server';
import { until } from '../../support/until';

/** Who served lists. */
export interface ListReads {
  readonly replica: number;
  readonly primary: number;
}

/** One node of the service, as production starts it, and what it counts. */
export class ReplicaNode {
  private readonly metrics = this.service.app.get(Metrics);
  private constructor(
    private readonly service: RunningService,
    private readonly lines: readonly string[],
    private readonly key: string,
  ) {}

  static async start(primary: PostgresServer, replicas: readonly PostgresServer[]): Promise<ReplicaNode> {
    const settings = loadSettings({
      PORT: '0',
      MANAGEMENT_PORT: '0',
      RATE_LIMIT_PER_MINUTE: '0',
      DATABASE_URL: primary.url,
      DATABASE_REPLICA_URLS: replicas.map(({ url }) => url).join(),
      // Replicas have a limit of their own.
      DATABASE_STATEMENT_TIMEOUT_MS: '60000',
      MIGRATE_ON_START: 'true',
    });
    const lines: string[] = [];
    const logger = createLogger('info', { write: (line) => void lines.push(line) });
    const service = await startService(settings, logger);
    const { token } = await service.app
      .get(ApiKeysService)
      .create({ name: 'test', scopes: ['pets:read', 'pets:write'] });
    return new ReplicaNode(service, lines, token);
  }

  stop(): Promise<void> {
    return this.service.stop();
  }

  log(): string {
    return this.lines.join('');
  }

  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' };
    return fetch(new URL(path, this.service.url), { ...init, headers });
  }

  async add(name: string): Promise<void> {
    const body = JSON.stringify({ name, categoryId: 1 });
    const response = await this.fetch('/v1/pets', { method: 'POST', body });
    if (response.status !== 201) throw new Error(`A pet was not added: ${await response.text()}`);
  }

  /** The names of all pets, a page at a time. */
  async names(limit = 100): Promise<string[]> {
    const names: string[] = [];
    let path: string | undefined = `/v1/pets?limit=${limit}`;
    while (path) {
      const response: Response = await this.fetch(path);
      if (response.status !== 200) throw new Error(`Pets were not listed: ${await response.text()}`);
      names.push(...((await response.json()) as { name: string }[]).map(({ name }) => name));
      path = /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    }
    return names;
  }

  /** Lists pets as often as this, one list after another. */
  async list(times: number): Promise<void> {
    for (let time = 0; time < times; time++) await this.names();
  }

  /** How many reads the replicas and the primary served while something was done. */
  async readsDuring(work: () => Promise<unknown>): Promise<ListReads> {
    const before = await this.reads();
    await work();
    const after = await this.reads();
    return { replica: after.replica - before.replica, primary: after.primary - before.primary };
  }

  /** Waits until a replica serves a list. */
  async usesReplica(): Promise<void> {
    await until(async () => (await this.readsDuring(() => this.names(100))).replica > 0);
  }

  private async reads(): Promise<ListReads> {
    const metric = this.metrics.registry.getSingleMetric('petstore_replica_reads_total') as Counter<'result'>;
    const { values } = await metric.get();
    const of = (result: string) => values.find(({ labels }) => labels.result === result)?.value ?? 0;
    return { replica: of('replica'), primary: of('primary') };
  }
}
