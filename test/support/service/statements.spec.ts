import { DataSource, Like } from 'typeorm';
import { runSql } from '../../contract/support/sql';
import { Pet } from '../../../src/pets/pet.entity';
import { PetsModule } from '../../../src/pets/pets.module';
import { PetsSeed } from '../../../src/pets/pets.seed';
import { describeEachEngine } from '../databases/databases';
import { VansModule } from '../vans.module';
import { expectStatements, startTestService, type TestService } from './testing';

describeEachEngine('expectStatements', (engine) => {
  let service: TestService;
  beforeAll(async () => (service = await startTestService(engine, { PetsModule, VansModule })));
  afterAll(() => service.stop());

  it('returns what the work returns when that runs the expected number of statements', async () => {
    const key = await service.keyWith('pets:read');
    const read = () => service.fetch('/v1/pets/4711', { headers: { authorization: `Bearer ${key}` } });
    for (const _ of ['unknown', 'known']) {
      expect((await expectStatements(service, 1, read)).status).toBe(404);
    }
  });

  it('lists the statements with number and place when they differ', async () => {
    const several = () => Promise.all([service.fetch('/v1/vans/3'), service.fetch('/v1/pets/4711')]);
    await expect(expectStatements(service, 2, several)).rejects.toThrow(
      /^Expected 2 statements, and 4 were run:\n3 × SELECT [^\n]* FROM "pets" [^\n]* \(test\/support\/vans\.module\.ts:27\)\n1 × SELECT [^\n]* FROM "pets" [^\n]* \(src\/pets\/[\w.-]+\.ts:\d+\)$/,
    );
  });

  it('lists the statements that read more rows than their results explain', async () => {
    await service.app.get(PetsSeed, { strict: false }).add(1_000, { isAged: true });
    const pets = service.app.get(DataSource).getRepository(Pet);
    const withName = (name: string) => () => pets.find({ where: { name: Like(name) }, take: 5 });
    await runSql(service.database, 'ANALYZE');
    await expect(expectStatements(service, 1, withName('%nobody%'))).rejects.toThrow(
      /^Statements read too many rows:\n\d{3,4} rows read for 0: SELECT [^\n]* FROM "pets" [^\n]*$/,
    );
    await expectStatements(service, 1, () => pets.find({ order: { id: 'ASC' }, take: 5 }));
    await runSql(service.database, 'DELETE FROM pets');
  });

  it('counts only the statements of the work itself', async () => {
    const pets = service.app.get(DataSource).getRepository(Pet);
    await pets.count();
    await expectStatements(service, 0, () => Promise.resolve());
    await expectStatements(service, 2, async () => {
      await pets.count();
      await pets.count();
    });
    const beside = service.fetch('/v1/vans/1');
    await beside;
    await expect(expectStatements(service, 1, () => pets.find())).resolves.toEqual([]);
  });
});
