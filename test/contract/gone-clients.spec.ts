import type { ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import type { Connection } from 'pg';
import { DataSource } from 'typeorm';
import { RawConnection } from '../support/http/raw-http';
import { startTestService, type TestService } from '../support/service/service';
import { until } from '../support/until';
import { Database } from '../../src/platform/database/database';
import { poolOf } from '../../src/platform/database/driver/data-source';
import { PetsService } from '../../src/pets/pets.service';

const PET = { name: 'Rex', categoryId: 1 };
const BODY = JSON.stringify(PET);
const ADD = `POST /v1/pets HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n`;

describe('A request that waits before its handler', () => {
  let service: TestService;
  let other: DataSource;
  beforeAll(async () => {
    service = await startTestService('postgres');
    other = await new DataSource({ type: 'postgres', url: service.database.url }).initialize();
  });
  afterAll(async () => {
    await other.destroy();
    await service.stop();
  });

  /** Makes a client ask for a pet to be added. */
  async function addPet(idempotencyKey: string): Promise<[RawConnection, ServerResponse]> {
    const server = service.app.getHttpServer();
    const begun = new Promise<ServerResponse>((resolve) =>
      server.once('request', (_: unknown, response: ServerResponse) => resolve(response)),
    );
    const client = await RawConnection.open(service.port);
    client.send(
      `POST /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.key}\r\nIdempotency-Key: ${idempotencyKey}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
    );
    return [client, await begun];
  }

  it('ends when its client has gone, and lets the next with its Idempotency-Key begin', async () => {
    const create = jest.spyOn(service.app.get(PetsService, { strict: false }), 'create');
    const runner = other.createQueryRunner();
    await runner.query('BEGIN; LOCK TABLE idempotent_answers IN ACCESS EXCLUSIVE MODE');
    const [client, response] = await addPet('gone');
    const waiting = `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'idempotent_answers'::regclass`;
    await until(async () => (await other.query<unknown[]>(waiting)).length > 0);
    client.reset();
    await until(() => response.destroyed);
    await runner.query('COMMIT');
    await runner.release();
    expect((await service.post('/v1/pets', PET)).status).toBe(201);
    expect(create).toHaveBeenCalledTimes(1);
    const again = await service.post('/v1/pets', PET, { 'Idempotency-Key': 'gone' });
    expect(again.status).toBe(201);
    expect(again.headers.get('idempotency-replayed')).toBeNull();
  });
});

describe('A request that waits for a connection to PostgreSQL', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService('postgres', {
      DATABASE_POOL_SIZE: '1',
    });
    await service.fetch('/v1/pets/1');
  });
  afterAll(() => service.stop());

  /** Makes clients wait and leave, and returns how many executions of statements on pets were sent since. */
  async function sentAfter(
    clients: readonly ('stays' | 'leaves')[],
    request = 'GET /v1/pets/1 HTTP/1.1\r\n',
    end = '\r\n',
  ): Promise<number> {
    const pool = poolOf(service.app.get(Database).dataSource);
    const held = await pool.connect();
    const responses: ServerResponse[] = [];
    const note = (_: unknown, response: ServerResponse) => void responses.push(response);
    service.app.getHttpServer().on('request', note);
    const connections = await Promise.all(clients.map(() => RawConnection.open(service.port)));
    for (const connection of connections)
      connection.send(`${request}Host: a\r\nAuthorization: Bearer ${service.key}\r\n${end}`);
    await until(() => responses.length === clients.length && pool.waitingCount > 0);
    // The last one has come as far as its statement.
    await turn();
    for (const [i, connection] of connections.entries()) if (clients[i] === 'leaves') connection.reset();
    const left = clients.filter((client) => client === 'leaves').length;
    await until(() => responses.filter(({ destroyed }) => destroyed).length === left);
    const query = jest.spyOn(held, 'query');
    const bind = jest.spyOn((held as unknown as { connection: Connection }).connection, 'bind');
    held.release();
    await until(() => pool.waitingCount === 0 && pool.idleCount === 1);
    const statements = query.mock.calls.map(([one]) => one as unknown as { name: string; text: string });
    const ofPets = new Set(statements.filter(({ text }) => text.includes('"pets"')).map(({ name }) => name));
    const sent = bind.mock.calls.filter(([config]) => ofPets.has(config?.statement ?? '')).length;
    query.mockRestore();
    bind.mockRestore();
    service.app.getHttpServer().off('request', note);
    for (const connection of connections) connection.destroy();
    return sent;
  }

  it('runs no query once its client has gone, unlike others beside it', async () => {
    expect(await sentAfter(['stays', 'leaves', 'stays', 'leaves'])).toBe(2);
    expect(await sentAfter(['leaves'])).toBe(0);
    expect(await sentAfter(['stays'])).toBe(1);
    expect(service.log()).not.toContain('"level":50');
  });

  it('completes a change that it has begun, although its client has gone', async () => {
    expect(await sentAfter(['leaves'], ADD, `\r\n${BODY}`)).toBeGreaterThan(0);
  });
});
