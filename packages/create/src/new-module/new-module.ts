import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative, resolve } from 'node:path';
import { formatted } from '../text/format.ts';
import { readFeatureName } from '../feature/names.ts';
import { Refusal } from '../refusal.ts';
import { exportLines } from '../module/repository.ts';
import { readTemplate } from '../new-service/templates.ts';
import { generatedFeature } from './generated-feature.ts';
import { readme } from './readme.ts';
import { repositoryFiles } from './repository-files.ts';

/** Options of the command. */
export interface NewModuleRequest {
  readonly name: string;
  readonly fields: string | undefined;
  readonly plural: string | undefined;
  readonly operations: string | undefined;
  readonly packageName: string;
  /** Target folder, relative to the working directory. */
  readonly folder: string;
  readonly dryRun: boolean;
}

const INDEX_COMMENT = '// The public interface of this package, for the service and other modules.\n';

/** Tests of every module of a package, the same as in a service. */
const SUITES = ['every-operation.spec.ts', 'every-migration.spec.ts'];

/** Names that npm accepts for new packages. */
const PACKAGE_NAME = /^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*$/;

/**
 * Writes a repository with a module of the service in the working directory.
 *
 * @returns a report of the changes
 * @throws Refusal, with nothing written
 */
export async function newModule(request: NewModuleRequest): Promise<string> {
  const { name, fields, plural, operations, packageName, folder, dryRun } = request;
  const root = process.cwd();
  const target = resolve(folder);
  if (!PACKAGE_NAME.test(packageName)) {
    throw new Refusal(
      `${JSON.stringify(packageName)} cannot name a package: write it as @acme/petstore-coupons.`,
    );
  }
  if (existsSync(target) && readdirSync(target).length > 0) {
    throw new Refusal(`The folder ${folder} already exists and is not empty.`);
  }
  const names = readFeatureName(name, plural);
  const feature = await generatedFeature(root, { name, path: fields, plural, operations, shipped: true });
  const service = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as object;
  const platform = JSON.parse(readFileSync(join(root, 'packages', 'platform', 'package.json'), 'utf8')) as {
    version: string;
  };
  const model = {
    ...names,
    packageName,
    platformVersion: platform.version,
    folder: posix.normalize(relative(root, target).replaceAll('\\', '/')),
  };
  const files = new Map([
    ...repositoryFiles(model, service, readFileSync(join(root, '.oxlintrc.json'), 'utf8')),
    ...feature,
    ['src/index.ts', `${INDEX_COMMENT}${exportLines(feature).join('')}`],
    ...SUITES.map((suite): [string, string] => [`src/${suite}`, readTemplate(`test/${suite}`)]),
    ['README.md', readme(model)],
  ]);
  const created = [...files.keys()].map((path) => `CREATE ${path}`).join('\n');
  if (dryRun) return `${created}\nDry run: nothing was written.\n`;
  for (const [path, text] of files) {
    const file = join(target, path);
    mkdirSync(dirname(file), { recursive: true });
    const isText = path.startsWith('.') && !path.endsWith('.json');
    writeFileSync(file, isText ? text : await formatted(root, path, text));
    if (path.startsWith('.ci/')) chmodSync(file, 0o755);
  }
  return `${created}
Next: npm run platform:pack -- ${model.folder}/vendor, then see ${model.folder}/README.md
`;
}
