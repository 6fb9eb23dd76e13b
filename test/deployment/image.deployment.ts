import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { validate } from 'dockerfile-utils';
import { SETTINGS_DECLARATION } from '../../src/platform/config/settings';
import { ConsoleClient, hiddenFields } from '../support/service/console';
import { makeFolder } from '../support/folders';
import { freePort } from '../support/processes/free-port';
import { until } from '../support/until';
import { Container, endContainers } from './support/container';
import { readDockerfile } from './support/dockerfile';
import { buildImage, type Image, makeVolume } from './support/image-build';
import { lockedForProduction } from './support/locked-packages';
import { buildSurroundings, PROJECT } from './support/surroundings';

const DOCKERFILE = readFileSync(join(PROJECT, 'Dockerfile'), 'utf8');
const STAGES = readDockerfile(DOCKERFILE);
const BUILD_TIMEOUT_MS = 400_000;

/** An SBOM in CycloneDX, as npm writes it. */
interface Sbom {
  readonly components: readonly {
    readonly purl: string;
    readonly hashes: readonly [{ readonly alg: string; readonly content: string }];
  }[];
}

const folder = makeFolder();
const surroundings = buildSurroundings(folder);
let image: Image;
let volumes = 0;

beforeAll(() => {
  image = buildImage(STAGES, surroundings);
}, BUILD_TIMEOUT_MS);

afterEach(endContainers);

/** Runs the image as `docker run --read-only` does, with a new volume unless one is given. */
function run(
  volume = join(folder, `volume-${volumes++}`),
  command: readonly string[] = image.entrypoint,
  { env = {}, hasHostNetwork = false }: { env?: Record<string, string>; hasHostNetwork?: boolean } = {},
) {
  const data = image.volumes.map((path) => makeVolume(image, path, volume));
  const { root, cwd, user } = image;
  const mounts = [...surroundings.base.mounts, ...data];
  const variables = { HOME: '/home/node', ...image.env, ...env };
  return Container.start({ root, mounts, env: variables, cwd, user, hasHostNetwork }, command);
}

/** A volume with a database, made as the first lines of the Dockerfile say. */
async function volumeWithDatabase(name = `volume-${volumes++}`): Promise<string> {
  const volume = join(folder, name);
  expect(await (await run(volume, ['petstore', 'db', 'migrate'])).ended).toBe(0);
  return volume;
}

async function started(container: Container): Promise<Container> {
  let hasEnded = false;
  void container.ended.then(() => (hasEnded = true));
  await until(() => hasEnded || container.output.includes('The petstore service is listening.'));
  expect(container.output).toContain('The petstore service is listening.');
  return container;
}

/** A request from inside, where the ports are. */
async function request(container: Container, path: string, init: RequestInit = {}) {
  const script = `fetch(...${JSON.stringify([`http://127.0.0.1:3000${path}`, init])}).then(async (response) =>
    console.log(JSON.stringify({ status: response.status, body: await response.text() })))`;
  const { stdout, stderr } = await container.execute('node', '-e', script);
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as { status: number; body: string };
}

async function makeKey(container: Container, scopes = 'pets:read,pets:write'): Promise<string> {
  const words = ['keys', 'create', '--name', 'test', '--scopes', scopes, '--json'];
  const { code, stdout, stderr } = await container.execute('petstore', ...words);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return (JSON.parse(stdout) as { key: string }).key;
}

function isSame(one: string, other: string): boolean {
  return existsSync(other) && readFileSync(one).equals(readFileSync(other));
}

/** Every file of the image with its time, size, mode and owner. */
function listing(): string {
  return execFileSync('find', [image.root, '-xdev', '-printf', '%P %T@ %s %m %U\n'], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
}

describe('The Dockerfile', () => {
  it('has no fault that a linter finds', () => {
    expect(validate(DOCKERFILE)).toEqual([]);
  });

  it('starts the same program as npm start, and declares the ports and the signal of the service', () => {
    const { scripts } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as {
      scripts: { start: string };
    };
    expect(image.entrypoint.join(' ')).toBe(scripts.start);
    expect(image.ports).toEqual(
      [SETTINGS_DECLARATION.PORT, SETTINGS_DECLARATION.MANAGEMENT_PORT].map((setting) =>
        Number(setting.default),
      ),
    );
    expect(image.stopSignal).toBe('SIGTERM');
  });
});

describe('The image', () => {
  it('holds the production dependencies of the lock file and no other package', () => {
    const found = execFileSync('find', ['node_modules', '-name', 'package.json'], {
      cwd: join(image.root, image.cwd),
      encoding: 'utf8',
    })
      .split('\n')
      .map((path) => path.replace(/\/package\.json$/, ''))
      .filter((path) => /(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path));
    expect(found.sort()).toEqual(
      lockedForProduction()
        .map(([path]) => path)
        .sort(),
    );
  });

  it('lists these packages in a CycloneDX SBOM with the digests of the lock file', () => {
    const sbom = JSON.parse(
      readFileSync(join(image.root, image.cwd, 'dist', 'sbom.cdx.json'), 'utf8'),
    ) as Sbom;
    expect(sbom).toMatchObject({
      bomFormat: 'CycloneDX',
      metadata: { component: { type: 'application', name: 'petstore' } },
    });
    const digests = sbom.components.map(({ purl, hashes: [hash] }) => [purl, hash.alg, hash.content]);
    const locked = lockedForProduction().map(([path, { version, integrity }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      const digest = Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex');
      return [`pkg:npm/${name.replace('@', '%40')}@${version}`, 'SHA-512', digest];
    });
    // One that lies in two places is listed once.
    const places = new Map(locked.map((line) => [line.join(' '), line]));
    expect(digests.sort()).toEqual([...places.values()].sort());
  });

  it('has byte for byte the same files as a build in another folder', () => {
    const app = join(image.root, image.cwd);
    const files = globSync('{dist,node_modules,packages}/**', { cwd: app, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(app, join(parentPath, name)))
      // npm's note of which packages it has installed.
      .filter((path) => path !== join('node_modules', '.package-lock.json'));
    expect(files.length).toBeGreaterThan(1_000);
    expect(files.filter((path) => !isSame(join(app, path), join(PROJECT, path)))).toEqual([]);
  });

  it('contains only the build and what modules import, without tests and sources', () => {
    const files = execFileSync(
      'find',
      ['.', '-path', './node_modules', '-prune', '-o', '-type', 'f', '-print'],
      {
        cwd: join(image.root, image.cwd),
        encoding: 'utf8',
      },
    )
      .trim()
      .split('\n');
    expect(files).toContain('./dist/src/main.js');
    const others = files.filter((path) => path !== './package.json' && !path.startsWith('./dist/'));
    expect(others.sort()).toEqual(
      ['commands.js', 'index.js', 'package.json', 'pets.js', 'service.js'].map(
        (name) => `./packages/platform/${name}`,
      ),
    );
    expect(files.filter((path) => /\.(?:spec|ts|env|sqlite)\b/.test(path))).toEqual([]);
  });

  it('lets its user write to the volume only', () => {
    const [uid = ''] = image.user.split(':');
    const own = execFileSync(
      'find',
      [image.root, '(', '-user', uid, '-o', '-perm', '-o=w', '!', '-type', 'l', ')'],
      {
        encoding: 'utf8',
      },
    );
    expect(uid).not.toBe('0');
    expect(own.trim().split('\n')).toEqual(image.volumes.map((path) => join(image.root, path)));
  });
});

describe('A container with a read-only root and without capabilities', () => {
  it('serves, is healthy, stops at SIGTERM, and writes nothing outside of its volume', async () => {
    const before = listing();
    const container = await started(await run(await volumeWithDatabase()));
    expect(await container.execute(...image.healthcheck)).toMatchObject({ code: 0 });
    expect((await request(container, '/v1/pets')).status).toBe(401);

    const headers = { authorization: `Bearer ${await makeKey(container)}` };
    const made = await request(container, '/v1/pets', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"name":"Rex","categoryId":3}',
    });
    expect(made.status).toBe(201);
    expect(JSON.parse((await request(container, '/v1/pets', { headers })).body)).toMatchObject([
      { name: 'Rex' },
    ]);

    const refused = await container.execute('touch', '/app/x', '/tmp/x', '/home/node/x');
    expect(refused.stderr.match(/Read-only file system/g)).toHaveLength(3);
    expect(await container.stop('SIGTERM')).toBe(0);
    expect(listing()).toBe(before);
    expect(container.output).not.toMatch(/EROFS|EACCES|read-only/i);
  });

  it('keeps pets and keys in its volume for the next container', async () => {
    const volume = await volumeWithDatabase('kept');
    const first = await started(await run(volume));
    const headers = { authorization: `Bearer ${await makeKey(first)}`, 'content-type': 'application/json' };
    await request(first, '/v1/pets', { method: 'POST', headers, body: '{"name":"Tom","categoryId":1}' });
    expect(await first.stop('SIGTERM')).toBe(0);

    const second = await started(await run(volume));
    expect(JSON.parse((await request(second, '/v1/pets', { headers })).body)).toMatchObject([
      { name: 'Tom' },
    ]);
  });

  it('imports files from the console and from standard input', async () => {
    const before = listing();
    const [port, managementPort] = [await freePort('127.0.0.1'), await freePort('127.0.0.1')];
    const container = await started(
      await run(await volumeWithDatabase(), undefined, {
        env: { HOST: '127.0.0.1', PORT: `${port}`, MANAGEMENT_PORT: `${managementPort}` },
        hasHostNetwork: true,
      }),
    );
    const client = new ConsoleClient(managementPort);
    await client.signIn(await makeKey(container, 'admin:read,admin:pets'));
    const [path, csv] = ['/admin/records/pets/import', 'name,categoryId\nRex,3\nTom,1\n'];
    const token = hiddenFields((await client.get('/admin/sessions')).html, '/admin/sign-out');
    const shown = await client.upload(path, { ...token, format: '', file: new File([csv], 'pets.csv') });
    expect([shown.status, shown.html]).toEqual([200, expect.stringContaining('Add 2 pets')]);
    const added = await client.upload(`${path}/run`, hiddenFields(shown.html, `${path}/run`));
    expect(added.status).toBe(303);

    const piped = `printf 'name,categoryId\\nMilo,7\\n' | petstore pets import - --format csv --json`;
    const { code, stdout, stderr } = await container.execute('sh', '-c', piped);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(JSON.parse(stdout)).toMatchObject({ rows: 1, imported: 1 });
    expect(listing()).toBe(before);
  });

  it('creates no key by itself in production', async () => {
    const container = await started(await run(await volumeWithDatabase()));
    expect(await container.execute('petstore', 'keys', 'list', '--json')).toMatchObject({
      code: 0,
      stdout: '[]\n',
    });
    expect(container.output).not.toContain('petk_');
  });

  it('does not start without a database in its volume, and says how to create one', async () => {
    const container = await run();
    expect(await container.ended).toBe(1);
    expect(container.output).toContain('There is no database at /data/petstore.sqlite.');
  });

  it('is unhealthy while nothing responds', async () => {
    const container = await run(undefined, ['sh', '-c', 'echo up; exec sleep 60']);
    await until(() => container.output === 'up\n');
    expect(await container.execute(...image.healthcheck)).toMatchObject({ code: 1 });
  });

  it('migrates by its command line, for a job that runs before the service', async () => {
    const container = await run(undefined, ['petstore', 'db', 'migrate']);
    expect(await container.ended).toBe(0);
    expect(container.output).toMatch(/\d+ migrations? (?:was|were) applied/);
  });
});
