'use strict';

const { existsSync } = require('node:fs');
const { createRequire, registerHooks, wrap } = require('node:module');
const path = require('node:path');
const { fileURLToPath } = require('node:url');
const { constants, Script } = require('node:vm');
const { default: JestRuntime } = require('jest-runtime');

const PACKAGES = `${path.sep}node_modules${path.sep}`;

/** As Jest itself asks for CommonJS. */
const TRANSFORM_OPTIONS = {
  isInternalModule: false,
  supportsDynamicImport: true,
  supportsExportNamespaceFrom: false,
  supportsStaticESM: false,
  supportsTopLevelAwait: false,
};

/** Each source is compiled once, however many test files run it. */
const scripts = new Map();

/** That of the test file that runs. */
let current;

/**
 * Loads modules by Node's own `require()`, as the built service does. Packages are loaded once for all test files of a process;
 * our own sources are run anew for each of them. Jest's own runtime loads and compiles some 2,000 files for each that starts
 * the application, which took more time than the tests. Modules cannot be mocked (`jest.mock()`); objects can (`jest.spyOn()`).
 */
module.exports = class extends JestRuntime {
  constructor(config, environment, resolver, transformer, ...rest) {
    super(config, environment, resolver, transformer, ...rest);
    this.compile = (filename) => transformer.transform(filename, TRANSFORM_OPTIONS);
    this.names = config.moduleNameMapper.map(([pattern, file]) => ({ pattern: new RegExp(pattern), file }));
    this.loadedBefore = new Set(Object.keys(require.cache));
    /** Folders of packages that have loaded our own sources, and so belong to the test file as these do. */
    this.ownPackages = new Set();
    if (current === undefined) extendRequire();
    current = this;
  }

  /** Loads a test file. */
  requireModule(file, name) {
    if (name !== undefined) return createRequire(file)(name);
    globalThis.jest = this.requireModuleOrMock(file, '@jest/globals').jest;
    return createRequire(file)(file);
  }

  /** Loads what keeps the state of a run in the module: each test file gets one of its own. */
  requireInternalModule(file) {
    Reflect.deleteProperty(require.cache, file);
    return require(file);
  }

  teardown() {
    super.teardown();
    for (const file of Object.keys(require.cache)) {
      if (!this.loadedBefore.has(file) && this.isOfTestFile(file)) {
        Reflect.deleteProperty(require.cache, file);
      }
    }
  }

  isOfTestFile(file) {
    return !file.includes(PACKAGES) || this.ownPackages.has(packageFolderOf(file));
  }
};

/** Has `require()` run TypeScript, as Jest's transforms compile it, and know the names of `moduleNameMapper`. */
function extendRequire() {
  // Hooks of Node would have it compile each source anew for each test file.
  // oxlint-disable-next-line typescript/no-deprecated
  require.extensions['.ts'] = (module, filename) => {
    const { code, sourceMapPath } = current.compile(filename);
    if (sourceMapPath) current.getSourceMaps().set(filename, sourceMapPath);
    const run = scriptOf(filename, code).runInThisContext();
    const folder = path.dirname(filename);
    run.call(module.exports, module.exports, createRequire(filename), module, filename, folder);
  };
  registerHooks({
    resolve(name, context, next) {
      const mapped = current.names.find(({ pattern }) => pattern.test(name));
      if (!mapped) return next(sourceOf(name, context.parentURL) ?? name, context);
      const from = fileURLToPath(context.parentURL);
      if (from.includes(PACKAGES)) current.ownPackages.add(packageFolderOf(from));
      return next(mapped.file, context);
    },
  });
}

/** The source of a file that `import()` calls by the name of what is built of it; undefined of any other name. */
function sourceOf(name, parentURL) {
  if (!/^\.{1,2}\/.*\.js$/.test(name) || !parentURL?.endsWith('.ts')) return undefined;
  const source = name.replace(/\.js$/, '.ts');
  return existsSync(path.resolve(path.dirname(fileURLToPath(parentURL)), source)) ? source : undefined;
}

function scriptOf(filename, code) {
  const known = scripts.get(filename);
  if (known?.code === code) return known.script;
  const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  const script = new Script(wrap(code), { filename, importModuleDynamically });
  scripts.set(filename, { code, script });
  return script;
}

/** `/a/node_modules/@b/c` of a file in it. */
function packageFolderOf(file) {
  const start = file.lastIndexOf(PACKAGES) + PACKAGES.length;
  const [scope, name] = file.slice(start).split(path.sep);
  return file.slice(0, start) + (scope.startsWith('@') ? scope + path.sep + name : scope);
}
