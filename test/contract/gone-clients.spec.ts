import type { ServerResponse } from 'node:http';
import { DataSource } from 'typeorm';
import { RawConnection } from '../support/http/raw-http';
import { startTestService, type TestService } from '../support/service/service';
import { until } from '../support/until';
import { PetsService } from '../../src/pets/pets.service';

const PET = { name: 'Rex', categoryId: 1 };
const BODY = JSON.stringify(PET);

describe('A request that waits ahead of its handler', () => {
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

  /** Has a client ask for a pet to be added. */
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

  it('ends there when its client has gone meanwhile, and lets the next with its Idempotency-Key begin', async () => {
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
