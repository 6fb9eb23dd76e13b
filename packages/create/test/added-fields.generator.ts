import { describeFinding } from '@petstore/migrations';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../../src/platform/database/driver/data-source.ts';
import { migrate } from '../../../src/platform/database/schema/migrate.ts';
import { judgeEachMigration } from '../../../test/support/databases/describe-migrations.ts';
import {
  createTestDatabase,
  describeEachEngine,
  type TestDatabase,
} from '../../../test/support/databases/databases.ts';
import { databaseSettings } from '../../../test/support/databases/sample-database.ts';
import { addToSchema } from '../../../test/support/databases/with-schema.ts';
import { generatedClass, type Migration } from './support/generated-classes.ts';
import { Project } from './support/project.ts';

/** Required fields of every type that can have a default, and what the column of each holds then. */
const FIELDS: Readonly<Record<string, unknown>> = {
  "city:string(default='St. John''s')": "St. John's",
  'stock:integer(min=-9,default=-3)': -3,
  'points:int64(default=9007199254740993)': 9007199254740993n,
  'ratio:number(default=0.5)': 0.5,
  'price:decimal(10,2,default=12.5)': '12.50',
  'rounds:decimal(5,0,default=7)': '7',
  'isActive:boolean(default=true)': true,
  'kind:enum(shop|farm,default=farm)': 'farm',
};

/** An array of objects with a column of each kind of condition, and columns that the table gets by the same command. */
const LINES =
  'petId:ref(pets)? lines:object(petId:ref(pets),count:integer(min=1),kind:enum(a|b)?,note:string?,max-items=9)[]?';

describe('npm run generate -- field', () => {
  const project = new Project();
  let entity: Function;
  let creation: Migration;
  let addition: Migration;
  let withLines: { readonly entities: readonly Function[]; readonly addition: Migration };

  beforeAll(async () => {
    await succeed('feature', 'sculptors', '--fields', 'name:string');
    await succeed('field', 'sculptors', Object.keys(FIELDS).join(' '));
    entity = classIn(/sculptor\.entity\.ts$/);
    creation = classIn(/create-sculptors\.ts$/) as Migration;
    addition = classIn(/-to-sculptors\.ts$/) as Migration;
    await succeed('field', 'sculptors', LINES);
    withLines = {
      entities: [classIn(/sculptor\.entity\.ts$/), classIn(/sculptor-line\.entity\.ts$/)],
      addition: classIn(/-add-pet-id-and-lines-to-sculptors\.ts$/) as Migration,
    };
  });

  const classIn = (pattern: RegExp) => generatedClass(project, pattern);

  async function succeed(...args: string[]): Promise<void> {
    expect(await project.generate(...args)).toMatchObject({ code: 0, stderr: '' });
  }

  describeEachEngine('adds required fields that have a default', (engine) => {
    let database: TestDatabase;
    let opened: DataSource | undefined;

    beforeAll(async () => (database = await createTestDatabase(engine)));
    afterAll(() => database.drop());
    afterEach(() => opened?.destroy());

    async function open(
      entities: readonly Function[],
      ...migrations: readonly Migration[]
    ): Promise<DataSource> {
      const takeBack = addToSchema({ entities, migrations });
      opened = await createDataSource(databaseSettings(database.url)).initialize();
      takeBack();
      return opened;
    }

    it('gives existing rows the default, and matches the entity', async () => {
      const before = await open([entity], creation);
      await migrate(before);
      await before.query(`INSERT INTO "sculptors" ("name") VALUES ('Ada')`);
      await before.destroy();

      const after = await open([entity], creation, addition);
      await migrate(after);
      const [row] = await after.getRepository(entity).find();
      expect(row).toMatchObject(
        Object.fromEntries(Object.entries(FIELDS).map(([field, value]) => [field.split(':')[0], value])),
      );
      expect(await driftOf(after)).toEqual([]);
      // As a node of the version before does it, which goes on serving.
      await after.query(`INSERT INTO "sculptors" ("name") VALUES ('Bo')`);
    });

    it('adds the table of an array of objects, which is empty for existing rows', async () => {
      const { entities, addition: table } = withLines;
      const after = await open(entities, creation, addition, table);
      await migrate(after);
      expect(await driftOf(after)).toEqual([]);
      const [first] = await after.getRepository(entities[0] as Function).find({ relations: { lines: true } });
      expect(first).toMatchObject({ name: 'Ada', lines: [], petId: null });
    });

    async function driftOf({ driver }: DataSource): Promise<string[]> {
      const { upQueries } = await driver.createSchemaBuilder().log();
      return upQueries.map(({ query }) => query);
    }

    if (engine === 'sqlite') return;

    it('hurts nothing that serves while it is applied to large tables', async () => {
      const { addition: table } = withLines;
      const after = await open([], creation, addition, table);
      const own = after.migrations.filter(({ constructor }) => constructor.name.includes('culptors'));
      expect(own).toHaveLength(3);
      const findings = (await judgeEachMigration(after)).filter(({ migration }) =>
        /culptors/.test(migration),
      );
      expect(findings.map(describeFinding)).toEqual([]);
    });
  });

  it('makes an array of objects optional in a creation and required in a response, and tests its replacement', async () => {
    const read = (path: string) => project.read(`src/sculptors/${path}`);
    expect(read('sculptor.entity.ts')).toContain(
      "@OneToMany('SculptorLine', 'sculptor', { cascade: true })\n  lines!: SculptorLine[];",
    );
    expect(read('dto/new-sculptor.dto.ts')).toMatch(
      /maxItems: 9,\s+default: \[\],\s+\}\)\s+lines\?: SculptorLineDto\[\];/,
    );
    expect(read('dto/sculptor-line.dto.ts')).toContain('kind?: SculptorLineKind;');
    expect(read('sculptors.service.ts')).toContain('lines: sculptor.lines ?? [],');
    expect(read('sculptors.spec.ts')).toContain('replaces lines as a whole');
    expect(read('sculptors.spec.ts')).toContain('stores the default lines of a sculptor');
    const before = project.sources();
    for (const [fields, code, said] of [
      [LINES, 0, 'sculptors already have petId, lines: nothing was changed.'],
      ['lines:object(note:string?)[]?', 1, 'The field lines of sculptors already exists, and '],
      [
        'parts:object(note:string)[]',
        1,
        'The field parts must be optional (parts:…[]?): clients add sculptors',
      ],
    ] as const) {
      const { code: ended, stdout, stderr } = await project.generate('field', 'sculptors', fields);
      expect([ended, stdout + stderr]).toEqual([code, expect.stringContaining(said)]);
    }
    expect(project.sources()).toEqual(before);
  });

  it('adds the filters and orders of the fields to the list, with indexes', async () => {
    await succeed(
      'field',
      'sculptors',
      'since:date(range,sort)? alias:string(prefix,sort)? agent:int64(set)?',
    );
    const query = () => project.read('src/sculptors/dto/list-sculptors.query.ts');
    expect(query()).toContain("@SortParameter('since', 'alias')\n  sort?: string;");
    for (const name of ['sinceFrom', 'sinceTo', 'aliasPrefix', 'agent', 'kind']) {
      expect(query()).toContain(`\n  ${name}?: `);
    }
    expect(project.read('src/sculptors/sculptors.repository.ts')).toContain(
      'super(database, Sculptor, ListSculptorsQuery);',
    );
    expect(project.read('src/sculptors/sculptor.entity.ts')).toContain(
      "@Index('idx_sculptors_since_id', ['since', 'id'])",
    );
    const path = [...project.sources().keys()].find((each) => each.includes('-add-since-')) ?? '';
    expect(project.read(path)).toContain('CREATE INDEX IF NOT EXISTS "idx_sculptors_since_id"');
    expect(project.read(path)).toContain(
      "createTextIndex(queryRunner, {\n      name: 'idx_sculptors_alias_id',",
    );

    await succeed('field', 'sculptors', 'until:date(sort)? rankFrom:ref(pets)?');
    expect(query()).toContain("@SortParameter('since', 'alias', 'until')\n");
    const before = project.sources();
    expect(await project.generate('field', 'sculptors', 'rank:integer(range)?')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The list already has a parameter rankFrom: choose another name for the field.\n',
    });
    expect(project.sources()).toEqual(before);
  });
});
