import type { DataSource } from 'typeorm';
import { Database } from '../../src/platform/database/database';
import { copyColumn } from '../../src/platform/database/entities/copy-column';
import { migrate, revert } from '../../src/platform/database/schema/migrate';
import { createTestDatabase, describeEachEngine, type TestDatabase } from '../support/databases/databases';
import { findingsOf } from './support/findings';
import { changed, expectFormatted, expectRefusal, succeed } from './support/module-commands';
import { Project } from './support/project';
import { driftOf, openWith, type Release, releaseOf, setVersion } from './support/releases';

const RENAME = ['rename', 'sculptors', 'phone->telephone'] as const;

describe('npm run generate -- rename', () => {
  const project = new Project();
  const releases: Release[] = [];

  beforeAll(async () => {
    const fields =
      'name:string phone:string(max=40,personal)? kind:enum(shop|farm)? petId:ref(pets)? score:integer(default=1) code:string(create-only)? rank:string(read-only)?';
    await succeed(project, 'feature', 'sculptors', '--fields', fields);
    keepRelease();
  });

  const keepRelease = () => releases.push(releaseOf(project));

  /** Makes the step for a version. @returns what it said, and the paths of the files it changed */
  async function step(release: string): Promise<{ lines: string[]; paths: string[] }> {
    setVersion(project, release);
    const before = project.sources();
    const lines = await succeed(project, ...RENAME);
    const paths = changed(project, before);
    await expectFormatted(project, paths);
    keepRelease();
    return { lines, paths: paths.map((path) => path.replace(/\d{13}-/, '')) };
  }

  const read = (path: string) => project.read(`src/sculptors/${path}`);

  it('adds the new name, writes both, reads the old one, and fills the rows that are there', async () => {
    const { lines, paths } = await step('1.1.0');
    expect(paths).toEqual([
      'src/migrations/add-telephone-to-sculptors.ts',
      'src/sculptors/.generated.json',
      'src/sculptors/dto/new-sculptor.dto.ts',
      'src/sculptors/sculptor.entity.ts',
      'src/sculptors/sculptors.service.ts',
      'src/sculptors/sculptors.spec.ts',
    ]);
    expect(lines.at(-2)).toContain('Run the same command again for 1.3.0 or later');
    const service = read('sculptors.service.ts');
    for (const name of ['phone', 'telephone']) {
      expect(service).toContain(`${name}: sculptor.telephone ?? sculptor.phone ?? null,`);
      expect(service).toContain(`${name}: sculptor.phone ?? undefined,`);
    }
    expect(service).toContain('withNamesOfTelephone(patch, sculptor.phone)');
    expect(service).toContain(
      "copyColumn(this.database, { table: 'sculptors', from: 'phone', to: 'telephone' })",
    );
    for (const name of ['phone', 'telephone']) {
      expect(read('dto/new-sculptor.dto.ts').replaceAll(/\s+/g, ' ')).toContain(
        `maxLength: 40, optional: true, isPersonal: true, }) ${name}?: string;`,
      );
    }
    expect(read('sculptors.spec.ts')).toContain("it('takes and gives phone under the name telephone, too'");
  });

  it('changes nothing more before the release after the next, and says so', async () => {
    const before = project.sources();
    setVersion(project, '1.2.0');
    expect(await succeed(project, ...RENAME)).toEqual([
      'The field phone of sculptors got its new name for version 1.1.0, and this is 1.2.0: nothing was changed. The next step is for 1.3.0 or later (docs/schema-changes.md).',
    ]);
    setVersion(project, '1.1.0');
    expect(project.sources()).toEqual(before);
  });

  it('reads the new name then, once all rows have it', async () => {
    const { lines, paths } = await step('1.3.0');
    expect(paths).toEqual([
      'src/migrations/require-telephone-of-sculptors.ts',
      'src/sculptors/.generated.json',
      'src/sculptors/sculptors.service.ts',
    ]);
    expect(lines.at(-2)).toContain('petstore jobs run SculptorsService.fillTelephone');
    const service = read('sculptors.service.ts');
    for (const name of ['phone', 'telephone']) {
      expect(service).toContain(`${name}: sculptor.telephone ?? undefined,`);
    }
    expect(service).toContain('withNamesOfTelephone(patch, sculptor.telephone)');
    expect(service).not.toMatch(/copyColumn|Scheduled/);
  });

  it.each([['remove'], ['unique']])('is not overtaken by the command %s', (command) =>
    expectRefusal(
      project,
      [command, 'sculptors', 'phone'],
      'The field phone of sculptors is being renamed: go on by npm run generate -- rename sculptors "phone->telephone".',
    ),
  );

  it('takes the old name out of all code, and then its column', async () => {
    const { paths } = await step('1.5.0');
    expect(paths.filter((path) => path.includes('/migrations/'))).toEqual([]);
    for (const path of ['sculptors.service.ts', 'sculptors.spec.ts', 'dto/new-sculptor.dto.ts']) {
      expect(read(path)).not.toMatch(/\bphone\b|withNames/);
    }
    expect(read('sculptors.service.ts')).toContain('telephone: sculptor.telephone ?? null,');
    expect(read('sculptors.service.ts')).toContain('applyMergePatch(sculptor, patch)');
    expect(read('sculptors.spec.ts')).toContain('{ telephone: null');
    expect((await step('1.7.0')).paths).toContain('src/migrations/drop-phone-of-sculptors.ts');
    expect(read('sculptor.entity.ts')).not.toMatch(/\bphone\b|RETIRED/);
    expect(read('.generated.json')).not.toContain('"steps"');
    expect(await succeed(project, ...RENAME)).toEqual([
      'sculptors have telephone and no phone already: nothing was changed.',
    ]);
  });

  const BY_HAND = 'rename it by hand, with a column of its own for the new name (docs/schema-changes.md).';
  it.each([
    ['telephone', '"telephone" does not say what is renamed: write both names, as in "phone->telephone".'],
    ['telephone->telephone', 'The field telephone has this name already.'],
    [
      'telephone->score',
      'The field score of sculptors already exists, and telephone is not being renamed to it: choose another name.',
    ],
    [
      'name->title',
      `The field name of sculptors is name:string, and a client that sends it by one name leaves the other one out, so only an optional field without a default is renamed by this command: ${BY_HAND}`,
    ],
    [
      'score->points',
      `The field score of sculptors is score:integer(default='1'), and a client that sends it by one name leaves the other one out, so only an optional field without a default is renamed by this command: ${BY_HAND}`,
    ],
    [
      'code->number',
      `The field code of sculptors is create-only, so only the creation takes its value: ${BY_HAND}`,
    ],
    ['rank->grade', `The field rank of sculptors is read-only, so the service decides its value: ${BY_HAND}`],
    [
      'kind->sort',
      `The field kind of sculptors is kind:enum(shop|farm)?, by which the list is filtered: ${BY_HAND}`,
    ],
    [
      'petId->animalId',
      `The field petId of sculptors is petId:ref(pets)?, by which the list is filtered: ${BY_HAND}`,
    ],
  ])('refuses %s, and says why', (names, sentence) =>
    expectRefusal(project, ['rename', 'sculptors', names], sentence),
  );

  describeEachEngine('migrates the table', (engine) => {
    let testDatabase: TestDatabase;
    let opened: DataSource;

    beforeAll(async () => (testDatabase = await createTestDatabase(engine)));
    afterAll(() => testDatabase.drop());
    afterEach(() => opened.destroy());

    async function open(release: number): Promise<DataSource> {
      const { entity, migrations } = releases[release] as Release;
      opened = await openWith(testDatabase.url, [entity], migrations);
      return opened;
    }

    it('requires that every row has been filled', async () => {
      await migrate(await open(1));
      await opened.query(
        `INSERT INTO "sculptors" ("name", "phone", "score") VALUES ('old', '1', 1), ('none', NULL, 1)`,
      );
      await opened.destroy();
      await expect(migrate(await open(2))).rejects.toThrow(
        /sculptors\.\(phone, telephone\) must fulfil .*, and 1 row does not: id 1\./,
      );
      await copyColumn(new Database(opened), { table: 'sculptors', from: 'phone', to: 'telephone' });
      await migrate(opened);
      expect(await driftOf(opened)).toEqual([]);
    });

    it('keeps the values when the old column is dropped', async () => {
      await migrate(await open(4));
      expect(await driftOf(opened)).toEqual([]);
      expect(await opened.query('SELECT "name", "telephone" FROM "sculptors" ORDER BY "id"')).toEqual([
        { name: 'old', telephone: '1' },
        { name: 'none', telephone: null },
      ]);
      await revert(opened);
      await opened.destroy();
      expect(await driftOf(await open(3))).toEqual([]);
    });
  });

  it('hurts nothing that serves, but by the column that it drops at last', async () => {
    const { entity, migrations } = releases.at(-1) as Release;
    expect(migrations.length).toBeGreaterThan(3);
    expect(await findingsOf([entity], migrations)).toEqual(['DropPhoneOfSculptors']);
  });
});
