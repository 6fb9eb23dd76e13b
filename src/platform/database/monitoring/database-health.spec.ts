import { openSampleDatabase, type SampleDatabase } from '../../../../test/support/databases/sample-database';
import { Database } from '../database';
import { DatabaseHealth } from './database-health';

describe('The health of PostgreSQL', () => {
  let samples: SampleDatabase;

  beforeEach(async () => {
    samples = await openSampleDatabase('postgres');
  });
  afterEach(() => samples.close());

  it('is degraded while the server accepts reads alone', async () => {
    expect((await new DatabaseHealth(samples.database).check()).status).toBe('ok');
    const name = new URL(samples.url).pathname.slice(1);
    await samples.dataSource.query(`ALTER DATABASE "${name}" SET default_transaction_read_only = on`);
    const health = new DatabaseHealth(new Database(await samples.another()));
    expect(await health.check()).toMatchObject({
      status: 'degraded',
      advice: expect.stringContaining('default_transaction_read_only') as unknown,
    });
  });

  it('is degraded after the server has refused a change for want of room on its disk', async () => {
    const full = `DO $$ BEGIN RAISE 'no room' USING ERRCODE = '53100'; END $$`;
    await expect(samples.dataSource.query(full)).rejects.toThrow('disk');
    expect(await new DatabaseHealth(samples.database).check()).toMatchObject({
      status: 'degraded',
      reason: expect.stringContaining('disk') as unknown,
    });
  });
});
