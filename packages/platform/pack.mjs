/*
 * `npm run platform:pack [-- <folder>]`: packs what services and modules of other repositories are built on, into the folder, and
 * prints the files: the platform, and the generator with what builds and tests a service.
 *
 * The platform holds the whole service, compiled and with types, with the dependencies of the service, so that no list has to be
 * kept twice. It is put together in a folder of this run alone: in `dist`, a build or another run would remove it meanwhile.
 */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import { compile, copyAssets } from '../../tools/compile.mjs';
import { compressSwaggerUi } from '../../tools/compress.mjs';
import { stageCreate } from '../create/pack.mjs';

const PROJECT = join(import.meta.dirname, '..', '..');
const RUN = mkdtempSync(join(tmpdir(), 'petstore-pack-'));
const STAGE = join(RUN, 'platform');
const SERVICE = join(STAGE, 'service');

/** Import paths of the package, with the file of each; its types lie beside it. */
const EXPORTS = {
  '.': './service/src/platform/exports.js',
  './pets': './service/src/exports/pets.js',
  './service': './service/src/serve.js',
  './commands': './service/src/run-commands.js',
  './ormconfig': './service/src/service-data-source.js',
  './testing': './service/test/support/service/testing.js',
  './testing/contract': './service/test/support/service/testing-contract.js',
  './testing/setup': './service/test/support/jest/jest-global-setup.js',
  './testing/teardown': './service/test/support/jest/jest-global-teardown.js',
  // What the files of a service refer to, by the names that Jest, TypeScript and Docker Compose look for.
  './jest-preset': './jest-preset.json',
  './tsconfig.json': './tsconfig.json',
  './package.json': './package.json',
};

/** Packages that a module's suites need besides the dependencies of the service. */
const OF_SUITES = ['@nestjs/testing', 'ajv', 'ajv-formats', 'fast-check'];

const readJson = (...path) => JSON.parse(readFileSync(join(PROJECT, ...path), 'utf8'));

/** The judge of migrations, which the suites import by its name: no registry has it, so it comes along in the package. */
const JUDGE = '@petstore/migrations';

function bundleJudge() {
  const folder = join(STAGE, 'node_modules', JUDGE);
  mkdirSync(folder, { recursive: true });
  renameSync(join(SERVICE, 'packages', 'migrations', 'src'), join(folder, 'src'));
  const judge = readJson('packages', 'migrations', 'package.json');
  const packed = { ...judge, exports: { '.': './src/index.js' } };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packed, null, 2)}\n`);
  return { [JUDGE]: judge.version };
}

/**
 * Refuses what is not whole, whatever the compiler has said: a service would notice it by its own types.
 *
 * @throws Error naming the files
 */
function refuseMissing(files) {
  if (files.length > 0) throw new Error(`The package would lack ${files.length} files: ${files.join(', ')}.`);
}

/** Returns the code and declarations of all sources, in the folder that stands for the root of the project. */
function compiledFiles() {
  return globSync(['src/**/*.ts', 'packages/migrations/src/*.ts'], { cwd: PROJECT })
    .filter((file) => !/\.(?:d|spec)\.ts$/.test(file))
    .flatMap((file) => ['.js', '.d.ts'].map((end) => file.replace(/\.ts$/, end)));
}

/** Empties `features.js`: the tests of a module name the features that they start. */
function leaveOutFeatures() {
  // Marked as compiled: without that, importers find a `default` in it.
  const text = "Object.defineProperty(exports, '__esModule', { value: true });\n";
  writeFileSync(join(SERVICE, 'src', 'features.js'), text);
}

/** Folder of the package in a service, as its files name it. */
const IN_SERVICE = 'node_modules/@petstore/platform';

/**
 * Copies what runs the service with everything around it. The compose file becomes one that the compose file of a service includes:
 * what it mounts lies in the package, what it builds and its secrets in the folder of the service.
 */
function copyDeployment() {
  const to = join(STAGE, 'deploy');
  cpSync(join(PROJECT, 'deploy'), to, { recursive: true, filter: (from) => basename(from) !== 'secrets' });
  const compose = readFileSync(join(PROJECT, 'compose.yaml'), 'utf8')
    .replaceAll('./deploy/', `./${IN_SERVICE}/deploy/`)
    .replace('deploy/make-secrets ', `${IN_SERVICE}/deploy/make-secrets deploy/secrets`)
    .replace(/^name: .*\n/m, '')
    .replace(/^( +image: )petstore$/m, '$1${COMPOSE_PROJECT_NAME}');
  writeFileSync(join(to, 'compose.yaml'), compose);
}

const writeJson = (name, value) => writeFileSync(join(STAGE, name), `${JSON.stringify(value, null, 2)}\n`);

/** Writes what the configuration of a service extends: how this service is compiled and tested. */
function writeConfigurations() {
  const { transform, moduleNameMapper, testRegex, testTimeout, workerIdleMemoryLimit } =
    readJson('package.json').jest;
  const esModules = Object.entries(moduleNameMapper).filter(([, target]) => Array.isArray(target));
  writeJson('jest-preset.json', {
    roots: ['<rootDir>/src', '<rootDir>/test'],
    testRegex,
    moduleNameMapper: Object.fromEntries(esModules),
    transform,
    testTimeout,
    // One worker would leave a core of two idle; four would start the platform twice more, for few files.
    maxWorkers: '100%',
    workerIdleMemoryLimit,
    globalSetup: '@petstore/platform/testing/setup',
    globalTeardown: '@petstore/platform/testing/teardown',
  });
  const {
    incremental: _,
    tsBuildInfoFile: __,
    ...compilerOptions
  } = readJson('tsconfig.json').compilerOptions;
  writeJson('tsconfig.json', {
    compilerOptions: {
      ...compilerOptions,
      types: ['node', 'jest'],
      rootDir: '${configDir}',
      outDir: '${configDir}/dist',
    },
  });
}

function writePackageJson(bundled) {
  const { dependencies: all, devDependencies, engines } = readJson('package.json');
  // Modules that this service has as files are no dependencies of others.
  const own = Object.entries(all).filter(([, range]) => !range.startsWith('file:'));
  const dependencies = Object.fromEntries([
    ...own,
    ...OF_SUITES.map((name) => [name, devDependencies[name]]),
  ]);
  // What is private cannot be published, in no registry of a company either.
  const { private: _, ...manifest } = readJson('packages', 'platform', 'package.json');
  const packed = {
    ...manifest,
    engines,
    exports: EXPORTS,
    dependencies: { ...dependencies, ...bundled },
    bundleDependencies: Object.keys(bundled),
  };
  writeJson('package.json', packed);
  return packed;
}

function pack(stage) {
  const output = execFileSync('npm', ['pack', stage, '--json', '--silent', '--pack-destination', folder], {
    cwd: PROJECT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  });
  const [{ filename, files }] = JSON.parse(output);
  const packed = new Set(files.map(({ path }) => path));
  const staged = globSync('**/*', { cwd: stage, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = staged.map((entry) =>
    relative(stage, join(entry.parentPath, entry.name)).replaceAll('\\', '/'),
  );
  refuseMissing(paths.filter((path) => !packed.has(path)));
  process.stdout.write(`${join(folder, filename)}\n`);
}

process.on('exit', () => rmSync(RUN, { recursive: true, force: true }));
compile(import.meta.dirname, '--outDir', SERVICE);
refuseMissing(compiledFiles().filter((file) => !existsSync(join(SERVICE, file))));
copyAssets(PROJECT, SERVICE);
compressSwaggerUi(SERVICE);
leaveOutFeatures();
copyDeployment();
writeConfigurations();
const platform = writePackageJson(bundleJudge());
const create = stageCreate(platform, join(RUN, 'create'));
const folder = resolve(process.argv[2] ?? '.');
mkdirSync(folder, { recursive: true });
pack(STAGE);
pack(create);
