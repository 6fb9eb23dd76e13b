import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSettings } from '../../src/platform/config/load-settings';
import { SETTINGS_DECLARATION } from '../../src/platform/config/settings';
import { stopLimitMs } from '../../src/platform/http/connections/stop-limits';
import { makeFolder } from '../support/folders';
import { shellWords } from '../support/processes/shell-words';
import { IMAGE_ENVIRONMENT, PROJECT } from './support/dockerfile';
import { findOne, KUSTOMIZATIONS, kustomize } from './support/kustomize';
import { type Resource, resourceFaults } from './support/schemas';

interface Container {
  readonly image: string;
  readonly command?: string[];
  readonly env: { name: string; value: string }[];
  readonly envFrom?: { configMapRef: { name: string } }[];
  readonly ports?: { name: string; containerPort: number }[];
  readonly volumeMounts: { name: string; mountPath: string }[];
  readonly securityContext: object;
  readonly resources: { limits: Record<string, string>; requests: Record<string, string> };
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
}

interface Probe {
  readonly httpGet: { path: string; port: string };
  readonly periodSeconds: number;
  readonly failureThreshold: number;
}

interface Pods extends Resource {
  readonly spec: {
    readonly template: {
      readonly metadata: { labels: Record<string, string> };
      readonly spec: {
        readonly containers: [Container];
        readonly volumes: { name: string; secret?: { secretName: string } }[];
        readonly terminationGracePeriodSeconds: number;
      };
    };
  };
}

const service = kustomize('service');
const deployment = findOne<Pods>(service, 'Deployment');
const job = findOne<Pods>(kustomize('migration'), 'Job');
const settings = findOne<Resource & { data: Record<string, string> }>(service, 'ConfigMap').data;

function podOf(resource: Pods) {
  return { ...resource.spec.template.spec, container: resource.spec.template.spec.containers[0] };
}

/** The settings as a pod has them, from its image, its ConfigMap and its secrets. */
function settingsOf(resource: Pods) {
  const { container } = podOf(resource);
  const folder = makeFolder();
  const secrets: Record<string, string> = {
    'database-url': 'postgres://petstore:x@postgres:5432/petstore',
    'redis-url': 'redis://petstore:x@redis:6379/0',
  };
  const variables = container.env.map(({ name, value }) => {
    if (!name.endsWith('_FILE')) return [name, value];
    const key = value.slice(value.lastIndexOf('/') + 1);
    expect(container.volumeMounts).toContainEqual(
      expect.objectContaining({ name: 'secrets', mountPath: value.slice(0, -key.length - 1) }),
    );
    writeFileSync(join(folder, key), secrets[key] as string);
    return [name, join(folder, key)];
  });
  return loadSettings({
    ...IMAGE_ENVIRONMENT,
    ...(container.envFrom ? settings : {}),
    ...(Object.fromEntries(variables) as Record<string, string>),
  });
}

it('The list of kustomizations is complete', () => {
  expect(KUSTOMIZATIONS.sort()).toEqual([
    'console',
    'example/migration',
    'example/namespace',
    'example/service',
    'migration',
    'monitoring',
    'service',
  ]);
});

describe.each(KUSTOMIZATIONS)('The kustomization %s', (name) => {
  it('builds resources that match the schemas of Kubernetes', async () => {
    const faults = await Promise.all(kustomize(name).map((resource) => resourceFaults(resource)));
    expect(faults.flat()).toEqual([]);
  });
});

describe('The check against the schemas of Kubernetes', () => {
  it('finds a misspelt member and a malformed value', async () => {
    const text = JSON.stringify(deployment);
    const misspelt = JSON.parse(text.replace('"failureThreshold"', '"failureTreshold"')) as Resource;
    const malformed = JSON.parse(text.replace('"maxSurge":1', '"maxSurge":true')) as Resource;
    expect(await resourceFaults(misspelt)).toEqual([expect.stringContaining('failureTreshold')]);
    expect(await resourceFaults(malformed)).toContainEqual(expect.stringContaining('maxSurge'));
  });
});

describe('The pods', () => {
  it.each([
    ['of the service', deployment],
    ['of the migration', job],
  ])('have only the rights they need: those %s', (_which, resource) => {
    const pod = podOf(resource);
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect(pod.container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(Object.keys(pod.container.resources.limits)).toContain('memory');
    expect(Object.keys(pod.container.resources.requests).sort()).toEqual(['cpu', 'memory']);
  });

  it.each([
    ['of the service', deployment],
    ['of the migration', job],
  ])('have valid settings, with the database address from a file: those %s', (_which, resource) => {
    expect(settingsOf(resource).databaseUrl).toBe('postgres://petstore:x@postgres:5432/petstore');
  });

  it('of the service share their rate limits and leave the migration to the job', () => {
    expect(settingsOf(deployment)).toMatchObject({
      redisUrl: 'redis://petstore:x@redis:6379/0',
      migrateOnStart: false,
    });
  });

  it('have no secret in a ConfigMap', () => {
    const declared = SETTINGS_DECLARATION as Record<string, { secret?: boolean }>;
    for (const name of Object.keys(settings))
      expect({ name, ...declared[name] }).not.toHaveProperty('secret');
    for (const { container } of [deployment, job].map(podOf)) {
      const given = container.env.filter(({ name, value }) => declared[name]?.secret && value !== '');
      expect(given).toEqual([]);
    }
  });

  it('of the service have their temporary files on a disk, not in memory', () => {
    const { container, volumes } = podOf(deployment);
    const [mount] = container.volumeMounts.filter(({ mountPath }) => mountPath === IMAGE_ENVIRONMENT.TMPDIR);
    expect(volumes).toContainEqual({ name: mount?.name, emptyDir: { sizeLimit: expect.any(String) } });
  });

  it('are probed on the management port, which has connections of its own', () => {
    const { container } = podOf(deployment);
    expect(container.ports).toEqual([
      { name: 'http', containerPort: Number(SETTINGS_DECLARATION.PORT.default) },
      { name: 'management', containerPort: Number(SETTINGS_DECLARATION.MANAGEMENT_PORT.default) },
    ]);
    expect(container.startupProbe?.httpGet).toEqual({ path: '/health/live', port: 'management' });
    expect(container.livenessProbe?.httpGet).toEqual({ path: '/health/live', port: 'management' });
    expect(container.readinessProbe?.httpGet).toEqual({ path: '/health/ready', port: 'management' });
    expect(settingsOf(deployment)).toMatchObject({ host: '0.0.0.0', managementHost: '0.0.0.0' });
  });

  it('leave the Service before they stop serving, and have time to end', () => {
    const { drainDelay } = settingsOf(deployment);
    const { container, terminationGracePeriodSeconds } = podOf(deployment);
    const { periodSeconds, failureThreshold } = container.readinessProbe as Probe;
    expect(periodSeconds * failureThreshold * 1_000).toBeLessThan(drainDelay);
    expect(stopLimitMs({ drainDelay })).toBeLessThan(terminationGracePeriodSeconds * 1_000);
  });
});

describe('The resources beside the pods', () => {
  const { labels } = deployment.spec.template.metadata;

  interface Selecting extends Resource {
    readonly spec: {
      readonly selector?: Record<string, string> & { matchLabels?: Record<string, string> };
      readonly podSelector?: { matchLabels: Record<string, string> };
    };
  }

  it.each(['Service', 'PodDisruptionBudget', 'NetworkPolicy'])('select the pods: %s', (kind) => {
    const { selector, podSelector } = findOne<Selecting>(service, kind).spec;
    const wanted = podSelector?.matchLabels ?? selector?.matchLabels ?? selector ?? {};
    expect(Object.keys(wanted)).not.toEqual([]);
    expect(labels).toMatchObject(wanted);
  });

  it('include a PodMonitor that selects the pods and their management port', () => {
    const { spec } = findOne<Selecting & { spec: { podMetricsEndpoints: object[]; jobLabel: string } }>(
      kustomize('monitoring'),
      'PodMonitor',
    );
    expect(labels).toMatchObject(spec.selector?.matchLabels ?? { none: '' });
    expect(spec.podMetricsEndpoints).toMatchObject([{ port: 'management', path: '/metrics' }]);
    expect(labels[spec.jobLabel]).toBe('petstore');
  });

  it('include a NetworkPolicy that lets only the monitoring reach the management port', () => {
    type Rule = { from: { namespaceSelector: { matchLabels: object } }[]; ports: { port: string }[] };
    const { spec } = findOne<Selecting & { spec: { policyTypes: string[]; ingress: Rule[] } }>(
      service,
      'NetworkPolicy',
    );
    const callers = spec.ingress.map(({ from, ports }) => [
      ports.map(({ port }) => port),
      from.map((peer) => peer.namespaceSelector.matchLabels),
    ]);
    expect(callers).toEqual([
      [['http'], [{ 'petstore.example/role': 'ingress' }]],
      [['management'], [{ 'petstore.example/role': 'monitoring' }]],
    ]);
    expect(spec.policyTypes).toEqual(['Ingress', 'Egress']);
    expect(job.spec.template.metadata.labels).toMatchObject(spec.podSelector?.matchLabels ?? { none: '' });
  });

  it('include a HorizontalPodAutoscaler, and a Deployment without a number of replicas', () => {
    const { spec } = findOne<Resource & { spec: { scaleTargetRef: object; minReplicas: number } }>(
      service,
      'HorizontalPodAutoscaler',
    );
    expect(spec.scaleTargetRef).toEqual({
      apiVersion: deployment.apiVersion,
      kind: deployment.kind,
      name: deployment.metadata.name,
    });
    expect(spec.minReplicas).toBeGreaterThanOrEqual(2);
    expect(deployment.spec).not.toHaveProperty('replicas');
    expect(deployment.spec).toMatchObject({ strategy: { rollingUpdate: { maxUnavailable: 0 } } });
  });

  it('include a NetworkPolicy that lets the pods reach the database, HAProxy, Redis and an OIDC provider', () => {
    const ports = (name: string) =>
      findOne<Resource & { spec: { egress: { ports: { port: number; endPort?: number }[] }[] } }>(
        kustomize(name),
        'NetworkPolicy',
      ).spec.egress.flatMap((rule) => rule.ports.map(({ port, endPort = port }) => [port, endPort]));
    const haproxy = readFileSync(join(PROJECT, 'deploy/failover/database.cfg'), 'utf8');
    const bound = [...haproxy.matchAll(/bind \S+:(\d+)/g)].map(([, port]) => Number(port));
    expect(bound).toHaveLength(4);
    for (const port of [53, 5432, 6379, 4318, ...bound]) {
      const isOpen = ports('service').some(([from = 0, to = 0]) => from <= port && port <= to);
      expect({ port, isOpen }).toEqual({ port, isOpen: true });
    }
    expect(ports('console')).toEqual([[443, 443]]);
  });

  it('include a Deployment that waits before it trusts a new pod, and spreads the pods of each version', () => {
    const { spec } = deployment as Pods & { spec: { minReadySeconds?: number } };
    expect(spec.minReadySeconds).toBeGreaterThan(0);
    const { topologySpreadConstraints } = podOf(deployment) as unknown as {
      topologySpreadConstraints: object[];
    };
    expect(topologySpreadConstraints).toHaveLength(2);
    for (const constraint of topologySpreadConstraints) {
      expect(constraint).toMatchObject({ matchLabelKeys: ['pod-template-hash'] });
    }
  });
});

describe('The commands of kubectl in the docs', () => {
  const alerts = globSync('docs/alerts/*.md', { cwd: PROJECT });
  // Asked for its help, kubectl needs no cluster, and refuses an option that it does not have all the same.
  const help = (...words: string[]) => execFileSync('kubectl', [...words, '--help'], { stdio: 'pipe' });

  it.each([['deploy/README.md', 6] as const, ...alerts.map((page) => [page, 0] as const)])(
    'are spelled correctly in %s',
    (page, least) => {
      const text = readFileSync(join(PROJECT, page), 'utf8').replaceAll(/<\w+>/g, 'x');
      const lines = text.split('\n').map((line) => line.trimStart());
      const commands = lines.filter((line) => line.startsWith('kubectl ')).join('\n');
      const calls = shellWords('kubectl', commands);
      expect(calls.length).toBeGreaterThanOrEqual(least);
      for (const words of calls) expect(help(...words).length).toBeGreaterThan(100);
      for (const [, kind = '', name] of commands.matchAll(/\b(deployment\/|hpa )(\S+)/g)) {
        const { metadata } = findOne<Resource>(
          service,
          kind === 'hpa ' ? 'HorizontalPodAutoscaler' : 'Deployment',
        );
        expect(name).toBe(metadata.name);
      }
    },
  );

  it('are distinguished from misspelled ones', () => {
    expect(() => help('create', 'secret', 'generic', 'petstore', '--from-flie=a')).toThrow('--from-flie');
  });
});
