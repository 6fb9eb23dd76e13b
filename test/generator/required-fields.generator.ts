import type { DataSource } from 'typeorm';
import { fillColumn } from '../../src/platform/database/entities/fill-column';
import { migrate, revert } from '../../src/platform/database/schema/migrate';
import { createTestDatabase, describeEachEngine, type TestDatabase } from '../support/databases/databases';
import { findingsOf } from './support/findings';
import { changed, expectFormatted, expectRefusal, succeed } from './support/module-commands';
import { Project } from './support/project';
import { driftOf, openWith, type Release, releaseOf, setVersion } from './support/releases';

const NEW = 'src/sculptors/dto/new-sculptor.dto.ts';
const DTO = 'src/sculptors/dto/sculptor.dto.ts';
const PATCH = 'src/sculptors/dto/sculptor-patch.dto.ts';
const ENTITY = 'src/sculptors/sculptor.entity.ts';
const SERVICE = 'src/sculptors/sculptors.service.ts';
const SPEC = 'src/sculptors/sculptors.spec.ts';
const RECORD = 'src/sculptors/.generated.json';

const FIELDS =
  'name:string(max=40) city:string(max=20)? phone:string(max=20)? kind:enum(shop|farm)? rating:integer(default=1) code:string(max=9,create-only)';

describe('npm run generate -- change, of whether a field is optional', () => {
  const project = new Project();
  const releases: Release[] = [];

  beforeAll(async () => {
    await succeed(project, 'feature', 'sculptors', '--fields', FIELDS);
    keepRelease();
  });

  const keepRelease = () => releases.push(releaseOf(project));

  /** Makes a change for a version. @returns what it said, and the paths of the files it changed */
  async function change(version: string, ...args: string[]): Promise<{ lines: string[]; paths: string[] }> {
    setVersion(project, version);
    const before = project.sources();
    const lines = await succeed(project, 'change', 'sculptors', ...args);
    const paths = changed(project, before);
    await expectFormatted(project, paths);
    return { lines, paths: paths.map((path) => path.replace(/\d{13}-/, '')) };
  }

  it('lets a required field be left out at once', async () => {
    const { lines, paths } = await change('1.1.0', 'name:string(max=40)?');
    expect(paths).toEqual(['src/migrations/let-sculptors-have-no-name.ts', NEW, ENTITY, SERVICE, SPEC]);
    expect(lines).toContain(
      'Responses may lack name from now on: npm run -s petstore -- openapi diff says whom that breaks. Nodes of the version before return null for it.',
    );
    expect(project.read(NEW)).toMatch(/optional: true,?\s*\}\)\s+name\?: string;/);
    expect(project.read(ENTITY)).toMatch(/@TextColumn\(\{ nullable: true \}\)\s+name!: string \| null;/);
    expect(project.read(SERVICE)).toContain('name: sculptor.name ?? null,');
    expect(project.read(SERVICE)).toContain('name: sculptor.name ?? undefined,');
    expect(project.read(SPEC)).toMatch(/const OPTIONAL = \[[^\]]*'name'/);
    keepRelease();
  });

  it('has clients give a field, while responses may lack it still', async () => {
    const { lines, paths } = await change('1.1.0', 'phone:string(max=20)', '--fill', 'none');
    expect(paths).toEqual([RECORD, NEW, PATCH, DTO, SERVICE, SPEC]);
    expect(lines.at(-2)).toContain(
      'SculptorsService.fillPhone gives sculptors without it "none", at night or by petstore jobs run, once no node of the version before serves. Run the same command again for 1.3.0 or later: then every response has it.',
    );
    expect(project.read(NEW)).toMatch(/maxLength: 20,?\s*\}\)\s+phone!: string;/);
    expect(project.read(SERVICE)).toContain('phone: sculptor.phone,');
    expect(project.read(SERVICE)).toContain('phone: sculptor.phone ?? undefined,');
    expect(project.read(SERVICE)).toContain("fillColumn(this.sculptors.repository, 'phone', 'none')");
    expect(project.read(SPEC)).not.toMatch(/phone: null|const OPTIONAL = \[[^\]]*'phone'/);
    expect(project.read(DTO)).toMatch(
      /RequiredType\(OmitType\(NewSculptorDto, \['phone'\]\), \['rating'\]\),\s+PartialType\(PickType\(NewSculptorDto, \['phone'\]\), \{ skipNullProperties: false \}\),/,
    );
    expect(project.read(PATCH)).toContain("RequiredType(OmitType(SculptorDto, ['id', 'code']), ['phone'])");
    expect(project.read(ENTITY)).toContain('phone!: string | null;');
    keepRelease();
  });

  it('has clients give another one, whose rows are filled by hand', async () => {
    const { lines } = await change('1.1.0', 'city:string(max=20)');
    expect(lines.at(-2)).toContain(
      'npm run -s petstore -- sculptors list --not-set city lists the sculptors without it: give them one.',
    );
    expect(project.read(DTO)).toContain("PickType(NewSculptorDto, ['phone', 'city'])");
    expect(project.read(PATCH)).toContain("['phone', 'city'])");
    expect(project.read(SERVICE)).not.toContain('fillCity');
  });

  it('makes a field with a default one that every row gets', async () => {
    const { lines } = await change('1.1.0', 'kind:enum(shop|farm,default=farm)');
    expect(lines.at(-2)).toContain('Clients cannot remove kind any more');
    expect(project.read(SERVICE)).toContain(
      "fillColumn(this.sculptors.repository, 'kind', SculptorKind.Farm)",
    );
    expect(project.read(SPEC)).toContain("it('stores the default kind of a sculptor");
  });

  it('goes back at once', async () => {
    const before = project.read(DTO);
    await change('1.1.0', 'city:string(max=20)?');
    expect(project.read(DTO)).toBe(before.replaceAll(", 'city'", ''));
    expect(project.read(RECORD)).not.toContain('"require city"');
  });

  it.each(['1.1.4', '1.2.0'])('changes nothing more for %s, and says so', async (version) => {
    const { lines, paths } = await change(version, 'phone:string(max=20)');
    expect(paths).toEqual([]);
    expect(lines).toEqual([
      `The field phone of sculptors was required of clients for version 1.1.0, and this is ${version}: nothing was changed. The next step is for 1.3.0 or later (docs/schema-changes.md).`,
    ]);
  });

  it('requires it of every row and every response two releases later', async () => {
    const { lines, paths } = await change('1.3.0', 'phone:string(max=20)');
    expect(paths).toEqual([
      'src/migrations/require-phone-of-sculptors.ts',
      RECORD,
      PATCH,
      DTO,
      ENTITY,
      SERVICE,
    ]);
    expect(lines.at(-2)).toContain('The migration refuses sculptors without phone, and names them.');
    expect(project.read(DTO)).toContain("RequiredType(NewSculptorDto, ['rating'])");
    expect(project.read(DTO)).not.toMatch(/OmitType|PickType|PartialType/);
    expect(project.read(PATCH)).toContain("MergePatchType(OmitType(SculptorDto, ['id', 'code']))");
    expect(project.read(ENTITY)).toContain('@Check(\'chk_sculptors_has_phone\', `"phone" IS NOT NULL`)');
    expect(project.read(ENTITY)).toMatch(/@TextColumn\(\{ nullable: true \}\)\s+phone!: string;/);
    expect(project.read(SERVICE)).toContain('phone: sculptor.phone,');
    expect(project.read(SERVICE)).not.toContain('fillPhone');
    const { paths: others } = await change('1.3.0', 'kind:enum(shop|farm,default=farm)');
    expect(others).toContain(DTO);
    expect(project.read(DTO)).toContain("['rating', 'kind']");
    expect(project.read(SERVICE)).not.toMatch(/fillColumn|Scheduled/);
    keepRelease();
  });

  it('makes the column NOT NULL at last', async () => {
    const { paths } = await change('1.5.0', 'phone:string(max=20)');
    expect(paths).toEqual(['src/migrations/make-phone-of-sculptors-not-null.ts', RECORD, ENTITY]);
    expect(project.read(ENTITY)).toMatch(/@TextColumn\(\)\s+phone!: string;/);
    expect(project.read(ENTITY)).not.toContain('chk_sculptors_has_phone');
    expect(project.read(RECORD)).not.toContain('"require phone"');
    keepRelease();
    const { lines } = await change('1.5.0', 'phone:string(max=20)');
    expect(lines).toEqual(['phone of sculptors is like that already: nothing was changed.']);
  });

  it.each([
    [
      ['change', 'city:string(max=10)'],
      'The field city of sculptors becomes required by itself: give it its present limits and values, and change them by a command of its own.',
    ],
    [
      ['change', 'city:string(max=20)', '--fill', 'Stow-on-the-Wold, Gloucestershire'],
      '"Stow-on-the-Wold, Gloucestershire" is no value of the field city of sculptors: give one that it takes (docs/schema-changes.md).',
    ],
    [
      ['change', 'city:string(max=20,default=Ulm)', '--fill', 'Bath'],
      'Rows without city of sculptors get its default, Ulm: leave out --fill.',
    ],
    [
      ['change', 'phone:string(max=20)', '--fill', 'none'],
      '--fill is for the command that has an optional field required, and phone of sculptors is required already: leave it out.',
    ],
    [
      ['remove', 'kind'],
      'The field kind of sculptors is becoming required: first make it optional again, by npm run generate -- change sculptors "kind:…?".',
    ],
  ])('refuses %j, and names the remedy', ([command = '', ...words], sentence) =>
    expectRefusal(project, [command, 'sculptors', ...words], sentence),
  );

  it('hurts nothing that serves', async () => {
    const { entity, migrations } = releases.at(-1) as Release;
    expect(migrations).toHaveLength(5);
    expect(await findingsOf([entity], migrations)).toEqual([]);
  });

  describeEachEngine('migrates the table', (engine) => {
    let database: TestDatabase;
    let opened: DataSource;

    beforeAll(async () => (database = await createTestDatabase(engine)));
    afterAll(() => database.drop());
    afterEach(() => opened.destroy());

    async function open(release: number): Promise<DataSource> {
      const { entity, migrations } = releases[release] as Release;
      opened = await openWith(database.url, [entity], migrations);
      return opened;
    }

    const add = (id: number, phone: string | null, name: string | null = 'Ada') =>
      opened.query(
        `INSERT INTO "sculptors" ("id", "name", "phone", "kind", "rating", "code") VALUES (${id}, ${literal(name)}, ${literal(phone)}, 'farm', 1, 'a')`,
      );

    it('takes rows without a value, and takes that back while there are none', async () => {
      await migrate(await open(1));
      await revert(opened);
      await expect(add(1, '1', null)).rejects.toThrow(/NOT NULL|not-null/);
      await migrate(opened);
      await add(1, '1', null);
      expect(await driftOf(opened)).toEqual([]);
      await expect(revert(opened)).rejects.toThrow(
        /sculptors\.name must not be null, and 1 row has no value: id 1\./,
      );
    });

    it('refuses rows without a value, names them, and takes them once they are filled', async () => {
      await migrate(await open(2));
      await add(2, null);
      await opened.destroy();
      await expect(migrate(await open(3))).rejects.toThrow(
        /sculptors\.phone must not be null, and 1 row has no value: id 2\./,
      );
      const { entity } = releases[3] as Release;
      await fillColumn(opened.getRepository<{ phone: string }>(entity), 'phone', 'none');
      await migrate(opened);
      expect(await driftOf(opened)).toEqual([]);
      await expect(add(3, null)).rejects.toThrow(/chk_sculptors_has_phone/);
    });

    it('makes the column NOT NULL, and takes that back', async () => {
      await migrate(await open(4));
      expect(await driftOf(opened)).toEqual([]);
      await expect(add(3, null)).rejects.toThrow(/NOT NULL|not-null/);
      await revert(opened);
      await expect(add(3, null)).rejects.toThrow(/chk_sculptors_has_phone/);
      await opened.destroy();
      expect(await driftOf(await open(3))).toEqual([]);
      expect(await opened.query('SELECT "phone" FROM "sculptors" ORDER BY "id"')).toEqual([
        { phone: '1' },
        { phone: 'none' },
      ]);
    });
  });
});

function literal(text: string | null): string {
  return text === null ? 'NULL' : `'${text}'`;
}
