import type { SchematicContext, Tree } from '@angular-devkit/schematics';
import { FileEdit } from '../edit/file-edit.ts';
import type ts from 'typescript';
import { classOf, type ExistingModule, readModule } from '../module/existing-module.ts';
import { methodIn } from '../edit/classes.ts';
import { readFields } from '../feature/fields.ts';
import { formatted } from '../text/format.ts';
import { migrationTime } from '../text/migration-time.ts';
import { readFeatureName } from '../feature/names.ts';
import { readOperations } from '../feature/operations.ts';
import { type LinkedField, linkFields } from '../feature/references.ts';
import type { FeatureOptions, RenderedFeature } from '../feature/render.ts';
import { parse } from '../text/sources.ts';
import { renderTemplates } from '../feature/templates.ts';
import { Refusal } from '../refusal.ts';
import type { Child } from './child.ts';
import { creationOfOperators, editAdmin, editIdentity, editModule } from './edit-declarations.ts';
import { editController } from './edit-controller.ts';
import { editService } from './edit-service.ts';
import { childPath, specOf } from './spec.ts';

/** Options of a feature that is below another. */
type ChildOptions = FeatureOptions & { readonly parent: string };

/** Output of the templates for a child with its parent as one of its fields, and for one without. */
interface Renderings {
  /** Fields of its own. */
  readonly fields: readonly LinkedField[];
  readonly withParent: ReadonlyMap<string, string>;
  readonly alone: ReadonlyMap<string, string>;
}

/**
 * Renders the templates for a nested collection of the project in the working directory.
 *
 * @param sources the entities that fields may refer to
 * @param migrations paths of migrations: the child's own keeps its time, another comes after all of them
 * @throws Refusal
 */
export async function renderChild(
  options: ChildOptions,
  tree: Tree,
  sources: readonly ts.SourceFile[],
  migrations: readonly string[],
  context: SchematicContext,
): Promise<RenderedFeature> {
  const parent = readModule(tree, options.parent);
  refuseParent(parent);
  const names = readFeatureName(options.name, options.plural);
  if (options.owned) {
    throw new Refusal(
      `The records of ${names.plural.kebab} are found by their ${parent.singular.words}, so they cannot belong to clients: leave out --owned or --parent.`,
    );
  }
  const creation = {
    name: `${parent.singular.pascal}${names.singular.pascal}Dto`,
    file: `${parent.singular.kebab}-${names.singular.kebab}.dto`,
  };
  const child: Child = { names, parent, creation };
  const renderings = await render(child, options, sources, migrations, context);
  const files = new Map<string, string>();
  for (const [path, text] of withPlaces(child, renderings)) {
    files.set(path, await formatted(process.cwd(), path, text));
  }
  return { folder: `src/${names.plural.kebab}`, model: { ...names, fields: renderings.fields }, files };
}

async function render(
  { names, parent }: Child,
  { path = '', words = [], operations, shipped: isShipped = false }: ChildOptions,
  sources: readonly ts.SourceFile[],
  migrations: readonly string[],
  context: SchematicContext,
): Promise<Renderings> {
  const own = linkFields(readFields([path, ...words].join(' '), names), names, sources);
  const [reference] = linkFields(
    readFields(`${parent.idParameter}:ref(${parent.plural.kebab})`, names),
    names,
    sources,
  );
  const twin = own.find(({ column }) => column === reference?.column);
  if (twin) throw new Refusal(`The field ${twin.name} already exists: it comes from the path.`);
  const time = migrationTime(migrations, names.plural.kebab, Date.now());
  const model = { ...names, operations: readOperations(operations), time, isBelow: true, isShipped };
  return {
    fields: own,
    withParent: await renderTemplates({ ...model, fields: reference ? [reference, ...own] : own }, context),
    alone: await renderTemplates({ ...model, fields: own }, context),
  };
}

/** @throws Refusal when a child could not ask whether its parent exists */
function refuseParent(parent: ExistingModule): void {
  const { plural, singular } = parent;
  const service = classOf(parent, `${plural.pascal}Service`);
  if (!service || !methodIn(service.node, 'get')) {
    throw new Refusal(
      `${plural.pascal}Service needs a method get(id), by which a child finds its ${singular.words}.`,
    );
  }
}

/**
 * Writes the files of a child. What is stored and returned has the parent among its fields; requests have it in their path
 * alone.
 */
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
    } else if (name === `${names.plural.kebab}.samples.ts`) {
      yield [path, (withParent.get(path) ?? '').replace(`'/${names.plural.kebab}'`, `'${childPath(child)}'`)];
    } else yield [path, (name.startsWith('dto/') ? alone : withParent).get(path) ?? ''];
  }
  yield [`${folder}/dto/${creation.file}.ts`, creationOfOperators(child)];
}
