import { Worker } from 'node:worker_threads';
import { fakeOnly } from '../../../../test/support/fake-only';
import { startTestService, type TestService } from '../../../../test/support/service/service';
import { AuditEvent } from '../../audit/audit-event.entity';
import { Database } from '../database';
import { ScanThread } from './scan-thread';

/** Takes SQLite a hundred times as long as a request, and finds nothing. */
const LONG =
  'WITH RECURSIVE "n"("i") AS (SELECT 1 UNION ALL SELECT "i" + 1 FROM "n" WHERE "i" < 6000000) SELECT "i" FROM "n" WHERE "i" < 0';

const threadOf = (thread: ScanThread) => (thread as unknown as { worker: Worker | undefined }).worker;

describe('The thread of long reads on SQLite', () => {
  it('starts with the first of them, and ends with the service', async () => {
    const service = await startTestService('sqlite');
    const thread = service.app.get(Database, { strict: false }).scans as ScanThread;
    await service.fetch('/v1/pets');
    expect(threadOf(thread)).toBeUndefined();
    await thread.run('SELECT 1', []);
    const worker = threadOf(thread);
    expect(worker).toBeInstanceOf(Worker);
    const ended = new Promise((resolve) => worker?.once('exit', resolve));
    await service.stop();
    await ended;
  });
});

describe('Long reads on SQLite', () => {
  let service: TestService;
  let database: Database;

  beforeAll(async () => {
    service = await startTestService('sqlite');
    // Reads take longer than they may on a slow machine.
    fakeOnly(['setTimeout', 'clearTimeout']);
    database = service.app.get(Database, { strict: false });
  });
  afterAll(async () => {
    jest.useRealTimers();
    await service.stop();
  });

  const scans = () => database.scans as ScanThread;
  const names = () =>
    database.scan(AuditEvent, async (table) =>
      (await table.query<{ name: string }[]>('SELECT name FROM pets')).map(({ name }) => name),
    );

  it('do not delay GET requests', async () => {
    const order: string[] = [];
    const long = scans()
      .run(LONG, [])
      .then(() => order.push('scan'));
    for (let index = 0; index < 3; index++) {
      const { status } = await service.fetch('/v1/pets');
      order.push(`get ${status}`);
    }
    expect(scans().state).toMatchObject({ used: 1, max: 1 });
    await long;
    expect(order).toEqual(['get 200', 'get 200', 'get 200', 'scan']);
  });

  it('see all committed rows, and in a transaction its own writes', async () => {
    await service.post('/v1/pets', { name: 'Rex', categoryId: 1 });
    expect(await names()).toEqual(['Rex']);
    await database.transaction(async () => {
      await database.dataSource.query(`UPDATE pets SET name = 'Max'`);
      expect(await names()).toEqual(['Max']);
    });
    expect(await names()).toEqual(['Max']);
  });

  it('return rows in the same form as the connection of the service', async () => {
    const sql = `SELECT 9007199254740993 AS "big", 1.5 AS "real", NULL AS "none", 'é' AS "text", x'00ff' AS "bytes"`;
    const [here] = await database.dataSource.query<object[]>(sql);
    const [there] = await scans().run<{ bytes: unknown }>(sql, []);
    expect(there).toEqual(here);
    expect(there?.bytes).toBeInstanceOf(Buffer);
  });

  it('fail with the same errors as on the connection of the service', async () => {
    const reading = database.scan(AuditEvent, (events) =>
      events.createQueryBuilder('event').where('nonsense').getMany(),
    );
    await expect(reading).rejects.toMatchObject({
      status: 503,
      message: expect.stringContaining('not migrated') as string,
    });
    const write = scans().run(`UPDATE pets SET name = 'x' RETURNING id`, []);
    await expect(write).rejects.toThrow('attempt to write a readonly database');
  });

  it('fail alone when their thread dies, and the next get a new thread', async () => {
    const [long] = await Promise.allSettled([scans().run(LONG, []), threadOf(scans())?.terminate()]);
    expect(long).toEqual({ status: 'rejected', reason: expect.objectContaining({ status: 503 }) });
    expect((await service.fetch('/v1/pets')).status).toBe(200);
    expect(await names()).toEqual(['Max']);
  });

  it('fail for their callers when they have taken or waited too long, and the next one runs', async () => {
    const late = Promise.allSettled([scans().run(LONG, []), scans().run('SELECT 1', [])]);
    jest.advanceTimersByTime(10_000);
    const busy = { status: 'rejected', reason: { code: 'service_unavailable' } };
    expect(await late).toMatchObject([busy, busy]);
    expect(await scans().run('SELECT 2 AS two', [])).toEqual([{ two: 2n }]);
  });

  it('are refused when too many wait already', async () => {
    const waiting = Array.from({ length: 66 }, () => scans().run(LONG, []));
    const outcomes = Promise.allSettled(waiting);
    await expect(waiting[65]).rejects.toMatchObject({ status: 503 });
    await scans().close();
    expect((await outcomes).every(({ status }) => status === 'rejected')).toBe(true);
    expect(await names()).toEqual(['Max']);
  });
});
