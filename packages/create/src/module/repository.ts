import { posix } from 'node:path';
import type { Tree } from '@angular-devkit/schematics';
import { FEATURES } from '../feature/feature-list.ts';
import { exportedNames, exportLines, withPackages } from '../text/packages.ts';
import { pathsBelow } from '../text/sources.ts';

/** Public interface of a module in a repository of its own, which also lists its module. */
export const INDEX = 'src/index.ts';

/** True in the repository of a module; false in that of the service. */
export function isRepository(tree: Tree): boolean {
  return !tree.exists(FEATURES) && tree.exists(INDEX) && tree.exists('tsconfig.build.json');
}

/**
 * Files of a module as its repository has them: they import the packages of the service, and `index.ts` exports what others may
 * use. In the service only their imports change.
 */
export function inRepository(tree: Tree, texts: Map<string, string>): Map<string, string> {
  if (!isRepository(tree)) {
    return new Map([...texts].map(([path, text]) => [path, asOfService(tree, path, text)]));
  }
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
  const index = tree.readText(INDEX);
  const lines = exportLines(created).filter((line) => !index.includes(line));
  if (lines.length > 0) files.set(INDEX, index + lines.join(''));
  return files;
}

/** A new file of the service, or one that imports the package already, imports the package alone; others stay as they are. */
function asOfService(tree: Tree, path: string, text: string): string {
  if (!path.endsWith('.ts') || !path.startsWith('src/')) return text;
  const isOfPackage = !tree.exists(path) || tree.readText(path).includes("from '@petstore/platform'");
  return isOfPackage ? withPackages(path, text) : text;
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
