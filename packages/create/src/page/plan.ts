import type { Tree } from '@angular-devkit/schematics';
import ts from 'typescript';
import { Changes } from '../edit/changes.ts';
import { decoratorName, decoratorsOf, methodIn } from '../edit/classes.ts';
import { usesOf } from '../feature/uses.ts';
import { refuseTakenUses } from '../feature/taken.ts';
import { classOf, type ExistingModule, readModule } from '../module/existing-module.ts';
import { finish, type Plan } from '../module/finish.ts';
import { Refusal } from '../refusal.ts';
import { parse, readSourcesWith } from '../text/sources.ts';
import { spell, wordsOf } from '../text/spelling.ts';
import { controllerCode, formCode, type Page, specCode, templateCode } from './code.ts';

/** Options of the schematic; see `schema.json`. */
export interface PageOptions {
  readonly name: string;
  /** Name of the page. The Nest CLI gives its third argument this name. */
  readonly path?: string;
}

const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

/**
 * Decides the changes for a page of the console: its controller, its form, its template, a test, and its place among the
 * controllers of the module.
 *
 * @throws Refusal
 */
export async function planPage({ name, path = '' }: PageOptions, tree: Tree): Promise<Plan> {
  if (!NAME.test(path)) {
    throw new Refusal(`${JSON.stringify(path)} cannot name a page: use words in lower case, as in dispatch.`);
  }
  const module = readModule(tree, name);
  const page = { module, spelling: spell(wordsOf(path)) };
  const { kebab, pascal } = page.spelling;
  const changes = new Changes(tree);
  const controller = `${module.folder}/${kebab}.controller.ts`;
  const unchanged = `${module.plural.kebab} already have the page ${kebab}: nothing was changed.`;
  if (tree.exists(controller) && tree.readText(controller).includes('@ConsoleController(')) {
    return finish(changes, module, unchanged);
  }
  refuseWithoutGet(module);
  const files = new Map([
    [controller, controllerCode(page)],
    [`${module.folder}/dto/${kebab}-form.dto.ts`, formCode(page)],
    [`${module.folder}/${kebab}.eta`, templateCode(page)],
    [`${module.folder}/${kebab}.spec.ts`, specCode(page)],
  ]);
  refuseTaken(files, tree);
  for (const [file, text] of files) changes.create(file, text);
  addController(changes, page, `${pascal}Controller`);
  return finish(changes, module, unchanged);
}

/** @throws Refusal when the page could not ask for the record that its form names */
function refuseWithoutGet(module: ExistingModule): void {
  const { plural, singular } = module;
  const service = classOf(module, `${plural.pascal}Service`);
  if (service && methodIn(service.node, 'get')) return;
  throw new Refusal(
    `${plural.pascal}Service needs a method get(id), by which the page finds the ${singular.words} that its form names.`,
  );
}

/** @throws Refusal when a file or a name of the page is there already */
function refuseTaken(files: ReadonlyMap<string, string>, tree: Tree): void {
  const there = [...files.keys()].find((path) => tree.exists(path));
  if (there !== undefined) throw new Refusal(`${there} already exists: choose another name for the page.`);
  const uses = [...files]
    .filter(([path]) => path.endsWith('.dto.ts'))
    .flatMap(([path, text]) => usesOf(parse(path, text)));
  refuseTakenUses(
    uses,
    readSourcesWith(
      tree,
      uses.map(({ text }) => text),
    ),
  );
}

/** Adds the controller to those of the module. */
function addController(changes: Changes, { module, spelling }: Page, controller: string): void {
  const { plural, folder } = module;
  const target = classOf(module, `${plural.pascal}Module`);
  const list = target && controllersOf(target.node);
  if (!list) {
    changes.leaveByHand(`${folder}/${plural.kebab}.module.ts`, 'among the controllers of the module', [
      controller,
    ]);
    return;
  }
  const edit = changes.edit(target.path);
  const last = list.elements.at(-1);
  edit.insert(last?.end ?? list.elements.pos, last ? `, ${controller}` : controller);
  edit.import({ name: controller, from: `./${spelling.kebab}.controller`, isType: false });
}

function controllersOf(node: ts.ClassDeclaration): ts.ArrayLiteralExpression | undefined {
  const options = decoratorsOf(node)
    .filter((each) => decoratorName(each) === 'Module')
    .flatMap(({ expression }) => (ts.isCallExpression(expression) ? [...expression.arguments] : []))
    .find((argument) => ts.isObjectLiteralExpression(argument));
  const property = options?.properties.find((each) => each.name?.getText() === 'controllers');
  return property && ts.isPropertyAssignment(property) && ts.isArrayLiteralExpression(property.initializer)
    ? property.initializer
    : undefined;
}
