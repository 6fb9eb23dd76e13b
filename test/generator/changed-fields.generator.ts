import type { DataSource } from 'typeorm';
import { migrate, revert } from '../../src/platform/database/schema/migrate';
import { createTestDatabase, describeEachEngine, type TestDatabase } from '../support/databases/databases';
import { findingsOf } from './support/findings';
import { generatedClass, type Migration } from './support/generated-classes';
import { changed, expectFormatted, expectRefusal, succeed } from './support/module-commands';
import { Project } from './support/project';
import { driftOf, openWith, type Release, setVersion } from './support/releases';

const DTO = 'src/sculptors/dto/new-sculptor.dto.ts';
const ENTITY = 'src/sculptors/sculptor.entity.ts';
const SERVICE = 'src/sculptors/sculptors.service.ts';
const SPEC = 'src/sculptors/sculptors.spec.ts';

describe('npm run generate -- change', () => {
  const project = new Project();
  const releases: Release[] = [];
  const migrations: Migration[] = [];

  beforeAll(async () => {
    await succeed(
      project,
      'feature',
      'sculptors',
      '--fields',
      'name:string(max=80,personal) code:string(max=20,unique) city:string(default=unknown) kind:enum(shop|farm)? score:integer(min=1,max=9)',
    );
    keepRelease(/create-sculptors\.ts$/);
  });

  /** Keeps the entity and a new migration, for the tests on the engines. */
  function keepRelease(migration: RegExp): void {
    migrations.push(generatedClass(project, migration) as Migration);
    releases.push({ entity: generatedClass(project, /sculptor\.entity\.ts$/), migrations: [...migrations] });
  }

  it('narrows a field for clients, and has the next migration look at the rows', async () => {
    setVersion(project, '1.1.0');
    project.write(DTO, project.read(DTO).replace("'Name of the sculptor.'", "'As on the letterhead.'"));
    project.write(SPEC, `${project.read(SPEC)}\n// Ours: { name: 'some text' }\n`);
    const before = project.sources();
    const lines = await succeed(project, 'change', 'sculptors', 'name:string(min=2,max=8)');
    const paths = changed(project, before);
    expect(paths).toEqual([
      expect.stringMatching(/migrations\/\d{13}-require-limits-of-name-of-sculptors\.ts$/),
      'src/sculptors/.generated.json',
      DTO,
      SPEC,
    ]);
    await expectFormatted(project, paths);
    expect(lines).toContain(
      "name: example 'some text' -> 'abcdefgh', maxLength 80 -> 8, minLength none -> 2",
    );
    expect(project.read(DTO)).toMatch(/'As on the letterhead\.'[^}]*isPersonal: true/);
    expect(project.read(SPEC)).toContain("name: 'abcdefgh',");
    expect(project.read(SPEC)).toContain("const changes = { name: 'bbcdefgh' };");
    expect(project.read(SPEC)).toContain("\n// Ours: { name: 'some text' }\n");
    expect(project.read(SPEC)).toContain("toMatchObject({\n      code: 'duplicate_value'");
    keepRelease(/require-limits-of-name/);
  });

  it('changes nothing more before the release after the next, and says so', async () => {
    const before = project.sources();
    for (const next of ['1.1.3', '1.2.0']) {
      setVersion(project, next);
      expect(await succeed(project, 'change', 'sculptors', 'name:string(min=2,max=8)')).toEqual([
        `The field name of sculptors was narrowed for version 1.1.0, and this is ${next}: nothing was changed. The next step is for 1.3.0 or later (docs/schema-changes.md).`,
      ]);
    }
    expect(project.sources()).toEqual(before);
  });

  it('waits as well when something else is changed meanwhile', async () => {
    await succeed(project, 'change', 'sculptors', "name:string(min=2,max=8,description='As registered.')");
    expect(project.read(DTO)).toContain("description: 'As registered.'");
    const [line] = await succeed(project, 'change', 'sculptors', 'name:string(min=2,max=8)');
    expect(line).toContain('The next step is for 1.3.0 or later');
  });

  it('lets the database keep to the limits then', async () => {
    setVersion(project, '1.3.0');
    await succeed(project, 'change', 'sculptors', 'name:string(min=2,max=8)');
    expect(project.read(ENTITY)).toContain(
      '@Check(\'chk_sculptors_name\', `length("name") BETWEEN 2 AND 8`)',
    );
    expect(project.read('src/sculptors/.generated.json')).not.toContain('"steps"');
    keepRelease(/limit-name-of/);
    expect(await succeed(project, 'change', 'sculptors', 'name:string(min=2,max=8)')).toEqual([
      'name of sculptors is like that already: nothing was changed.',
    ]);
  });

  it('widens a field and gives it another default at once', async () => {
    const before = project.sources();
    await succeed(project, 'change', 'sculptors', 'score:integer(min=-5,default=4)');
    const paths = changed(project, before);
    await expectFormatted(project, paths);
    expect(project.read(ENTITY)).toContain('@Check(\'chk_sculptors_score\', `"score" >= -5`)');
    expect(project.read(DTO)).toContain('score?: number;');
    expect(project.read('src/sculptors/dto/sculptor.dto.ts')).toContain("['city', 'score']");
    expect(project.read(SERVICE)).toContain('score: sculptor.score ?? 4');
    expect(project.read(SPEC)).toContain("it('stores the default score of a sculptor");
    keepRelease(/limit-score-of/);
    await succeed(project, 'change', 'sculptors', 'city:string(default=nowhere)');
    expect(project.read(SERVICE)).toContain("city: sculptor.city ?? 'nowhere'");
    expect(project.read(SPEC)).toContain("city: 'nowhere', id: expect.any(Number)");
  });

  it('gives samples of unique values that match another pattern', async () => {
    await succeed(project, 'change', 'sculptors', "code:string(max=20,pattern='^[A-Z]{2}[0-9]{4}$',unique)");
    expect(project.read('src/sculptors/sculptors.samples.ts')).toContain(
      "code: matching('^[A-Z]{2}[0-9]{4}$', n)",
    );
  });

  it('adds a value to an enum at once, and takes one out over two releases', async () => {
    const values = () => project.read('src/sculptors/sculptor-kind.ts').match(/\w+ = '\w+'/g);
    const before = project.sources();
    await succeed(project, 'change', 'sculptors', 'kind:enum(shop|farm|mill)?');
    expect(values()).toEqual(["Shop = 'shop'", "Farm = 'farm'", "Mill = 'mill'"]);
    expect(project.read(ENTITY)).toContain(`"kind" IN ('shop', 'farm', 'mill')`);
    keepRelease(/limit-kind-of/);
    await succeed(project, 'change', 'sculptors', 'kind:enum(farm|mill)?');
    expect(values()).toEqual(["Farm = 'farm'", "Mill = 'mill'"]);
    expect(project.read(ENTITY)).toContain(`"kind" IN ('shop', 'farm', 'mill')`);
    expect(project.read(SPEC)).not.toMatch(/kind: 'shop'/);
    keepRelease(/require-limits-of-kind-of/);
    const [waiting] = await succeed(project, 'change', 'sculptors', 'kind:enum(farm|mill)?');
    expect(waiting).toContain('was narrowed for version 1.3.0, and this is 1.3.0');
    setVersion(project, '1.5.0');
    await succeed(project, 'change', 'sculptors', 'kind:enum(farm|mill)?');
    expect(project.read(ENTITY)).toContain(`"kind" IN ('farm', 'mill')`);
    keepRelease(/limit-kind-of/);
    await expectFormatted(project, changed(project, before));
  });

  it('gives a field of a nested collection a default', async () => {
    await succeed(project, 'child', 'pets', 'walks', '--fields', 'route:string hour:integer');
    await succeed(project, 'change', 'walks', 'hour:integer(default=8)');
    expect(project.read('src/walks/walks.service.ts')).toContain('hour: walk.hour ?? 8');
    expect(project.read('src/walks/walks.spec.ts')).not.toContain('/v1/walks');
  });

  it('leaves a default to be changed by hand where the service has a rule of its own', async () => {
    const before = project.sources();
    project.write(SERVICE, project.read(SERVICE).replace("sculptor.city ?? 'nowhere'", 'cityOf(sculptor)'));
    project.write(
      SERVICE,
      `${project.read(SERVICE)}\nconst cityOf = ({ city }: NewSculptorDto) => city ?? 'here';\n`,
    );
    const { code, stdout } = await project.generate('change', 'sculptors', 'city:string(default=there)');
    expect(code).toBe(3);
    expect(stdout).toContain(
      "BY HAND src/sculptors/sculptors.service.ts, where a new sculptor is stored:\n    city: sculptor.city ?? 'there',",
    );
    for (const path of changed(project, before)) project.write(path, before.get(path) as string);
  });

  it.each([
    [
      'name:integer',
      `The field name of sculptors is name:string(min='2',max='8',personal), and its type cannot be changed while nodes of the version before serve: add a field of the other type by npm run generate -- field sculptors "<name>:integer?", and take the values over (docs/schema-changes.md).`,
    ],
    [
      'name:string?',
      'The field name of sculptors becomes optional by itself: give it its present limits and values, and change them by a command of its own.',
    ],
    [
      'kind:enum(shop|farm)',
      'The field kind of sculptors becomes required by itself: give it its present limits and values, and change them by a command of its own.',
    ],
    [
      'kind:enum(barn)?',
      'The field kind of sculptors would have none of its values any more: keep one of farm, mill.',
    ],
    [
      'city:string(max=5)',
      'Clients add sculptors without city today, so it needs a default: give the present one, default=nowhere, or another.',
    ],
    [
      'code:string(max=501)',
      'The values of code of sculptors are unique, so it needs a max of 500 or less: PostgreSQL cannot index longer ones.',
    ],
    [
      'name:string(max=8,create-only)',
      'The field name of sculptors is open to changes: who may give it is decided by the classes in src/sculptors/dto, so change it there by hand.',
    ],
    ['town:string', 'sculptors have no field town: their fields are name, code, city, kind, score.'],
    ['name:string city:string', 'One field is changed at a time: run this for name, then for city.'],
  ])('refuses %s, and names the remedy', (field, sentence) =>
    expectRefusal(project, ['change', 'sculptors', field], sentence),
  );

  it('refuses steps over releases for a module without a record, in which they would be noted', () =>
    expectRefusal(
      project,
      ['change', 'pets', 'name:string(max=40)'],
      'src/pets has no record of what was generated, in which the steps of a change over several releases are noted: write one with the command that generated it and --record, or make the change by hand (docs/schema-changes.md).',
    ));

  it('hurts nothing that serves', async () => {
    const { entity, migrations: all } = releases.at(-1) as Release;
    expect(all.length).toBeGreaterThan(3);
    expect(await findingsOf([entity], all)).toEqual([]);
  });

  describeEachEngine('migrates the table', (engine) => {
    let database: TestDatabase;
    let opened: DataSource | undefined;

    beforeAll(async () => (database = await createTestDatabase(engine)));
    afterAll(() => database.drop());
    afterEach(() => opened?.destroy());

    async function open(release: number): Promise<DataSource> {
      const { entity, migrations: known } = releases[release] as Release;
      opened = await openWith(database.url, [entity], known);
      return opened;
    }

    const add = (dataSource: DataSource, name: string, score = 1) =>
      dataSource.query(
        `INSERT INTO "sculptors" ("name", "code", "city", "score") VALUES ('${name}', '${name}', 'Ulm', ${score})`,
      );

    it('refuses rows that do not fit, names them and changes nothing', async () => {
      const before = await open(0);
      await migrate(before);
      for (const name of ['Ada', 'Much too long', 'Longer than that']) await add(before, name);
      await before.destroy();
      const after = await open(1);
      await expect(migrate(after)).rejects.toThrow(
        /sculptors\.name must fulfil length\("name"\) BETWEEN 2 AND 8, and 2 rows do not: ids 2, 3\./,
      );
      await after.query(`UPDATE "sculptors" SET "name" = 'Bo' WHERE "id" > 1`);
      await migrate(after);
      // As a node of the version before does it, which goes on serving.
      await add(after, 'Named before');
    });

    it('checks values once no node allows more, and takes that back', async () => {
      const dataSource = await open(2);
      await dataSource.query(`UPDATE "sculptors" SET "name" = 'Cy' WHERE length("name") > 8`);
      await migrate(dataSource);
      expect(await driftOf(dataSource)).toEqual([]);
      await expect(add(dataSource, 'Much too long again')).rejects.toThrow(/chk_sculptors_name/);
      await revert(dataSource);
      await add(dataSource, 'Too long');
      await migrate(dataSource);
    });

    it('allows more at once', async () => {
      const dataSource = await open(3);
      await migrate(dataSource);
      expect(await driftOf(dataSource)).toEqual([]);
      await add(dataSource, 'Di', -5);
      await expect(add(dataSource, 'Ed', -6)).rejects.toThrow(/chk_sculptors_score/);
    });

    it('takes a new value, refuses rows with one that goes, and then the value itself', async () => {
      const dataSource = await open(releases.length - 3);
      await migrate(dataSource);
      await dataSource.query(`UPDATE "sculptors" SET "kind" = 'shop'`);
      await dataSource.destroy();
      const narrowed = await open(releases.length - 2);
      await expect(migrate(narrowed)).rejects.toThrow(/sculptors\.kind must fulfil/);
      await narrowed.query(`UPDATE "sculptors" SET "kind" = 'mill'`);
      await migrate(narrowed);
      await narrowed.destroy();
      const last = await open(releases.length - 1);
      await migrate(last);
      expect(await driftOf(last)).toEqual([]);
      await expect(last.query(`UPDATE "sculptors" SET "kind" = 'shop'`)).rejects.toThrow(
        /chk_sculptors_kind/,
      );
    });
  });
});
