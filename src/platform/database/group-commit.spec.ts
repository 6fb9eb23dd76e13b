import { startTestService, type TestService } from '../../../test/support/service';
import { Pet } from '../../pets/pet.entity';
import { PetStatus } from '../../pets/pet-status';
import { PetsRepository } from '../../pets/pets.repository';
import { Database } from './database';
import { sqliteOf } from './statement';

describe('writes that arrive together on SQLite', () => {
  let service: TestService;
  let database: Database;
  let pets: PetsRepository;

  beforeAll(async () => {
    service = await startTestService('sqlite');
    database = service.app.get(Database);
    pets = service.app.get(PetsRepository);
  });
  afterAll(() => service.stop());

  const insert = (name: string, status: string | null = null) =>
    pets.insert({ name, categoryId: 1n, status: status as PetStatus | null });
  const names = async () => (await database.with(Pet, (all) => all.find())).map(({ name }) => name);

  it('are each stored once and answered with their own row', async () => {
    const stored = await Promise.all(Array.from({ length: 50 }, (_, i) => insert(`together ${i}`)));
    expect(new Set(stored.map(({ id }) => id)).size).toBe(50);
    for (const { id, name } of stored) expect((await pets.find(id))?.name).toBe(name);
  });

  it('share one transaction', async () => {
    const before = database.version() as number;
    await Promise.all(Array.from({ length: 20 }, (_, i) => insert(`shared ${i}`)));
    expect(database.version()).toBe(before + 1);
  });

  it('fail alone when one is refused by a constraint', async () => {
    const outcomes = await Promise.allSettled([insert('good 1'), insert('bad', 'eaten'), insert('good 2')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const stored = await names();
    expect(stored).toEqual(expect.arrayContaining(['good 1', 'good 2']));
    expect(stored).not.toContain('bad');
  });

  it('all fail, and none is stored, when one of them ends the transaction', async () => {
    const connection = sqliteOf(database.dataSource);
    connection.exec(
      `CREATE TRIGGER full_disk BEFORE INSERT ON pets WHEN NEW.name = 'full' BEGIN SELECT RAISE(ROLLBACK, 'full'); END`,
    );
    const outcomes = await Promise.allSettled([insert('early'), insert('full'), insert('late')]);
    connection.exec('DROP TRIGGER full_disk');
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    const stored = await names();
    for (const name of ['early', 'full', 'late']) expect(stored).not.toContain(name);
  });

  it('wait for a transaction in progress and are not part of it', async () => {
    let outside: Promise<unknown> = Promise.resolve();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: finish, resolve: end } = Promise.withResolvers<void>();
    const transaction = database.transaction(async () => {
      await insert('inside');
      begin();
      await finish;
      throw new Error('taken back');
    });
    await begun;
    outside = Promise.all([insert('outside 1'), insert('outside 2')]);
    end();
    await expect(transaction).rejects.toThrow('taken back');
    await outside;
    const stored = await names();
    expect(stored).toEqual(expect.arrayContaining(['outside 1', 'outside 2']));
    expect(stored).not.toContain('inside');
  });
});
