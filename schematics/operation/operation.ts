import type { Tree } from '@angular-devkit/schematics';
import ts from 'typescript';
import { classesOf, decoratorName, decoratorsOf } from '../edit/classes.ts';
import { textIn } from '../text/sources.ts';
import { capitalized, type Spelling, spell, wordsOf } from '../text/spelling.ts';
import { type Declared, type ExistingModule, readModule } from '../module/existing-module.ts';
import { Refusal } from '../refusal.ts';
import { type OperationBody, readBody } from './body.ts';

/** HTTP methods that an operation can have. A PATCH changes members, which `update` does. */
const METHODS = ['get', 'post', 'put', 'delete'] as const;

type Method = (typeof METHODS)[number];

/** Options of the schematic; see `schema.json`. */
export interface OperationOptions {
  readonly name: string;
  /** Name of the operation. The Nest CLI gives its third argument this name. */
  readonly path?: string;
  readonly method?: string;
  /** Fields of its body. */
  readonly body?: string;
  readonly ifMatch?: boolean;
  readonly idempotent?: boolean;
}

/** An operation on single records of a module. */
export interface Operation {
  readonly module: ExistingModule;
  /** Controller of its route; undefined if none has the path of the module. */
  readonly controller: Declared<ts.ClassDeclaration> | undefined;
  /** Module whose path its path is below; undefined unless the module is a nested collection. */
  readonly parent: ExistingModule | undefined;
  readonly spelling: Spelling;
  readonly method: Method;
  /** Undefined if it takes no body. */
  readonly body: OperationBody | undefined;
  /** True if it takes `If-Match`: a client can make it depend on the state it has seen. */
  readonly hasPrecondition: boolean;
  /** True if a client can repeat it without repeating its work. */
  readonly isIdempotent: boolean;
}

const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

/**
 * Reads the options of an operation.
 *
 * @throws Refusal
 */
export function readOperation(options: OperationOptions, tree: Tree): Operation {
  const { path: name = '', method = 'post', body, ifMatch = false, idempotent = false } = options;
  if (!NAME.test(name)) {
    throw new Refusal(
      `${JSON.stringify(name)} cannot name an operation: use words in lower case, as in cancel.`,
    );
  }
  if (!isMethod(method)) {
    throw new Refusal(
      `${JSON.stringify(method)} is not a method of operations: choose from ${METHODS.join(', ')}.`,
    );
  }
  if (body !== undefined && (method === 'get' || method === 'delete')) {
    throw new Refusal(`A ${method} has no body: leave --body out, or use post or put.`);
  }
  if (ifMatch && method === 'get') {
    throw new Refusal('A get changes nothing, so --if-match does not apply: leave it out.');
  }
  if (idempotent && method !== 'post') {
    throw new Refusal(`--idempotent is for post: a ${method} can be repeated safely without it.`);
  }
  const module = readModule(tree, options.name);
  const { controller, parent } = controllerOf(module, tree);
  const operation = { module, controller, parent, spelling: spell(wordsOf(name)), method };
  return {
    ...operation,
    body: body === undefined ? undefined : readBody(body, handlerOf(operation)),
    hasPrecondition: ifMatch,
    isIdempotent: idempotent,
  };
}

/** The controller whose path ends in the name of the module, and the module that the path begins with. */
function controllerOf(module: ExistingModule, tree: Tree): Pick<Operation, 'controller' | 'parent'> {
  const { kebab } = module.plural;
  for (const source of module.sources) {
    for (const node of classesOf(source)) {
      const path = decoratorsOf(node)
        .filter((each) => decoratorName(each) === 'Controller')
        .map(({ expression }) => (ts.isCallExpression(expression) ? expression.arguments[0] : undefined))
        .map((argument) => textIn(argument, 'path'))[0];
      const [, folder] = /^([a-z][a-z0-9-]*)\/:\w+\/([a-z][a-z0-9-]*)$/.exec(path ?? '') ?? [];
      if (path !== kebab && !(folder !== undefined && path?.endsWith(`/${kebab}`))) continue;
      const parent = folder === undefined ? undefined : readModule(tree, folder);
      return { controller: { path: source.fileName, source, node }, parent };
    }
  }
  return { controller: undefined, parent: undefined };
}

function isMethod(text: string): text is Method {
  return (METHODS as readonly string[]).includes(text);
}

/** The handler's name, which is the operation's in the document: `cancelOrder`, `markOrderShipped`. */
export function handlerOf({ module, spelling }: Pick<Operation, 'module' | 'spelling'>): string {
  const [verb = '', ...others] = spelling.kebab.split('-');
  return `${verb}${module.singular.pascal}${others.map(capitalized).join('')}`;
}

/** The path of its route, below the path of the module. */
export function pathOf({ module, spelling }: Pick<Operation, 'module' | 'spelling'>): string {
  return `:${module.idParameter}/${spelling.kebab}`;
}

/** The operation as a phrase: `cancel an order`, `mark an order shipped`. */
export function inWords({ module, spelling }: Operation, object = module.withArticle): string {
  const [verb = '', ...others] = spelling.kebab.split('-');
  return [verb, object, ...others].join(' ');
}
