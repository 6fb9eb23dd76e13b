import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { type Rule, RULES } from '@petstore/migrations';
import {
  type DataSource,
  getMetadataArgsStorage,
  Index,
  type MigrationInterface,
  type QueryRunner,
  TableIndex,
} from 'typeorm';
import ts from 'typescript';
import { codeBlocksOf } from '../../../../test/modules/support/guide-blocks';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/databases/databases';
import { databaseSettings } from '../../../../test/support/databases/sample-database';
import { TextColumn } from '../column-types';
import { createDataSource } from '../driver/data-source';
import { migrationName } from '../driver/schema-parts';
import { migrate, revert } from './migrate';
import { addIndexConcurrently } from '../driver/late-constraints';
import { requireUnique, UnfitRowsError } from '../driver/requirements';
import { createTextIndex } from '../statements/text-index';

const PAGE = 'docs/schema-changes.md';
const TEXT = readFileSync(join(__dirname, '..', '..', '..', '..', PAGE), 'utf8');
const BLOCKS = codeBlocksOf(TEXT);

/** The statements in a section, each as it stands. */
function statementsIn(section: string): string[] {
  const blocks = BLOCKS.filter((block) => block.section === section && block.language === 'sql');
  return blocks.flatMap(({ text }) => text.split(/;\n/)).filter((statement) => statement.trim() !== '');
}

/** The snippets in a section that are no whole file, without their imports. */
function snippetsIn(section: string): string[] {
  const blocks = BLOCKS.filter(
    (each) => each.section === section && each.language === 'ts' && each.note === '',
  );
  return blocks.map(({ text }) => text.replaceAll(/^import .*\n/gm, ''));
}

/** Runs the body of a function, in TypeScript, that finds some values by their names; returns its result. */
function evaluate(body: string, values: Readonly<Record<string, unknown>>): unknown {
  const compilerOptions = { target: ts.ScriptTarget.ES2022, experimentalDecorators: true };
  const code = ts.transpile(body, compilerOptions);
  return compileFunction(code, Object.keys(values)).apply(undefined, Object.values(values)) as unknown;
}

describe(`What ${PAGE} shows besides the migrations of its example`, () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let queryRunner: QueryRunner;

  beforeAll(async () => {
    database = await createTestDatabase('postgres');
    dataSource = await createDataSource(databaseSettings(database.url)).initialize();
    // A project may have the migrations of the example.
    const { migrations } = dataSource;
    const others = migrations.filter((each) => !migrationName(each).includes('Nickname'));
    migrations.splice(0, migrations.length, ...others);
    await migrate(dataSource);
    queryRunner = dataSource.createQueryRunner();
    await run('ALTER TABLE pets ADD COLUMN nickname text');
    await run(`INSERT INTO pets (name, category_id) VALUES ('Rex', 1), ('Max', 1)`);
  });
  afterAll(async () => {
    await queryRunner.release();
    await dataSource.destroy();
    await database.drop();
  });

  async function run(...statements: readonly string[]): Promise<unknown> {
    let result: unknown;
    for (const statement of statements) result = await queryRunner.query(statement);
    return result;
  }

  it('fills old rows', async () => {
    const [fill = ''] = statementsIn('Fill old rows');
    await run(fill.replaceAll(':last', '0'));
    expect(await run('SELECT nickname FROM pets ORDER BY id')).toEqual([
      { nickname: 'Rex' },
      { nickname: 'Max' },
    ]);
  });

  it('creates an index on a large table without a transaction, and drops one that an interrupted creation has left', async () => {
    const section = 'An index on a large table';
    const [{ text = '' } = {}] = BLOCKS.filter(
      (block) => block.section === section && block.language === 'ts',
    );
    const [, body = ''] = /export (class [^]*)/.exec(text) ?? [];
    const Migration = evaluate(`${body} return IndexNicknameOfPets1790000000500;`, {
      addIndexConcurrently,
      TableIndex,
    }) as new () => MigrationInterface;
    dataSource.migrations.push(new Migration());
    // Two rows with one value.
    await run(`UPDATE pets SET nickname = 'Rex'`);
    await expect(
      run('CREATE UNIQUE INDEX CONCURRENTLY idx_pets_nickname_id ON pets (nickname)'),
    ).rejects.toThrow('could not create unique index');
    try {
      expect(await migrate(dataSource)).toEqual(['IndexNicknameOfPets1790000000500']);
      const valid = `SELECT indisvalid FROM pg_index WHERE indexrelid = 'idx_pets_nickname_id'::regclass`;
      expect(await run(valid)).toEqual([{ indisvalid: true }]);
      expect(await revert(dataSource)).toBe('IndexNicknameOfPets1790000000500');
    } finally {
      dataSource.migrations.pop();
    }
  });

  it('creates an index on a text by hand, which the migration then leaves alone', async () => {
    const [property = '', call = ''] = snippetsIn('An index on a text');
    await run(...statementsIn('An index on a text'));
    const indexes = () =>
      run(`SELECT indexdef FROM pg_indexes WHERE indexname LIKE 'idx_pets_n%' ORDER BY 1`);
    const made = await indexes();
    expect(made).toHaveLength(2);
    await evaluate(`return (async () => { ${call} })();`, { queryRunner, createTextIndex });
    expect(await indexes()).toEqual(made);

    const entity = evaluate(`class Pet { ${property} } return Pet;`, { Index, TextColumn });
    const declared = getMetadataArgsStorage().indices.filter(({ target }) => target === entity);
    expect(declared).toMatchObject([{ name: 'idx_pets_nickname_id', synchronize: false }]);
  });

  it('shows indexes without removed rows as the entity declares them', () => {
    const section = 'An index without removed rows';
    const [snippet = ''] = snippetsIn(section);
    const entity = evaluate(`${snippet} class Shown {} return Shown;`, { Entity: () => () => {}, Index });
    const declared = getMetadataArgsStorage().indices.filter(({ target }) => target === entity);
    expect(declared.length).toBeGreaterThan(3);
    const known = dataSource
      .getMetadata('Pet')
      .indices.map(({ name, givenColumnNames, where }) => ({ name, columns: givenColumnNames, where }));
    for (const { name, columns, where } of declared) expect(known).toContainEqual({ name, columns, where });
  });

  it('adds a check constraint without blocking writers, and validates it afterwards', async () => {
    const [add = '', validate = ''] = statementsIn('A check or a foreign key on a large table');
    await run(add);
    await expect(run(`UPDATE pets SET nickname = ''`)).rejects.toThrow('chk_pets_nickname');
    await run(validate);
  });

  it('has a section for each rule of migrations, and a rule that a team may add', () => {
    const sections = [...TEXT.matchAll(/^## (.+)$/gm)];
    const anchors = sections.map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^a-z ]/g, '')
        .replaceAll(' ', '-'),
    );
    expect(anchors).toEqual(expect.arrayContaining(RULES.map(({ section }) => section)));
    const [entry = ''] = snippetsIn('Check migrations');
    const [rule] = evaluate(`return [${entry}];`, {}) as [Rule];
    const effect = {
      kind: 'type-changed',
      table: 'pets',
      column: 'tags',
      from: 'text',
      to: 'json',
      rewrites: true,
    } as const;
    expect(rule.find(effect, 'postgres')).toContain('pets.tags becomes json');
  });

  it('checks rows before its migration runs', async () => {
    // Stands before a table of a module that is called so.
    await run('CREATE TEMPORARY TABLE suppliers (id bigint PRIMARY KEY, tax_number text)');
    await run(`INSERT INTO suppliers VALUES (1, 'DE1'), (2, 'DE1')`);
    const [up = ''] = snippetsIn('Require it of the rows first');
    const Migration = evaluate(`class Unique { ${up} } return Unique;`, {
      requireUnique,
    }) as new () => MigrationInterface;
    await expect(new Migration().up(queryRunner)).rejects.toThrow(UnfitRowsError);
  });
});
