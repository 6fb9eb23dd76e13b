import { DataSource } from 'typeorm';
import { startAnotherNode, startTestService, type TestService } from '../../../test/support/service/service';
import { until } from '../../../test/support/until';
import { ReadOnlyMode } from './read-only-mode';

const PET = JSON.stringify({ name: 'Rex', categoryId: 1 });

describe('Read-only mode', () => {
  let service: TestService;
  let database: DataSource;

  beforeEach(async () => {
    service = await startTestService('sqlite');
    database = service.app.get(DataSource);
  });
  afterEach(() => service.stop());

  async function create(url: string): Promise<number> {
    const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' };
    return (await fetch(`${url}/v1/pets`, { method: 'POST', headers, body: PET })).status;
  }

  it('is on while its row is there, also when the rest of the row cannot be read, which is logged once', async () => {
    const faults = () => service.log().split('service_modes').length - 1;
    await database.query(
      `INSERT INTO "service_modes" ("name", "since", "actor") VALUES ('read-only', 'soon', 'x')`,
    );
    await until(() => service.app.get(ReadOnlyMode).isOn);
    expect(await create(service.url)).toBe(503);
    await until(() => faults() > 0);
    expect(service.app.get(ReadOnlyMode).sentence).toContain('service_modes');
    await database.query('DELETE FROM "service_modes"');
    await until(() => !service.app.get(ReadOnlyMode).isOn);
    expect(await create(service.url)).toBe(201);
    expect(faults()).toBe(1);
  });

  it('counts as on from a start that cannot tell, until it can', async () => {
    await database.query('ALTER TABLE "service_modes" RENAME TO "modes"');
    await database.query(`CREATE VIEW "service_modes" AS SELECT json('{') AS "name"`);
    const node = await startAnotherNode(service);
    expect(await create(node.url)).toBe(503);
    await database.query('DROP VIEW "service_modes"');
    await database.query('ALTER TABLE "modes" RENAME TO "service_modes"');
    await until(async () => (await create(node.url)) === 201);
    await node.stop();
  });

  it('is off while its table is still to be made', async () => {
    await database.query('ALTER TABLE "service_modes" RENAME TO "modes"');
    const node = await startAnotherNode(service);
    expect(await create(node.url)).toBe(201);
    await node.stop();
  });
});
