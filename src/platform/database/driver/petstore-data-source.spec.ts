import { setImmediate as turn } from 'node:timers/promises';
import { describeEachEngine } from '../../../../test/support/databases/databases';
import { openSampleDatabase, Sample } from '../../../../test/support/databases/sample-database';

/** Far more often than is needed. */
const TOO_OFTEN = 1_000;

/** What its next statement says. */
const REFUSALS = {
  sqlite: 'The service cannot reach its database',
  postgres: 'The transaction of this work has ended',
};

describeEachEngine('A data source that is destroyed while a transaction is in progress', (engine) => {
  it('rolls it back, and ends', async () => {
    const samples = await openSampleDatabase(engine);
    const { dataSource, database } = samples;
    const hasWritten = Promise.withResolvers<void>();
    const isDestroyed = Promise.withResolvers<void>();
    const work = database.transaction(async () => {
      const runner = dataSource.createQueryRunner();
      const release = runner.release.bind(runner);
      let asked = 0;
      // What asks without end would stop this test for ever.
      runner.release = () =>
        ++asked < TOO_OFTEN ? release() : Promise.reject(new Error('Asked too often.'));
      await dataSource.getRepository(Sample).insert({ label: 'lost' });
      hasWritten.resolve();
      await isDestroyed.promise;
      await dataSource.getRepository(Sample).insert({ label: 'late' });
    });
    await hasWritten.promise;
    await dataSource.destroy();
    isDestroyed.resolve();
    await expect(work).rejects.toThrow(REFUSALS[engine]);
    await turn();
    await dataSource.initialize();
    expect(await samples.labels()).toEqual([]);
    await samples.close();
  });
});
