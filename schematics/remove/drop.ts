import type { Tree } from '@angular-devkit/schematics';
import ts from 'typescript';
import { decoratorName, decoratorsOf } from '../edit/classes.ts';
import type { Changes } from '../edit/changes.ts';
import { FIELD_TYPES } from '../feature/field-types.ts';
import { entityTable } from '../feature/references.ts';
import { indexSql } from '../field/migration.ts';
import { addMigration, kebabOf } from '../indexes/plan-index.ts';
import { type ExistingModule, type StoredMember, storedMembers } from '../module/existing-module.ts';
import { nodesOf, pathsBelow, textIn } from '../text/sources.ts';
import { textLiteral } from '../text/spelling.ts';

/** A statement of a migration with the one that takes it back. */
interface Step {
  readonly up: string;
  readonly down: string;
  /** Imports of both from the platform, and from TypeORM. */
  readonly platform?: readonly [name: string, from: string];
  readonly typeorm?: string;
}

/** Drops the column of a retired member, with its indexes, checks and foreign key. @returns the class of the migration */
export function dropColumn(
  changes: Changes,
  tree: Tree,
  module: ExistingModule,
  member: StoredMember,
  sources: readonly ts.SourceFile[],
): string {
  const { entity, table, plural } = module;
  const edit = changes.edit(entity.path);
  const steps = [
    ...indexSteps(module, member),
    ...foreignKeySteps(table, member, sources),
    ...checkSteps(module, member),
    columnStep(table, member),
  ];
  for (const decorator of decoratorsOf(entity.node)) {
    if (isAbout(decorator, member)) edit.removeWhole(decorator);
  }
  edit.removeWhole(member.node);
  removeEnum(changes, tree, module, member);
  const typeorm = [...new Set(steps.flatMap((step) => step.typeorm ?? []))].sort();
  const platform = new Map(steps.flatMap(({ platform: each }) => (each ? [each] : [])));
  return addMigration(changes, tree, `drop-${kebabOf([member.name])}-of-${plural.kebab}`, {
    classes: typeorm,
    imports: [...platform]
      .map(([name, from]) => `import { ${name} } from '../platform/database/${from}';\n`)
      .join(''),
    up: steps.map(({ up }) => up).join('\n'),
    down: steps
      .toReversed()
      .map(({ down }) => down)
      .join('\n'),
  });
}

/** True if an index or a check of the class covers a member. */
function isAbout(decorator: ts.Decorator, { name, column }: StoredMember): boolean {
  if (!['Index', 'Unique', 'Check'].includes(decoratorName(decorator))) return false;
  return nodesOf(decorator)
    .filter((node) => ts.isStringLiteralLike(node))
    .some(({ text }) => text === name || text.includes(`"${column}"`));
}

function indexSteps(module: ExistingModule, member: StoredMember): Step[] {
  const { table, entity } = module;
  const columns = new Map([
    ['id', 'id'],
    ...storedMembers(module).map((each) => [each.name, each.column] as const),
  ]);
  const own = decoratorsOf(member.node).flatMap((decorator) => {
    const name = decoratorName(decorator) === 'Index' ? nameOf(decorator) : undefined;
    if (name === undefined) return [];
    const options = `{ name: '${name}', table: '${table}', column: '${member.column}' }`;
    return [
      {
        up: dropping(name),
        down: `await createTextIndex(queryRunner, ${options});`,
        platform: ['createTextIndex', 'statements/text-index'] as const,
      },
    ];
  });
  const shared = decoratorsOf(entity.node)
    .filter((each) => decoratorName(each) === 'Index' && isAbout(each, member))
    .flatMap((decorator) => {
      const name = nameOf(decorator);
      const list = nodesOf(decorator).find((node) => ts.isArrayLiteralExpression(node));
      const covered = (list?.elements ?? []).flatMap((each) => columns.get(textIn(each, '') ?? '') ?? []);
      const isUnique = /unique:\s*true/.test(decorator.getText());
      if (name === undefined) return [];
      const sql = indexSql({ name, table, columns: covered, isUnique });
      return [{ up: dropping(name), down: `await queryRunner.query('${sql}');` }];
    });
  return [...own, ...shared];
}

function foreignKeySteps(
  table: string,
  { node, column }: StoredMember,
  sources: readonly ts.SourceFile[],
): Step[] {
  return decoratorsOf(node)
    .filter((each) => decoratorName(each) === 'ForeignKey')
    .flatMap(({ expression }) => {
      const [entity, options] = ts.isCallExpression(expression) ? expression.arguments : [];
      const name = textIn(options, 'name');
      const target = sources
        .flatMap((source) => nodesOf(source))
        .filter((each) => ts.isClassDeclaration(each))
        .find((each) => each.name?.text === (textIn(entity, '') ?? entity?.getText()));
      const referenced = target && entityTable(target);
      if (name === undefined || referenced === undefined) return [];
      const key = `{ name: '${name}', columnNames: ['${column}'], referencedTableName: '${referenced}', referencedColumnNames: ['id'] }`;
      return [
        {
          // Loaded again, for TypeORM does not see changes made in SQL.
          up: `await queryRunner.getTable('${table}');\nawait queryRunner.dropForeignKey('${table}', '${name}');`,
          down: `await queryRunner.getTable('${table}');\nawait addForeignKey(queryRunner, '${table}', new TableForeignKey(${key}));`,
          platform: ['addForeignKey', 'driver/late-constraints'] as const,
          typeorm: 'TableForeignKey',
        },
      ];
    });
}

function checkSteps({ table, entity }: ExistingModule, member: StoredMember): Step[] {
  return decoratorsOf(entity.node)
    .filter((each) => decoratorName(each) === 'Check' && isAbout(each, member))
    .flatMap((decorator) => {
      const { expression } = decorator;
      const name = nameOf(decorator);
      const condition = ts.isCallExpression(expression) ? textIn(expression.arguments[1], '') : undefined;
      if (name === undefined || condition === undefined) return [];
      const replacing = (text: string) =>
        `await replaceCheck(queryRunner, '${table}', { name: '${name}', expression: ${text} });`;
      return [
        {
          up: replacing('undefined'),
          down: replacing(textLiteral(condition)),
          platform: ['replaceCheck', 'driver/table-changes'] as const,
        },
      ];
    });
}

/** The column comes back nullable: what was in it is gone. */
function columnStep(table: string, { node, column }: StoredMember): Step {
  const decorator = decoratorsOf(node).find((each) => decoratorName(each).endsWith('Column'));
  const kind = Object.values(FIELD_TYPES).find(
    (each) => decorator && each.column === decoratorName(decorator),
  );
  const type = kind?.sql ?? 'text';
  const isArray = /array:\s*true/.test(decorator?.getText() ?? '');
  const digits = /\{\s*(precision:\s*\d+,\s*scale:\s*\d+)\s*\}/.exec(decorator?.getText() ?? '')?.[1];
  const sql = isArray
    ? `columnTypes(queryRunner).array(columnTypes(queryRunner).${type})`
    : `columnTypes(queryRunner).${type}`;
  return {
    up: `await queryRunner.query('ALTER TABLE "${table}" DROP COLUMN "${column}"');`,
    down: `await queryRunner.getTable('${table}');\nawait queryRunner.addColumn('${table}', new TableColumn({ name: '${column}', type: ${sql}, isNullable: true${digits === undefined || isArray ? '' : `, ${digits}`} }));`,
    platform: ['columnTypes', 'column-types'],
    typeorm: 'TableColumn',
  };
}

/** Removes the file of the member's enum, if nothing else imports it. */
function removeEnum(
  changes: Changes,
  tree: Tree,
  { folder, sources }: ExistingModule,
  { node }: StoredMember,
): void {
  const name = /^[A-Z]\w*/.exec(node.type?.getText() ?? '')?.[0];
  const declared = sources.find((source) =>
    source.statements.some((each) => ts.isEnumDeclaration(each) && each.name.text === name),
  );
  if (name === undefined || !declared || declared.statements.length > 1) return;
  const users = pathsBelow(tree, 'src').filter(
    (path) =>
      path.endsWith('.ts') &&
      path !== declared.fileName &&
      new RegExp(`\\b${name}\\b`).test(tree.readText(path)),
  );
  const isOnlyThere = users.every(
    (path) => path === `${folder}/${node.getSourceFile().fileName.split('/').at(-1)}`,
  );
  if (isOnlyThere) changes.remove(declared.fileName);
}

function nameOf({ expression }: ts.Decorator): string | undefined {
  return ts.isCallExpression(expression) ? textIn(expression.arguments[0], '') : undefined;
}

function dropping(index: string): string {
  return `await queryRunner.query('DROP INDEX "${index}"');`;
}
