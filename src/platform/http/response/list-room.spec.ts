import { setTimeout as pause } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { startTestService, type TestService } from '../../../../test/support/service/service';

/** More than may wait of a client whose lists are known to be large. */
const AT_ONCE = 40;

describe('The room for lists', () => {
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

  it('serves all the small lists that a new client asks for while the first of them is read', async () => {
    const runner = other.createQueryRunner();
    await runner.query('BEGIN; LOCK TABLE pets IN ACCESS EXCLUSIVE MODE');
    const lists = Array.from({ length: AT_ONCE }, () => service.fetch('/v1/pets?limit=1'));
    await pause(500);
    await runner.query('COMMIT');
    await runner.release();
    const statuses = (await Promise.all(lists)).map(({ status }) => status);
    expect(statuses).toEqual(Array(AT_ONCE).fill(200));
  });
});
