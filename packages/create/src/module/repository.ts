import { posix } from 'node:path';
import type { Tree } from '@angular-devkit/schematics';
import ts from 'typescript';
import { decoratorName, decoratorsOf, classesOf } from '../edit/classes.ts';
import { FileEdit } from '../edit/file-edit.ts';
import { FEATURES } from '../feature/feature-list.ts';
import { exportedNames, exportLines, withPackages } from '../text/packages.ts';
import { Refusal } from '../refusal.ts';
import { pathsBelow } from '../text/sources.ts';

/** Public interface of a module in a repository of its own, which also lists its module. */
export const INDEX = 'src/index.ts';

/** True in the repository of a module; false in that of the service. */
export function isRepository(tree: Tree): boolean {
  return !tree.exists(FEATURES) && tree.exists(INDEX) && tree.exists('tsconfig.build.json');
}

/**
 * Files of a module as its repository has them: they import the packages of the service, the module declares new entities and
 * migrations, and `index.ts` exports what others may use. In the service they stay as they are.
 *
 * @throws Refusal when the module has no list of them
 */
export function inRepository(tree: Tree, texts: Map<string, string>): Map<string, string> {
  if (!isRepository(tree)) return texts;
  const folders = new Set([...texts.keys()].map((path) => posix.dirname(path)));
  const module = pathsBelow(tree, 'src').find(
    (path) => path.endsWith('.module.ts') && folders.has(posix.dirname(path)),
  );
  if (module === undefined) return texts;
  const [name = ''] = exportedNames(module, tree.readText(module));
  const files = new Map(
    [...texts].map(([path, text]) => [path, path.endsWith('.ts') ? adapted(path, text, name, module) : text]),
  );
  const created = new Map([...files].filter(([path]) => !tree.exists(path)));
  const declared = withSchema(module, files.get(module) ?? tree.readText(module), created);
  if (declared !== undefined) files.set(module, declared);
  const index = tree.readText(INDEX);
  const lines = exportLines(created).filter((line) => !index.includes(line));
  if (lines.length > 0) files.set(INDEX, index + lines.join(''));
  return files;
}

function adapted(path: string, text: string, name: string, module: string): string {
  const started = path.endsWith('.spec.ts')
    ? text.replaceAll(/startTestService\((engine|'sqlite')\)/g, `startTestService($1, { ${name} })`)
    : text;
  const isTold = started === text || text.includes(`import { ${name} }`);
  const beside = `./${module.slice(module.lastIndexOf('/') + 1).replace(/\.ts$/, '')}`;
  const whole = isTold ? started : started.replace(/\n\n/, `\nimport { ${name} } from '${beside}';\n\n`);
  return /from '(?:\.\.\/)+(?:platform|pets|test)\//.test(whole) ? withPackages(path, whole) : whole;
}

/** Adds new entities and migrations to `@Feature()` of a module; undefined if there are none. @throws Refusal */
function withSchema(path: string, text: string, created: ReadonlyMap<string, string>): string | undefined {
  const edit = new FileEdit(path, text);
  for (const [file, code] of created) {
    const member = file.startsWith('src/migrations/')
      ? 'migrations'
      : file.endsWith('.entity.ts')
        ? 'entities'
        : undefined;
    if (member === undefined) continue;
    const list = listIn(edit.source, member);
    if (!list) {
      throw new Refusal(
        `@Feature() in ${path} has no list "${member}": add it, "${member}: []", and run this again.`,
      );
    }
    const names = exportedNames(file, code);
    const last = list.elements.at(-1);
    edit.insert(last?.end ?? list.elements.pos, `${last ? ', ' : ''}${names.join(', ')}`);
    const from =
      member === 'migrations'
        ? `../${file.slice('src/'.length)}`
        : `./${file.slice(file.lastIndexOf('/') + 1)}`;
    edit.import(...names.map((name) => ({ name, from: from.replace(/\.ts$/, ''), isType: false })));
  }
  return edit.isChanged ? edit.text : undefined;
}

function listIn(source: ts.SourceFile, member: string): ts.ArrayLiteralExpression | undefined {
  const options = classesOf(source)
    .flatMap(decoratorsOf)
    .filter((each) => decoratorName(each) === 'Feature')
    .flatMap(({ expression }) => (ts.isCallExpression(expression) ? [...expression.arguments] : []))
    .find((argument) => ts.isObjectLiteralExpression(argument));
  const property = options?.properties.find((each) => each.name?.getText() === member);
  return property && ts.isPropertyAssignment(property) && ts.isArrayLiteralExpression(property.initializer)
    ? property.initializer
    : undefined;
}
