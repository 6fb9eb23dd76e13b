import { Client } from 'pg';
import { ask, creation, type WireRequest } from '../contract/support/request';
import { expectRefused } from '../contract/support/rows';
import { startTestService, type TestService } from '../support/service/service';

const UNAVAILABLE = { status: 503, code: 'service_unavailable', fields: { 'Retry-After': /^[1-9]\d*$/ } };
const NEW_PET = creation('{"name":"Rex","categoryId":1}');
const OPERATIONS: WireRequest[] = [{}, NEW_PET, { target: '/v1/pets/1' }];

describe('A service whose PostgreSQL does not respond', () => {
  let service: TestService;
  let other: Client;
  beforeAll(async () => {
    service = await startTestService('postgres', {
      DATABASE_POOL_SIZE: '1',
      // A request waits 0.7 s for a connection then, less than a check of health may take.
      DATABASE_STATEMENT_TIMEOUT_MS: '1750',
    });
    await ask(service, NEW_PET);
    other = new Client({ connectionString: service.database.url });
    await other.connect();
    await other.query('BEGIN; LOCK TABLE pets IN ACCESS EXCLUSIVE MODE');
  });
  afterAll(async () => {
    await other.end();
    await service.stop();
  });

  it('responds with 503 to a slow statement and to a request without a connection', async () => {
    await Promise.all(OPERATIONS.map((request) => expectRefused(service, { ...UNAVAILABLE, request })));
  });

  it('is not ready before the statement that blocks it has ended', async () => {
    let ended = false;
    const list = ask(service, {}).finally(() => (ended = true));
    await expectRefused(service, { ...UNAVAILABLE, request: { target: '/health/ready', key: null } });
    expect(ended).toBe(false);
    expect(await list).toMatchObject({ status: 503 });
  });

  it('recovers by itself', async () => {
    await other.query('ROLLBACK');
    for (const request of OPERATIONS) expect((await ask(service, request)).status).toBeLessThan(300);
  });
});
