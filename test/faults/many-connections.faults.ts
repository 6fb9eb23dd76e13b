import { createToken } from '../../src/platform/security/api-key-token';
import { timed } from '../support/http/timed-response';
import { createTestDatabase, type TestDatabase } from '../support/databases/databases';
import { makeFolder } from '../support/folders';
import { RawConnection } from '../support/http/raw-http';
import { endServiceProcesses, ServiceProcess } from '../support/processes/service-process';
import { until } from '../support/until';
import { ResponseCount, milliseconds } from './support/responses';
import { recordFigure } from '../support/samples/figures';
import { flood } from './support/flood';
import { openFiles, residentMemory } from './support/process-usage';
import { SIZES } from './support/sizes';

const IDLE = SIZES.connections;
const SLOW = Math.ceil(IDLE / 10);
/** Time for the headers: that of the default, or longer, so that the last connection is there before the first has come to its end. */
const HEADERS_MS = Math.max(10_000, IDLE * 2);
const REQUESTS = 200;
const MEBIBYTE = 2 ** 20;

const key = createToken();
const GET = `GET /v1/pets?limit=1 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`;

let database: TestDatabase;
let service: ServiceProcess;

async function start(): Promise<void> {
  database = await createTestDatabase('sqlite');
  service = await ServiceProcess.start(
    {
      DATABASE_URL: database.url,
      BOOTSTRAP_API_KEY: key,
      REQUEST_TIMEOUT_MS: String(3 * HEADERS_MS),
      // Room for the others beside them.
      MAX_CONNECTIONS: String(2 * IDLE),
    },
    // As `npm start` runs it.
    {
      cwd: makeFolder(),
      nodeOptions: [
        '--max-semi-space-size=6',
        '--heap-growing-percent=20',
        '--no-maglev-destroy-on-background',
      ],
    },
  );
}

/** Not all at once: a client waits a second, and then three, when the queue of new connections is full. */
function open(count: number): Promise<RawConnection[]> {
  return flood(count, 100, () => RawConnection.open(service.port));
}

/** Clients that do nothing unusual. @returns the longest wait of one, in milliseconds */
async function expectServed(): Promise<number> {
  const responses = new ResponseCount();
  await flood(REQUESTS, 8, async (i) => {
    const ask = () =>
      i % 4
        ? service.fetch('/v1/pets', key)
        : service.post('/v1/pets', key, JSON.stringify({ name: `Rex ${i}`, categoryId: i }));
    const response = await timed(ask);
    if (response) responses.note(response);
  });
  expect(responses.byStatus).toEqual(
    new Map([
      [201, REQUESTS / 4],
      [200, (REQUESTS / 4) * 3],
    ]),
  );
  return responses.longestMs;
}

/** Waits until the service has ended them. @returns by status, or `none`, how many were ended so, and the last moment */
async function ends(connections: readonly RawConnection[]): Promise<[Record<string, number>, number]> {
  const responses = await Promise.all(connections.map((connection) => connection.nextResponse()));
  return [countBy(responses.map((response) => String(response?.status ?? 'none'))), performance.now()];
}

function countBy(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

describe('A service', () => {
  beforeAll(start);
  afterAll(async () => {
    await endServiceProcesses();
    await database.drop();
  });

  it(
    `with ${IDLE} connections that say nothing and ${SLOW} that send headers too slowly serves others, and ends them in time`,
    async () => {
      const fault = 'idle and slow connections';
      await expectServed();
      const before = { memory: residentMemory(service.pid), files: openFiles(service.pid) };
      const begin = performance.now();
      const idle = await open(IDLE);
      const slow = await open(SLOW);
      slow.forEach((connection) => connection.send('GET /v1/pets HTTP/1.1\r\nHost: localhost\r\nX-'));
      const trickle = setInterval(() => slow.forEach((connection) => connection.send('a')), 500);
      try {
        // Accepted by the service, not only by its system.
        await until(() => openFiles(service.pid) >= IDLE + SLOW);
        const opened = performance.now();
        const longest = await expectServed();
        const memory = residentMemory(service.pid);
        const [slowEnds, slowEnd] = await ends(slow);
        const [idleEnds, idleEnd] = await ends(idle);
        expect(slowEnds).toEqual({ 408: SLOW });
        expect(idleEnds).toEqual({ 408: IDLE });
        const longestAfter = await expectServed();
        await until(() => openFiles(service.pid) <= before.files + 50);
        const each = (memory - before.memory) / (IDLE + SLOW);
        expect(each).toBeLessThan(MEBIBYTE / 10);

        recordFigure(fault, 'open at once', IDLE + SLOW);
        recordFigure(fault, 'time to open them', milliseconds(opened - begin));
        recordFigure(fault, 'resident memory before', `${Math.round(before.memory / MEBIBYTE)} MiB`);
        recordFigure(fault, 'resident memory with them', `${Math.round(memory / MEBIBYTE)} MiB`);
        recordFigure(fault, 'resident memory for each', `${(each / 1_024).toFixed(1)} KiB`);
        recordFigure(
          fault,
          'resident memory afterwards',
          `${Math.round(residentMemory(service.pid) / MEBIBYTE)} MiB`,
        );
        recordFigure(fault, 'longest wait of other clients', milliseconds(Math.max(longest, longestAfter)));
        recordFigure(
          fault,
          'slow ones ended with 408 after',
          `${milliseconds(slowEnd - opened)} (limit ${milliseconds(HEADERS_MS)})`,
        );
        recordFigure(fault, 'idle ones ended with 408 after', milliseconds(idleEnd - opened));
      } finally {
        clearInterval(trickle);
        [...idle, ...slow].forEach((connection) => connection.destroy());
      }
    },
    300_000 + 3 * HEADERS_MS,
  );

  it('ends connections that had a request and wait for none, without a word', async () => {
    const kept = await open(SLOW);
    kept.forEach((connection) => connection.send(GET));
    const responses = await Promise.all(kept.map((connection) => connection.nextResponse()));
    expect(new Set(responses.map((response) => response?.status))).toEqual(new Set([200]));
    const idleSince = performance.now();
    const [keptEnds, end] = await ends(kept);
    expect(keptEnds).toEqual({ none: SLOW });
    recordFigure('kept connections', 'ended when idle for', milliseconds(end - idleSince));
    kept.forEach((connection) => connection.destroy());
  });
});
