import type { SchematicContext, Tree } from '@angular-devkit/schematics';
import { Changes } from '../edit/changes.ts';
import { methodIn } from '../edit/classes.ts';
import { FileEdit } from '../edit/file-edit.ts';
import { FEATURES, withFeatureLine } from '../feature/feature-list.ts';
import { readFields } from '../feature/fields.ts';
import { MIGRATIONS, nextMigrationTime } from '../feature/migration-time.ts';
import { readFeatureName } from '../feature/names.ts';
import { readOperations } from '../feature/operations.ts';
import { linkFields } from '../feature/references.ts';
import { parse, pathsBelow, readSourcesWith } from '../feature/sources.ts';
import { refuseLongSqlNames, refuseTakenUses } from '../feature/taken.ts';
import { renderTemplates } from '../feature/templates.ts';
import { usesOf } from '../feature/uses.ts';
import { classOf, type ExistingModule, readModule } from '../module/existing-module.ts';
import { finish, type Plan } from '../module/finish.ts';
import { Refusal } from '../refusal.ts';
import type { Child } from './child.ts';
import { creationOfOperators, editAdmin, editIdentity, editModule } from './edit-declarations.ts';
import { editController } from './edit-controller.ts';
import { editService } from './edit-service.ts';
import { specOf } from './spec.ts';

/** What is asked for; see `schema.json`. */
export interface ChildOptions {
  /** The module that is there. */
  readonly name: string;
  /** What each of it has many of. The Nest CLI gives its third argument this name. */
  readonly path?: string;
  readonly fields?: string;
  readonly operations?: string;
}

/** What the templates make of a child whose parent is one of its fields, and of one without. */
interface Renderings {
  readonly withParent: ReadonlyMap<string, string>;
  readonly alone: ReadonlyMap<string, string>;
}

/**
 * Decides what a nested collection needs: a module of its own, whose paths are below those of another.
 *
 * @throws Refusal
 */
export async function planChild(options: ChildOptions, tree: Tree, context: SchematicContext): Promise<Plan> {
  const parent = readModule(tree, options.name);
  const names = readFeatureName(options.path ?? '');
  refuseParent(parent);
  const { singular, plural } = names;
  const creation = {
    name: `${parent.singular.pascal}${singular.pascal}Dto`,
    file: `${parent.singular.kebab}-${singular.kebab}.dto`,
  };
  const child: Child = { names, parent, creation };
  const renderings = await render(child, options, tree, context);
  const files = new Changes(tree);
  for (const [path, text] of withPlaces(child, renderings)) files.create(path, text);

  const texts = await files.texts(process.cwd());
  const isThere = pathsBelow(tree, `src/${plural.kebab}`).length > 0;
  if (isThere) refuseDifferences(texts, tree, plural.kebab);
  else refuseTaken(texts, tree);
  const changes = new Changes(tree);
  if (!isThere) for (const [path, text] of texts) changes.create(path, text);
  const list = tree.readText(FEATURES);
  const listed = withFeatureLine(list, plural.kebab, `${plural.pascal}Module`);
  if (listed !== list) changes.create(FEATURES, listed);
  const unchanged = `${parent.plural.kebab} have ${plural.kebab} already: nothing was changed.`;
  return finish(changes, { sources: [] }, unchanged);
}

/** @throws Refusal when a child could not ask whether one is there */
function refuseParent(parent: ExistingModule): void {
  const { plural, singular } = parent;
  const service = classOf(parent, `${plural.pascal}Service`);
  if (!service || !methodIn(service.node, 'get')) {
    throw new Refusal(
      `${plural.pascal}Service has no method get(id), by which a child finds its ${singular.words}.`,
    );
  }
}

async function render(
  { names, parent }: Child,
  { fields = '', operations }: ChildOptions,
  tree: Tree,
  context: SchematicContext,
): Promise<Renderings> {
  const sources = readSourcesWith(tree, ['@Entity(']);
  const own = linkFields(readFields(fields, names), names, sources);
  const [reference] = linkFields(
    readFields(`${parent.idParameter}:ref(${parent.plural.kebab})`, names),
    names,
    sources,
  );
  const twin = own.find(({ column }) => column === reference?.column);
  if (twin) throw new Refusal(`The field ${twin.name} is there already: the path says it.`);
  const migrations = pathsBelow(tree, MIGRATIONS);
  const created = migrations.find((path) => path.endsWith(`-create-${names.plural.kebab}.ts`));
  const time = created ? Number(/(\d{13})-/.exec(created)?.[1]) : nextMigrationTime(migrations, Date.now());
  const model = { ...names, operations: readOperations(operations), time };
  return {
    withParent: await renderTemplates({ ...model, fields: reference ? [reference, ...own] : own }, context),
    alone: await renderTemplates({ ...model, fields: own }, context),
  };
}

/** The files of a child: the parent is in what is stored and returned, and in the path in place of the body and the query. */
function* withPlaces(child: Child, { withParent, alone }: Renderings): Generator<[string, string]> {
  const { names, creation } = child;
  const folder = `src/${names.plural.kebab}`;
  const edited = (path: string, edit: (file: FileEdit) => void): [string, string] => {
    const file = new FileEdit(path, (path.endsWith('.service.ts') ? withParent : alone).get(path) ?? '');
    edit(file);
    return [path, file.text];
  };
  for (const path of new Set([...withParent.keys(), ...alone.keys()])) {
    const name = path.slice(`${folder}/`.length);
    if (name === `${names.plural.kebab}.service.ts`) yield edited(path, (file) => editService(file, child));
    else if (name === `${names.plural.kebab}.controller.ts`) {
      yield edited(path, (file) => editController(file, child));
    } else if (name === `${names.plural.kebab}.module.ts`)
      yield edited(path, (file) => editModule(file, child));
    else if (name === `${names.plural.kebab}.admin.ts`) yield edited(path, (file) => editAdmin(file, child));
    else if (name === `dto/${names.singular.kebab}.dto.ts`) {
      yield edited(path, (file) => editIdentity(file, child, withParent));
    } else if (name.endsWith('.spec.ts')) {
      yield [path, specOf(child, parse(path, alone.get(path) ?? ''), alone)];
    } else yield [path, (name.startsWith('dto/') ? alone : withParent).get(path) ?? ''];
  }
  yield [`${folder}/dto/${creation.file}.ts`, creationOfOperators(child)];
}

function refuseDifferences(texts: ReadonlyMap<string, string>, tree: Tree, folder: string): void {
  for (const [path, text] of texts) {
    if (!tree.exists(path) || tree.readText(path) !== text) {
      throw new Refusal(
        `The folder src/${folder} is there already, and ${path} is not what these options would make it.`,
      );
    }
  }
}

function refuseTaken(texts: ReadonlyMap<string, string>, tree: Tree): void {
  const files = [...texts].map(([path, text]) => parse(path, text));
  refuseLongSqlNames(files);
  const wanted = files.flatMap(usesOf);
  refuseTakenUses(
    wanted,
    readSourcesWith(
      tree,
      wanted.map(({ text }) => text),
    ),
  );
}
