import * as features from '../../src/features';
import { PetsService } from '../../src/pets/pets.service';
import type { TestDatabase } from '../support/databases/databases';
import { createDistributedDatabase } from '../support/databases/distributed-database';
import { featureNames } from '../support/service/feature-operations';
import { startTestService, type TestService } from '../support/service/service';
import { describeOperations } from './support/describe-operations';
import { describeSpreadRows } from './support/describe-spread-rows';
import { runSql } from './support/sql';

describe('On a distributed database with SERIALIZABLE, scattered keys and no advisory locks', () => {
  let database: TestDatabase;
  let first: TestService;
  let second: TestService;

  beforeAll(async () => {
    database = await createDistributedDatabase();
    // What the tests do by SQL they do on this one, too.
    const start = async () => ({
      ...(await startTestService('postgres', { DATABASE_URL: database.url })),
      database,
    });
    // Both migrate.
    [first, second] = await Promise.all([start(), start()]);
  });
  afterAll(async () => {
    await first.stop();
    await second.stop();
    await database.drop();
  });

  it('two nodes that start at once apply every migration once and are ready', async () => {
    for (const node of [first, second]) {
      const response = await fetch(`${node.managementUrl}/health/ready`);
      expect(await response.json()).toMatchObject({ status: 'ok', checks: { schema: { pending: [] } } });
    }
  });

  describeOperations('postgres', () => first, featureNames(features));

  describe('with ids of the whole range', () => {
    beforeAll(() =>
      runSql(database, 'ALTER TABLE pets ALTER COLUMN id SET DEFAULT random(1, 9223372036854775807)'),
    );

    describeSpreadRows(() => [first, second]);

    it('ids are beyond the precision of a double', async () => {
      const wanted = Array.from({ length: 9 }, () => ({ name: 'far', categoryId: 1n }));
      const made = await first.app.get(PetsService).createMany(wanted);
      expect(made.some(({ id }) => id > 2n ** 60n)).toBe(true);
    });
  });
});
