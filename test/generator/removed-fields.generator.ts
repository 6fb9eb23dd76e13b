import type { DataSource } from 'typeorm';
import { migrate, revert } from '../../src/platform/database/schema/migrate';
import { createTestDatabase, describeEachEngine, type TestDatabase } from '../support/databases/databases';
import { findingsOf } from './support/findings';
import { changed, expectFormatted, expectRefusal, succeed } from './support/module-commands';
import { Project } from './support/project';
import { driftOf, openWith, type Release, releaseOf, setVersion } from './support/releases';

/** Fields of each sort that leaves traces of its own; the name stays. */
const FIELDS =
  'name:string code:string(max=20,unique) city:string(max=40,default=unknown,prefix,sort) kind:enum(shop|farm)? petId:ref(pets)? price:decimal(10,2,min=1)';
const REMOVED = ['code', 'city', 'kind', 'petId', 'price'];

describe('npm run generate -- remove', () => {
  const project = new Project();
  const releases: Release[] = [];

  beforeAll(() => succeed(project, 'feature', 'sculptors', '--fields', FIELDS));

  const keepRelease = () => releases.push(releaseOf(project));

  it('takes fields out of all code, and keeps the columns while other nodes serve', async () => {
    keepRelease();
    setVersion(project, '1.1.0');
    const controller = 'src/sculptors/sculptors.controller.ts';
    project.write(controller, project.read(controller).replace("'List sculptors'", "'All of our sculptors'"));
    const before = project.sources();
    for (const name of REMOVED) {
      const lines = await succeed(project, 'remove', 'sculptors', name);
      expect(lines.at(-2)).toContain('Run the same command again for 1.3.0 or later');
    }
    const paths = changed(project, before);
    await expectFormatted(project, paths);
    const migrations = paths.filter((path) => path.includes('/migrations/'));
    expect(migrations.map((path) => path.replace(/.*\d{13}-/, ''))).toEqual([
      'let-sculptors-have-no-code.ts',
      'let-sculptors-have-no-city.ts',
      'let-sculptors-have-no-price.ts',
    ]);
    const read = (path: string) => project.read(`src/sculptors/${path}`);
    expect(read('sculptors.spec.ts')).toContain("const changes = { name: 'other text' };");
    expect(read('sculptors.controller.ts')).toContain("'All of our sculptors'");
    expect(read('sculptors.controller.ts')).not.toMatch(/DuplicateValueError|MissingReferenceError/);
    expect(read('sculptors.service.ts')).toContain('findPage(query);');
    expect(read('sculptors.samples.ts')).toContain('function members(_n: number) {\n  return {};');
    for (const path of ['sculptors.service.ts', 'sculptors.spec.ts', 'sculptors.samples.ts']) {
      expect(read(path)).not.toMatch(/\b(?:city|kind|petId|price|SculptorKind|OPTIONAL)\b/);
    }
    for (const path of ['dto/new-sculptor.dto.ts', 'dto/list-sculptors.query.ts', 'dto/sculptor.dto.ts']) {
      expect(read(path)).not.toMatch(/code|city|kind|petId|price|sort/i);
    }
    keepRelease();
  });

  it('changes nothing more before the release after the next, and says so', async () => {
    setVersion(project, '1.2.0');
    const before = project.sources();
    expect(await succeed(project, 'remove', 'sculptors', 'city')).toEqual([
      'The field city of sculptors was retired for version 1.1.0, and this is 1.2.0: nothing was changed. The next step is for 1.3.0 or later (docs/schema-changes.md).',
    ]);
    expect(project.sources()).toEqual(before);
  });

  it('drops the columns then, with all that belongs to them', async () => {
    setVersion(project, '1.3.0');
    const before = project.sources();
    for (const name of REMOVED) {
      const lines = await succeed(project, 'remove', 'sculptors', name);
      expect(lines.at(-2)).toMatch(
        /^It drops on purpose: add 'Drop\w+OfSculptors\d{13}' to ACCEPTED in test\/contract\/every-migration\.spec\.ts\.$/,
      );
    }
    const paths = changed(project, before);
    await expectFormatted(project, paths);
    expect(paths.filter((path) => path.includes('/migrations/'))).toHaveLength(REMOVED.length);
    expect(project.read('src/sculptors/sculptor.entity.ts')).not.toMatch(/code|city|kind|pet|price|RETIRED/i);
    expect([...project.sources().keys()]).not.toContain('src/sculptors/sculptor-kind.ts');
    expect(project.read('src/sculptors/.generated.json')).not.toContain('"steps"');
    keepRelease();
  });

  it.each([
    ['city', 'sculptors have no field city that can be removed: their fields are name.'],
    ['createdAt', 'sculptors have no field createdAt that can be removed: their fields are name.'],
    [
      'name',
      'The field name is the only one of sculptors that clients give: add another one by npm run generate -- field sculptors "…" first.',
    ],
  ])('refuses %s, and says why', (name, sentence) =>
    expectRefusal(project, ['remove', 'sculptors', name], sentence),
  );

  it('takes a field out of a nested collection, but not the parent of each item', async () => {
    await succeed(project, 'child', 'pets', 'walks', '--fields', 'route:string note:string?');
    await succeed(project, 'field', 'walks', 'hour:integer(max=23)?');
    expect(project.read('src/walks/walks.spec.ts')).toContain("note: 'some text', hour: 1 }");
    await succeed(project, 'remove', 'walks', 'note');
    expect(project.read('src/walks/walks.spec.ts')).toContain("{ route: 'some text', hour: 1 }");
    await expectRefusal(
      project,
      ['remove', 'walks', 'petId'],
      'The field petId is not in NewWalkDto or WalkDto of src/walks as the generator writes one: change it by hand (docs/schema-changes.md).',
    );
  });

  it('hurts nothing that serves, but by the columns that it drops at last', async () => {
    const { entity, migrations } = releases.at(-1) as Release;
    const dropped = ['Code', 'City', 'Kind', 'PetId', 'Price'].map((name) => `Drop${name}OfSculptors`);
    expect(migrations.length).toBeGreaterThan(dropped.length);
    expect(await findingsOf([entity], migrations)).toEqual(dropped);
  });

  describeEachEngine('migrates the table', (engine) => {
    let database: TestDatabase;
    let opened: DataSource | undefined;

    beforeAll(async () => (database = await createTestDatabase(engine)));
    afterAll(() => database.drop());
    afterEach(() => opened?.destroy());

    async function open(release: number): Promise<DataSource> {
      const { entity, migrations } = releases[release] as Release;
      opened = await openWith(database.url, [entity], migrations);
      await migrate(opened);
      return opened;
    }

    it('lets both versions store rows while a column is retired', async () => {
      await open(0);
      await opened?.destroy();
      const retired = await open(1);
      expect(await driftOf(retired)).toEqual([]);
      await retired.query(`INSERT INTO "sculptors" ("name") VALUES ('new')`);
      await retired.query(
        `INSERT INTO "sculptors" ("name", "code", "city", "price") VALUES ('old', 'A', 'Ulm', 2)`,
      );
      await expect(
        retired.query(
          `INSERT INTO "sculptors" ("name", "code", "city", "price") VALUES ('old', 'B', 'Ulm', 0)`,
        ),
      ).rejects.toThrow(/chk_sculptors_price/);
    });

    it('drops it, and brings it back empty', async () => {
      const dropped = await open(2);
      expect(await driftOf(dropped)).toEqual([]);
      expect(await dropped.query('SELECT * FROM "sculptors" ORDER BY "id"')).toEqual([
        { id: expect.anything() as unknown, name: 'new', created_at: null },
        { id: expect.anything() as unknown, name: 'old', created_at: null },
      ]);
      for (const _ of REMOVED) await revert(dropped);
      await dropped.destroy();
      expect(await driftOf(await open(1))).toEqual([]);
    });
  });
});
