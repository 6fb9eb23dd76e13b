import { DataSource } from 'typeorm';
import { describeEachEngine, describeOneEngine } from '../../../test/support/databases/databases';
import { addToSchema } from '../../../test/support/databases/with-schema';
import {
  CreateMembers1790000000002,
  Member,
  MEMBERS_ADMIN,
  MembersModule,
} from '../../../test/support/members.module';
import { countRowsRead, watchSelects } from '../../../test/support/service/rows-read';
import { startTestService, type TestService } from '../../../test/support/service/service';
import { withFeatures } from '../../../test/support/service/with-features';
import { Pet } from '../../pets/pet.entity';
import { PETS_ADMIN } from '../../pets/pets.admin';
import { PetsSeed } from '../../pets/pets.seed';
import { PetsService } from '../../pets/pets.service';
import { RecordsService } from '../records/records.service';
import { StatisticsService, type RecordStatistics } from './statistics.service';
import { DAY_MS } from '../../platform/values/calendar';

describeOneEngine('Statistics of records', (engine) => {
  let service: TestService;

  beforeEach(async () => {
    service = await startTestService(engine);
  });
  afterEach(() => service.stop());

  function statistics(): Promise<RecordStatistics> {
    const { app } = service;
    const pets = app.get(RecordsService).recordTypeNamed('pets');
    return app.get(StatisticsService).of(pets as NonNullable<typeof pets>);
  }

  async function add(status?: string): Promise<bigint> {
    const response = await service.post('/v1/pets', {
      name: 'Rex',
      categoryId: 1,
      ...(status && { status }),
    });
    expect(response.status).toBe(201);
    return BigInt(((await response.json()) as { id: number }).id);
  }

  it('count records by each value of an enum and in total, without removed records', async () => {
    for (const status of ['available', 'available', 'sold', undefined]) await add(status);
    const removed = [await add('available'), await add()];
    for (const id of removed) await service.app.get(PetsService).delete(id);
    const { total, byField } = await statistics();
    expect(byField.map(({ field, counts }) => [field.name, counts])).toEqual([
      [
        'status',
        [
          { value: 'available', count: 2 },
          { value: 'pending', count: 0 },
          { value: 'sold', count: 1 },
          { value: null, count: 1 },
        ],
      ],
    ]);
    expect(total).toBe(4);
  });

  it('count records for each of the last 30 days in UTC', async () => {
    const ids = [await add(), await add(), await add(), await add()];
    const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    const instants = [midnight, midnight - 1, midnight - 29 * DAY_MS, midnight - 29 * DAY_MS - 1];
    const stored = (ms: number) =>
      new Date(ms)
        .toISOString()
        .replace(engine === 'sqlite' ? /[TZ]/g : '', ' ')
        .trim();
    for (const [i, ms] of instants.entries()) {
      await service.app
        .get(DataSource)
        .query(`UPDATE "pets" SET "created_at" = '${stored(ms)}' WHERE "id" = ${ids[i]}`);
    }
    const { added } = await statistics();
    expect(added?.steps.from).toEqual(new Date(midnight - 29 * DAY_MS));
    expect(added?.counts).toEqual([1, ...Array.from({ length: 27 }, () => 0), 1, 1]);
  });

  it('are counted once for all who ask at the same time, and reused for a while', async () => {
    const [one, other] = await Promise.all([statistics(), statistics()]);
    expect(other).toBe(one);
    await add();
    expect(await statistics()).toBe(one);
  });

  it('are counted again after a failure', async () => {
    const rename = (from: string, to: string) =>
      service.app.get(DataSource).query(`ALTER TABLE "${from}" RENAME TO "${to}"`);
    await rename('pets', 'elsewhere');
    await expect(statistics()).rejects.toThrow('not migrated');
    await rename('elsewhere', 'pets');
    await expect(statistics()).resolves.toMatchObject({ total: 0 });
  });
});

describeOneEngine('Statistics of records without an enum or a date', (engine) => {
  it('are how many there are, without removed records', async () => {
    const takeBack = addToSchema({ entities: [Member], migrations: [CreateMembers1790000000002] });
    const service = await withFeatures({ MembersModule }, () => startTestService(engine));
    const records = service.app.get(RecordsService, { strict: false });
    const ids: bigint[] = [];
    for (const name of ['Ana', 'Ben', 'Eve']) {
      ids.push((await records.create(MEMBERS_ADMIN, { name, points: 1 })).id);
    }
    const [first] = ids as [bigint];
    await records.remove(MEMBERS_ADMIN, first);
    expect(await service.app.get(StatisticsService, { strict: false }).of(MEMBERS_ADMIN)).toMatchObject({
      total: 2,
      byField: [],
      added: undefined,
    });
    await service.stop();
    takeBack();
  });
});

describeEachEngine('Statistics of the pets of many years', (engine) => {
  it('are counted in indexes that have no others, whatever the engine knows of the values', async () => {
    const service = await startTestService(engine);
    await service.app.get(PetsSeed, { strict: false }).add(20_000, { isAged: true });
    const dataSource = service.app.get(DataSource);
    await dataSource.query(engine === 'postgres' ? 'VACUUM ANALYZE pets' : 'ANALYZE');
    const { selects, result } = await watchSelects(dataSource, () =>
      service.app.get(StatisticsService, { strict: false }).of(PETS_ADMIN),
    );
    const stored = await dataSource.getRepository(Pet).count();
    const added = result.added?.counts.reduce((sum, count) => sum + count, 0) ?? 0;
    const counted = await countRowsRead(service.database.url, selects);
    expect(counted).toHaveLength(selects.length);
    expect(counted.reduce((sum, { read }) => sum + read, 0)).toBe(stored + added);
    await service.stop();
  });
});
