import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createToken } from '../../src/platform/security/api-key-token';
import { createTestDatabase, describeEachEngine, type TestDatabase } from '../support/databases/databases';
import { makeFolder } from '../support/folders';
import { endServiceProcesses, ServiceProcess } from '../support/processes/service-process';
import { until } from '../support/until';

const key = createToken();
const MIB = 1024 * 1024;
const PETS = 100;
const LIST = `GET /v1/pets?limit=${PETS} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`;

/** Lists that are more than the memory allowed, if all of them were held. Of one key 32 are begun at once at most. */
const MANY = 40;

describeEachEngine('A service with lists of 10 MB', (engine) => {
  let database: TestDatabase;
  let service: ServiceProcess;
  let watching: AbortController;
  let mostBytes: number;
  let looks: number;
  let watch: Promise<void>;
  const clients: Socket[] = [];

  beforeAll(async () => {
    database = await createTestDatabase(engine);
    service = await ServiceProcess.start(
      { DATABASE_URL: database.url, BOOTSTRAP_API_KEY: key, MIGRATE_ON_START: 'true' },
      {
        cwd: makeFolder(),
        // As `npm start` has them, and a heap that 30 lists fill.
        nodeOptions: ['--max-semi-space-size=6', '--heap-growing-percent=20', '--max-old-space-size=384'],
      },
    );
    for (const pet of [{ name: 'a'.repeat(99_000) }, { name: 'Rex', status: 'sold' }]) {
      const body = JSON.stringify({ ...pet, categoryId: 1 });
      for (let i = 0; i < PETS; i++) expect((await service.post('/v1/pets', key, body)).status).toBe(201);
    }
  });
  afterAll(async () => {
    await endServiceProcesses();
    await database.drop();
  });

  beforeEach(() => {
    watching = new AbortController();
    mostBytes = 0;
    looks = 0;
    watch = watchService();
  });
  afterEach(async () => {
    watching.abort();
    clients.splice(0).forEach((client) => client.destroy());
    await watch.catch(() => undefined);
  });

  async function watchService(): Promise<void> {
    while (!watching.signal.aborted) {
      expect((await service.fetch('/health/live', key)).status).toBe(200);
      const [, pages] = readFileSync(`/proc/${service.pid}/statm`, 'utf8').split(' ');
      mostBytes = Math.max(mostBytes, Number(pages) * 4_096);
      looks += 1;
      await pause(20);
    }
  }

  /** Expects that it responded to others between the lists that it has made, and what memory it took. */
  async function expectLively(lists: number, limitBytes = 400 * MIB): Promise<void> {
    watching.abort();
    await watch;
    expect(4 * looks).toBeGreaterThan(lists);
    expect(mostBytes).toBeLessThan(limitBytes);
  }

  async function open(): Promise<Socket> {
    const client = connect(service.port, '127.0.0.1').on('error', () => undefined);
    clients.push(client);
    await once(client, 'connect');
    return client;
  }

  /** Waits for the work of clients, and no longer than the service lives. */
  async function served<T>(work: Promise<T>): Promise<T> {
    const end = service.ended.then(({ code, signal }) => {
      throw new Error(`The service has ended (${signal ?? code}):\n${service.stderr.slice(-2_000)}`);
    });
    return Promise.race([work, end]);
  }

  it(`stays live below 400 MiB while ${MANY} of them are pipelined and not read`, async () => {
    const client = (await open()).pause();
    client.write(LIST.repeat(MANY));
    // As many turns, with pauses, as all of them would have filled if they were made at once.
    await served(until(() => looks > 100));
    await expectLively(0);
  });

  const readMib = engine === 'sqlite' ? 400 : 512;
  it(`responds to others and takes less than ${readMib} MiB while 30 of them are asked for in one write and read`, async () => {
    const client = await open();
    let bytes = 0;
    client.on('data', (chunk: Buffer) => (bytes += chunk.length)).write(LIST.repeat(30));
    await served(until(() => bytes > 30 * PETS * 99_000));
    await expectLively(30, readMib * MIB);
  });

  it.each([
    ['nothing', []],
    ['lists of one of these pets', Array<string>(40).fill('limit=1')],
    ['lists of small pets', Array<string>(40).fill(`limit=${PETS}&status=sold`)],
  ])(
    `responds to others and takes less than 512 MiB while ${MANY} connections of a key that has asked for %s ask for one each`,
    async (_, before) => {
      for (const query of before) {
        const list = await service.fetch(`/v1/pets?${query}`, key);
        expect(list.status).toBe(200);
        await list.bytes();
      }
      const sockets = await Promise.all(Array.from({ length: MANY }, open));
      const statuses = sockets.map(async (client) => {
        client.write(LIST);
        const [first] = (await once(client, 'data')) as [Buffer];
        client.resume();
        return first.toString('latin1', 9, 12);
      });
      const seen = await served(Promise.all(statuses));
      expect(seen).toContain('200');
      // PostgreSQL gives up on what was begun before the first of them had said how large they are.
      const refused = before.length > 0 && engine === 'postgres' ? ['429', '503'] : ['429'];
      expect(['200', ...refused]).toEqual(expect.arrayContaining(seen));
      await expectLively(seen.filter((status) => status === '200').length, 512 * MIB);
    },
  );
});
