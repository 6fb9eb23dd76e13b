import type { Tree } from '@angular-devkit/schematics';
import ts from 'typescript';
import { FileEdit } from '../edit/file-edit.ts';
import { addElement, addMember } from '../edit/literals.ts';
import type { FeatureNames } from '../feature/names.ts';
import { Refusal } from '../refusal.ts';
import { exportLines } from '../text/packages.ts';
import { callOf, nodesOf } from '../text/sources.ts';
import { INDEX } from './repository.ts';

/** Tests of the repository of a module, which it has once, by the function that makes them. */
const CONTRACT = { path: 'src/every-operation.spec.ts', call: 'describeEveryOperation' } as const;
const MIGRATION = { path: 'src/every-migration.spec.ts', call: 'describeEveryMigration' } as const;

/** The public interface of the module in a repository of its own. */
export function indexOf(files: ReadonlyMap<string, string>): string {
  return `// The public interface of this module, for the service and other modules.\n${exportLines(files).join('')}`;
}

/** A spec that checks what the contract promises for every operation. */
export function contractSpec(files: ReadonlyMap<string, string>, { plural }: FeatureNames): string {
  const module = `${plural.pascal}Module`;
  const beside = `./${plural.kebab}/${plural.kebab}`;
  const hasSamples = files.has(`src/${plural.kebab}/${plural.kebab}.samples.ts`);
  return `import { ${CONTRACT.call} } from '@petstore/platform/testing/contract';
import { ${module} } from '${beside}.module';
${hasSamples ? `import { samples } from '${beside}.samples';\n` : ''}
${CONTRACT.call}({ ${module} }${hasSamples ? ', [samples]' : ''});
`;
}

/** A spec that checks that migrations keep the rules. */
export function migrationSpec({ plural }: FeatureNames): string {
  const module = `${plural.pascal}Module`;
  return `import { ${MIGRATION.call} } from '@petstore/platform/testing/contract';
import { ${module} } from './${plural.kebab}/${plural.kebab}.module';

${MIGRATION.call}({ ${module} });
`;
}

/**
 * Adds a module to what its repository has once: the exports of the package, and the tests of every operation and migration.
 *
 * @param files the files of the other module
 * @returns the texts that change, by path
 * @throws Refusal when a test has another shape than generated ones
 */
export function withModule(
  tree: Tree,
  files: ReadonlyMap<string, string>,
  { plural }: FeatureNames,
): Map<string, string> {
  const texts = new Map<string, string>();
  const index = tree.readText(INDEX);
  const lines = exportLines(files).filter((line) => !index.includes(line));
  if (lines.length > 0) texts.set(INDEX, index + lines.join(''));
  const module = `${plural.pascal}Module`;
  const beside = `./${plural.kebab}/${plural.kebab}`;
  const hasSamples = files.has(`src/${plural.kebab}/${plural.kebab}.samples.ts`);
  for (const { path, call } of [CONTRACT, MIGRATION]) {
    const edit = new FileEdit(path, tree.exists(path) ? tree.readText(path) : '');
    if (edit.source.text.includes(module)) continue;
    const [modules, samples] =
      nodesOf(edit.source)
        .flatMap((node) => callOf(node) ?? [])
        .find(({ name }) => name === call)?.arguments ?? [];
    if (
      !modules ||
      !ts.isObjectLiteralExpression(modules) ||
      (samples && !ts.isArrayLiteralExpression(samples))
    ) {
      throw new Refusal(`${path} does not call ${call}({ … }): write it so, and run this again.`);
    }
    addMember(edit, modules, module);
    edit.import({ name: module, from: `${beside}.module`, isType: false });
    if (path === CONTRACT.path && hasSamples) {
      const name = `samplesOf${plural.pascal}`;
      if (samples) addElement(edit, samples, name);
      else edit.insert(modules.end, `, [${name}]`);
      edit.import({ name: `samples as ${name}`, from: `${beside}.samples`, isType: false });
    }
    texts.set(path, edit.text);
  }
  return texts;
}
