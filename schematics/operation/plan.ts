import type { SchematicContext, Tree } from '@angular-devkit/schematics';
import ts from 'typescript';
import { addMethod, decoratorName, decoratorsOf, methodIn, propertyIn } from '../edit/classes.ts';
import { Changes } from '../edit/changes.ts';
import { importsOf } from '../edit/imports.ts';
import { addTest } from '../edit/tests.ts';
import { readFields } from '../feature/fields.ts';
import { linkFields } from '../feature/references.ts';
import { nodesOf, parse, readSourcesWith, textIn } from '../text/sources.ts';
import { refuseTakenUses } from '../feature/taken.ts';
import { usesOf } from '../feature/uses.ts';
import { classOf, type Declared, type ExistingModule } from '../module/existing-module.ts';
import { finish, type Plan } from '../module/finish.ts';
import { Rendered } from '../module/rendered.ts';
import { Refusal } from '../refusal.ts';
import { bodyCode, bodyEnums } from './body.ts';
import { handlerCode, serviceCode } from './code.ts';
import {
  handlerOf,
  inWords,
  type Operation,
  type OperationOptions,
  pathOf,
  readOperation,
} from './operation.ts';
import { testsOf } from './tests.ts';

/** Origin of the Nest imports that the code of an operation needs besides those of every module. */
const OF_NEST = { from: '@nestjs/common', isType: false };

/**
 * Decides the changes for an operation on single records of a module: the class of its body, its controller, its service and
 * its tests.
 *
 * @throws Refusal
 */
export async function planOperation(
  options: OperationOptions,
  tree: Tree,
  context: SchematicContext,
): Promise<Plan> {
  const operation = readOperation(options, tree);
  const { module, controller, parent, body } = operation;
  const { plural } = module;
  const service = classOf(module, `${plural.pascal}Service`);
  const changes = new Changes(tree);
  const unchanged = `${plural.kebab} already have the operation ${handlerOf(operation)}: nothing was changed.`;
  if (isThere(operation, controller, service)) return finish(changes, module, unchanged);

  const fields = linkFields(readFields('ofNoConsequence:string', module), module, []);
  const rendered = await Rendered.of(module, fields, context);
  refuseUnseen(operation, controller);
  addBody(changes, operation, tree);
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
    const known = [
      ...importsOf(rendered.file(`/${plural.kebab}.${end}.ts`)),
      ...['Get', 'Post', 'Put', 'Delete', 'HttpCode'].map((each) => ({ name: each, ...OF_NEST })),
      ...(body ? [{ name: body.dto, from: `./dto/${body.file}`, isType: end === 'service' }] : []),
      ...(parent
        ? [
            {
              name: `${parent.singular.pascal}NotFoundError`,
              from: `../${parent.plural.kebab}/${parent.plural.kebab}.errors`,
              isType: false,
            },
          ]
        : []),
    ];
    edit.import(
      ...known.filter((each) => new RegExp(`\\b${each.name}\\b`).test(code.replace(/\/\*\*.*\*\//, ''))),
    );
  }
  editSpec(changes, operation, controller, rendered);
  return finish(changes, module, unchanged);
}

type DeclaredClass = Declared<ts.ClassDeclaration>;

/**
 * Returns true if the operation exists as it is asked for. @throws Refusal when something else has a name of the operation, or
 * its path
 */
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
      `The operation ${handler} already exists in ${controller.path}, with another method or path.`,
    );
  }
  if (there && !hasWhatIsAsked(operation, there)) {
    throw new Refusal(
      `The operation ${handler} already exists in ${controller.path}, without the requested options.`,
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

/** True if a handler takes the body, the condition and the key that are asked for. */
function hasWhatIsAsked(
  { module, body, hasPrecondition, isIdempotent }: Operation,
  handler: ts.MethodDeclaration,
): boolean {
  const dto = body && classOf(module, body.dto)?.node;
  const text = handler.getText();
  return (
    (!body || (dto !== undefined && body.fields.every(({ name }) => propertyIn(dto, name)))) &&
    (!hasPrecondition || text.includes('@IfMatch(')) &&
    (!isIdempotent || /@(Once|Idempotent)\(/.test(text))
  );
}

/** True if the controller serves single records of the module by an HTTP method. */
function serves(
  controller: DeclaredClass | undefined,
  method: string,
  { idParameter }: ExistingModule,
): boolean {
  const handlers = controller?.node.members.filter((member) => ts.isMethodDeclaration(member)) ?? [];
  return handlers.some((handler) => routesOf(handler).includes(`${method} :${idParameter}`));
}

/** @throws Refusal when no client can know the entity tag to send */
function refuseUnseen({ module, hasPrecondition }: Operation, controller: DeclaredClass | undefined): void {
  if (!hasPrecondition || !controller) return;
  if (serves(controller, 'get', module) || serves(controller, 'patch', module)) return;
  throw new Refusal(
    `--if-match needs an entity tag that a client has seen: ${controller.path} has neither GET nor PATCH of one ${module.singular.words}.`,
  );
}

/** The routes that decorators of a handler make: `post :orderId/cancel`. */
function routesOf(method: ts.MethodDeclaration): string[] {
  return decoratorsOf(method).flatMap((each) =>
    ts.isCallExpression(each.expression)
      ? [`${decoratorName(each).toLowerCase()} ${textIn(each.expression.arguments[0], 'path') ?? ''}`]
      : [],
  );
}

/** True if a service has the members and the function that the code uses. */
function hasWhatItUses({ module, parent }: Operation, { source, node }: DeclaredClass): boolean {
  const { plural } = module;
  const members = nodesOf(node)
    .filter((each) => ts.isParameter(each) || ts.isPropertyDeclaration(each))
    .map((each) => each.name.getText());
  return (
    ['events', 'database', plural.camel, ...(parent ? [parent.plural.camel] : [])].every((name) =>
      members.includes(name),
    ) && source.statements.some((each) => ts.isFunctionDeclaration(each) && each.name?.text === 'toDto')
  );
}

/** Adds the class of the body and its enums. @throws Refusal when one of their names is taken */
function addBody(changes: Changes, operation: Operation, tree: Tree): void {
  const { module, body } = operation;
  if (!body) return;
  const handler = handlerOf(operation);
  const files = [
    [`${module.folder}/dto/${body.file}.ts`, bodyCode(body, handler, inWords(operation))] as const,
    ...[...bodyEnums(body, handler)].map(([file, text]) => [`${module.folder}/${file}.ts`, text] as const),
  ];
  const uses = files.flatMap(([path, text]) => usesOf(parse(path, text)));
  refuseTakenUses(
    uses,
    readSourcesWith(
      tree,
      uses.map(({ text }) => text),
    ),
  );
  for (const [path, text] of files) changes.create(path, text);
}

function editSpec(
  changes: Changes,
  operation: Operation,
  controller: DeclaredClass | undefined,
  rendered: Rendered,
): void {
  const { module } = operation;
  const end = `/${module.plural.kebab}.spec.ts`;
  const spec = module.sources.find(({ fileName }) => fileName.endsWith(end));
  const code = testsOf(operation, serves(controller, 'get', module)).join('\n\n');
  const isUsable = operation.parent ? /\bfunction add\b/ : /\bservice\b/;
  if (!spec || !isUsable.test(spec.text)) {
    changes.leaveByHand(`${module.folder}${end}`, 'among the tests', code.split('\n'));
    return;
  }
  const edit = changes.edit(spec.fileName);
  addTest(edit, code);
  edit.import(...importsOf(rendered.file(end)).filter(({ name }) => name === 'addSample'));
}
