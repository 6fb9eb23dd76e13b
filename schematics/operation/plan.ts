import type { SchematicContext, Tree } from '@angular-devkit/schematics';
import ts from 'typescript';
import { addMethod, classesOf, decoratorName, decoratorsOf, methodIn } from '../edit/classes.ts';
import { Changes } from '../edit/changes.ts';
import { importsOf } from '../edit/imports.ts';
import { addTest } from '../edit/tests.ts';
import { readFields } from '../feature/fields.ts';
import { linkFields } from '../feature/references.ts';
import { nodesOf, textIn } from '../feature/sources.ts';
import { spell, wordsOf } from '../feature/spelling.ts';
import { classOf, type Declared, readModule } from '../module/existing-module.ts';
import { finish, type Plan } from '../module/finish.ts';
import { Rendered } from '../module/rendered.ts';
import { Refusal } from '../refusal.ts';
import {
  handlerCode,
  handlerOf,
  METHODS,
  type Method,
  type Operation,
  pathOf,
  serviceCode,
  testCode,
} from './code.ts';

/** What is asked for; see `schema.json`. */
export interface OperationOptions {
  readonly name: string;
  /** The operation. The Nest CLI gives its third argument this name. */
  readonly path?: string;
  readonly method?: string;
}

const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

/** What the code of an operation uses besides what every controller, service and test of a module has. */
const OF_NEST = { from: '@nestjs/common', isType: false };

/**
 * Decides what an operation on one of a module changes: its controller, its service and its tests.
 *
 * @throws Refusal
 */
export async function planOperation(
  options: OperationOptions,
  tree: Tree,
  context: SchematicContext,
): Promise<Plan> {
  const { path: name = '', method = 'post' } = options;
  if (!NAME.test(name)) {
    throw new Refusal(
      `${JSON.stringify(name)} cannot name an operation: words in lower case are needed, as in cancel.`,
    );
  }
  if (!isMethod(method)) {
    throw new Refusal(
      `${JSON.stringify(method)} is no method of operations: there are ${METHODS.join(', ')}.`,
    );
  }
  const module = readModule(tree, options.name);
  const operation: Operation = { module, spelling: spell(wordsOf(name)), method };
  const { plural } = module;
  const controller = controllerOf(operation);
  const service = classOf(module, `${plural.pascal}Service`);
  const changes = new Changes(tree);
  const unchanged = `${plural.kebab} have the operation ${handlerOf(operation)} already: nothing was changed.`;
  if (isThere(operation, controller, service)) return finish(changes, module, unchanged);

  const fields = linkFields(readFields('ofNoConsequence:string', module), module, []);
  const rendered = await Rendered.of(module, fields, context);
  for (const [target, end, code] of [
    [controller, 'controller', handlerCode(operation)],
    [service, 'service', serviceCode(operation)],
  ] as const) {
    const path = target?.path ?? `${module.folder}/${plural.kebab}.${end}.ts`;
    if (!target || (end === 'service' && !hasWhatItUses(operation, target))) {
      changes.leaveByHand(
        path,
        `in the class ${plural.pascal}${end === 'service' ? 'Service' : 'Controller'}`,
        code.split('\n'),
      );
      continue;
    }
    const edit = changes.edit(path);
    addMethod(edit, target.node, code);
    const known = importsOf(rendered.file(`/${plural.kebab}.${end}.ts`));
    edit.import(
      ...[
        ...known,
        ...['Get', 'Post', 'Put', 'Delete', 'HttpCode'].map((each) => ({ name: each, ...OF_NEST })),
      ].filter((each) => new RegExp(`\\b${each.name}\\b`).test(code)),
    );
  }
  editSpec(changes, operation, rendered);
  return finish(changes, module, unchanged);
}

function isMethod(text: string): text is Method {
  return (METHODS as readonly string[]).includes(text);
}

type DeclaredClass = Declared<ts.ClassDeclaration>;

/** The class whose paths begin as the module is called. */
function controllerOf({ module }: Operation): DeclaredClass | undefined {
  const controllers = module.sources.flatMap((source) =>
    classesOf(source).map((node) => ({ path: source.fileName, source, node })),
  );
  return controllers.find(({ node }) =>
    decoratorsOf(node).some(
      (each) =>
        decoratorName(each) === 'Controller' &&
        ts.isCallExpression(each.expression) &&
        textIn(each.expression.arguments[0], 'path') === module.plural.kebab,
    ),
  );
}

/** @throws Refusal when something else has a name of the operation, or its path */
function isThere(
  operation: Operation,
  controller: DeclaredClass | undefined,
  service: DeclaredClass | undefined,
): boolean {
  const handler = handlerOf(operation);
  const { spelling, method } = operation;
  const there = controller && methodIn(controller.node, handler);
  const route = [method, pathOf(operation)].join(' ');
  if (there && !routesOf(there).includes(route)) {
    throw new Refusal(
      `The operation ${handler} is there already, and ${controller.path} has it with another method or path.`,
    );
  }
  if (there) return true;
  const twin = controller?.node.members
    .filter((member) => ts.isMethodDeclaration(member))
    .find((member) => routesOf(member).includes(route));
  if (twin)
    throw new Refusal(
      `${method.toUpperCase()} ${pathOf(operation)} is taken: ${twin.name.getText()} has it.`,
    );
  if (service?.node.members.some((member) => member.name?.getText() === spelling.camel)) {
    throw new Refusal(`The name ${spelling.camel} is taken: ${service.path} has a method of this name.`);
  }
  return false;
}

/** The routes that decorators of a handler make: `post :orderId/cancel`. */
function routesOf(method: ts.MethodDeclaration): string[] {
  return decoratorsOf(method).flatMap((each) =>
    ts.isCallExpression(each.expression)
      ? [`${decoratorName(each).toLowerCase()} ${textIn(each.expression.arguments[0], 'path') ?? ''}`]
      : [],
  );
}

/** Whether a service is made as the code expects it. */
function hasWhatItUses({ module }: Operation, { source, node }: DeclaredClass): boolean {
  const { plural } = module;
  const members = nodesOf(node)
    .filter((each) => ts.isParameter(each) || ts.isPropertyDeclaration(each))
    .map((each) => each.name.getText());
  return (
    ['events', 'database', plural.camel].every((name) => members.includes(name)) &&
    source.statements.some((each) => ts.isFunctionDeclaration(each) && each.name?.text === 'toDto')
  );
}

function editSpec(changes: Changes, operation: Operation, rendered: Rendered): void {
  const { module } = operation;
  const end = `/${module.plural.kebab}.spec.ts`;
  const spec = module.sources.find(({ fileName }) => fileName.endsWith(end));
  const code = testCode(operation);
  if (!spec || !/\bservice\b/.test(spec.text)) {
    changes.leaveByHand(`${module.folder}${end}`, 'among the tests', code.split('\n'));
    return;
  }
  const edit = changes.edit(spec.fileName);
  addTest(edit, code);
  edit.import(...importsOf(rendered.file(end)).filter(({ name }) => name === 'addSample'));
}
