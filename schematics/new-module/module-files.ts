import { posix } from 'node:path';
import type { FeatureNames } from '../feature/names.ts';
import { recordPath } from '../feature/record.ts';
import { exportedNames, exportLines, importLine, withPackages } from '../text/packages.ts';
import { Refusal } from '../refusal.ts';

const MIGRATIONS = 'src/migrations/';

/**
 * The files of a generated feature as those of a repository: they import the packages instead of the folders of the service,
 * name its entities and migrations in `@Feature()`, and have an `index.ts`.
 *
 * @throws Refusal when a part is missing
 */
export function asModule(generated: ReadonlyMap<string, string>, names: FeatureNames): Map<string, string> {
  const folder = `src/${names.plural.kebab}`;
  const files = new Map<string, string>();
  for (const [path, text] of generated) {
    // The record is for updates, which handle only modules of the service.
    if (path === recordPath(folder)) continue;
    if (path.startsWith(MIGRATIONS) || path.startsWith(`${folder}/`)) {
      files.set(path, withPackages(path, text));
    }
  }
  const module = `${names.plural.pascal}Module`;
  change(files, `${folder}/${names.plural.kebab}.module.ts`, (text, path) => withSchema(text, path, files));
  change(files, `${folder}/${names.plural.kebab}.spec.ts`, (text) => startedWith(text, module, names));
  files.set('src/index.ts', indexOf(files));
  files.set('src/every-operation.spec.ts', contractSpecOf(files, names));
  files.set('src/every-migration.spec.ts', migrationSpecOf(names));
  return files;
}

function change(files: Map<string, string>, path: string, by: (text: string, path: string) => string): void {
  const text = files.get(path);
  if (text === undefined) throw new Refusal(`The generator did not write ${path}.`);
  files.set(path, by(text, path));
}

/** Makes a module declare its own entities and migrations. */
function withSchema(text: string, path: string, files: ReadonlyMap<string, string>): string {
  const listOf = (pattern: RegExp) => {
    const found = [...files].filter(([file]) => pattern.test(file));
    return found.flatMap(([file, other]) => exportedNames(file, other).map((name) => ({ name, file })));
  };
  const entities = listOf(/\.entity\.ts$/);
  const migrations = listOf(/^src\/migrations\//);
  const imports = [...entities, ...migrations].map(({ name, file }) => {
    const specifier = posix.relative(posix.dirname(path), file).replace(/\.ts$/, '');
    return importLine([name], specifier.startsWith('.') ? specifier : `./${specifier}`);
  });
  const options = /@Feature\(\{(?<options>[^}]*?),?\s*\}\)/;
  if (!options.test(text)) throw new Refusal(`The generator did not write @Feature() into ${path}.`);
  const named = (list: readonly { name: string }[]) => list.map(({ name }) => name).join(', ');
  return text
    .replace(
      options,
      `@Feature({$<options>, entities: [${named(entities)}], migrations: [${named(migrations)}] })`,
    )
    .replace(/\n\n/, `\n${imports.join('')}\n`);
}

/** A spec that starts the service with this module. */
function startedWith(text: string, module: string, { plural }: FeatureNames): string {
  const started = text.replace('startTestService(engine)', `startTestService(engine, { ${module} })`);
  if (started === text) throw new Refusal('The generator wrote a spec that does not start a service.');
  return started.replace(/\n\n/, `\nimport { ${module} } from './${plural.kebab}.module';\n\n`);
}

/** A spec that checks what the contract promises for every operation. */
function contractSpecOf(files: ReadonlyMap<string, string>, { plural }: FeatureNames): string {
  const module = `${plural.pascal}Module`;
  const beside = `./${plural.kebab}/${plural.kebab}`;
  const hasSamples = files.has(`src/${plural.kebab}/${plural.kebab}.samples.ts`);
  return `import { describeEveryOperation } from '@petstore/platform/testing/contract';
import { ${module} } from '${beside}.module';
${hasSamples ? `import { samples } from '${beside}.samples';\n` : ''}
describeEveryOperation({ ${module} }${hasSamples ? ', [samples]' : ''});
`;
}

/** A spec that checks that migrations keep the rules. */
function migrationSpecOf({ plural }: FeatureNames): string {
  const module = `${plural.pascal}Module`;
  return `import { describeEveryMigration } from '@petstore/platform/testing/contract';
import { ${module} } from './${plural.kebab}/${plural.kebab}.module';

describeEveryMigration({ ${module} });
`;
}

function indexOf(files: ReadonlyMap<string, string>): string {
  return `// The public interface of this module, for the service and other modules.\n${exportLines(files).join('')}`;
}
