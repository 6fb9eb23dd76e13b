import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { ApiKeysService } from '../../src/auth/api-keys.service';
import { sqliteFile } from './support/sql';
import { startTestService, type TestService } from '../support/service/service';

const PET = { name: 'Rex', categoryId: 1 };

describe('A service whose database file', () => {
  let service: TestService;
  let file: string;
  let aside: string;

  beforeEach(async () => {
    service = await startTestService('sqlite');
    file = sqliteFile(service.database);
    aside = `${file}.aside`;
  });
  afterEach(() => service.stop());

  /** The health details of the database, with the status of both endpoints. */
  async function readiness() {
    const details = await fetch(`${service.managementUrl}/health/ready`);
    const { checks } = (await details.json()) as { checks: { database: object } };
    return [(await service.fetch('/health/ready')).status, details.status, checks.database];
  }

  it.each([
    ['was deleted', () => undefined],
    ['was replaced by a copy', () => copyFileSync(aside, file)],
  ])('%s reports that, is not ready, and refuses writes', async (_what, replace) => {
    expect((await service.post('/v1/pets', PET)).status).toBe(201);
    expect(await readiness()).toEqual([200, 200, expect.objectContaining({ status: 'ok' })]);
    renameSync(file, aside);
    replace();
    expect(await readiness()).toEqual([
      503,
      503,
      expect.objectContaining({
        status: 'failed',
        reason: 'The database file was deleted or replaced while it was open.',
      }),
    ]);
    const keys = service.app.get(ApiKeysService);
    const refused = [
      await service.post('/v1/pets', PET),
      await service.post('/v1/pets', PET, { 'idempotency-key': 'once' }),
      ...(await Promise.all([1, 2, 3].map(() => service.post('/v1/pets', PET)))),
    ];
    for (const response of refused) {
      expect(response.status).toBe(503);
      expect(await response.json()).toMatchObject({ code: 'service_unavailable' });
    }
    await expect(keys.create({ name: 'lost', scopes: ['pets:read'] })).rejects.toMatchObject({ status: 503 });

    rmSync(file, { force: true });
    renameSync(aside, file);
    expect(await readiness()).toEqual([200, 200, expect.objectContaining({ status: 'ok' })]);
    expect((await service.post('/v1/pets', PET)).status).toBe(201);
    expect(await (await service.fetch('/v1/pets')).json()).toHaveLength(2);
  });
});
