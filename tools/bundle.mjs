/**
 * Part of each build: writes `dist/packages.cjs`, the packages of many files in one, from which `src/process/packages.ts` gives
 * Node each of these files, and `dist/packages.json`, their versions. To find and read 2,000 files takes more time than to run them.
 * Packing takes fifteen seconds, so the file is kept in `node_modules/.cache` until something changes that it depends on.
 */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Packages of which a start loads thirty files or more, those of Nest together: none of them is loaded twice. */
const NAMES = [
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/mapped-types',
  '@nestjs/platform-express',
  '@nestjs/swagger',
  '@prometheus-io/client',
  'ajv',
  'class-transformer',
  'class-validator',
  'es-toolkit',
  'fast-json-stringify',
  'libphonenumber-js',
  'rate-limiter-flexible',
  'rxjs',
  'typeorm',
  'validator',
];

const PROJECT = join(import.meta.dirname, '..');
const PACKAGES = join(PROJECT, 'node_modules');
const OUTPUT = join(PROJECT, 'dist', 'packages.cjs');
const VERSIONS = join(PROJECT, 'dist', 'packages.json');
/** The file as a build has last packed it, below a line with its key and the digest of its text. An installation removes it. */
const KEPT = join(PACKAGES, '.cache', 'petstore', 'packages.cjs');

/** Writes the file; without esbuild, which has an optional package for each platform, there is none, and a start takes longer. */
export async function bundlePackages() {
  let esbuild;
  try {
    esbuild = await import('esbuild');
  } catch {
    return;
  }
  const { dependencies } = readJson('package.json');
  const doors = NAMES.filter((name) => name in dependencies);
  const key = keyOf(doors, esbuild.version);
  let text = readKept(key);
  if (text === undefined) {
    text = await pack(doors, esbuild.build);
    keep(key, text);
  }
  writeWhole(OUTPUT, text);
  const versions = NAMES.map((name) => [name, readJson(`node_modules/${name}/package.json`).version]);
  writeWhole(VERSIONS, JSON.stringify(Object.fromEntries(versions)));
}

const hash = () => createHash('sha256');
const digestOf = (text) => hash().update(text).digest('hex');

/** A digest of all that the file depends on: the files of the packages themselves, for people patch these to find a fault. */
function keyOf(doors, esbuildVersion) {
  const key = hash();
  const add = (name, content) => key.update(JSON.stringify([name, digestOf(content)]));
  add('doors', doors.join());
  add('node', process.version);
  add('esbuild', esbuildVersion);
  add('tool', readFileSync(import.meta.filename));
  add('lock', readFileSync(join(PROJECT, 'package-lock.json')));
  for (const name of NAMES) {
    const entries = readdirSync(join(PACKAGES, name), { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && /\.(?:[cm]?js|json)$/.test(entry.name));
    for (const file of files.map((entry) => join(entry.parentPath, entry.name)).toSorted()) {
      add(relative(PACKAGES, file), readFileSync(file));
    }
  }
  return key.digest('hex');
}

/** Returns the text that a build has kept under this key, if it is there and whole. */
function readKept(key) {
  let kept;
  try {
    kept = readFileSync(KEPT, 'utf8');
  } catch {
    return undefined;
  }
  const end = kept.indexOf('\n');
  const text = kept.slice(end + 1);
  return kept.slice(0, end) === `${key} ${digestOf(text)}` ? text : undefined;
}

/** Keeps the text for later builds, unless packages are where nobody may write. */
function keep(key, text) {
  try {
    mkdirSync(dirname(KEPT), { recursive: true });
    writeWhole(KEPT, `${key} ${digestOf(text)}\n${text}`);
  } catch {
    // The next build packs again.
  }
}

/** Writes a file aside and gives it its name at the end, so that builds at once do not read each other's half. */
export function writeWhole(file, text) {
  const part = `${file}.${randomUUID()}`;
  try {
    writeFileSync(part, text);
    renameSync(part, file);
  } finally {
    if (existsSync(part)) rmSync(part);
  }
}

async function pack(doors, build) {
  const options = {
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node26',
    charset: 'ascii',
    legalComments: 'inline',
    // Node keeps the text in memory.
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 160,
    // Nest and TypeORM know classes by their names.
    keepNames: true,
    define: { 'import.meta.url': 'bundleUrl' },
    banner: { js: "const bundleUrl = require('node:url').pathToFileURL(__filename).href;" },
    plugins: [leaveOthers],
    absWorkingDir: PROJECT,
    // Paths of the project's own have no say in packages.
    tsconfigRaw: {},
    // A checkout may have the packages of another.
    preserveSymlinks: true,
    logLevel: 'error',
    metafile: true,
  };
  const { metafile } = await build({
    ...options,
    stdin: { contents: doors.map((name) => `require('${name}');`).join('\n'), resolveDir: PROJECT },
    write: false,
  });
  const files = Object.entries(metafile.inputs).filter(([path]) => /^node_modules\/.*\.[cm]?js$/.test(path));
  const isModule = ([, { format }]) => format === 'esm';
  const entry = ([path]) => `'${path.slice('node_modules/'.length)}': () => require('./${path}')`;
  const table = (list) => `{${list.map(entry).join(',\n')}}`;
  const contents = [
    `exports.modules = ${table(files.filter(isModule))};`,
    `exports.scripts = ${table(files.filter((file) => !isModule(file)))};`,
  ].join('\n');
  const { outputFiles } = await build({
    ...options,
    stdin: { contents, resolveDir: PROJECT },
    outfile: OUTPUT,
    write: false,
  });
  return withNamesOfClasses(outputFiles[0].text);
}

const NAME = 'var __name=(target,value)=>';

/**
 * Lets esbuild define the names of classes alone, and of functions that could be one, where they differ: it defines that of each
 * function, and a creation makes so many arrow functions that it would take up to a quarter more.
 */
function withNamesOfClasses(text) {
  const parts = text.split(NAME);
  if (parts.length !== 2) throw new Error('esbuild keeps names in another way.');
  return parts.join(`${NAME}target.prototype===undefined||target.name===value?target:`);
}

const readJson = (path) => JSON.parse(readFileSync(join(PROJECT, path), 'utf8'));

const isNested = (file) => file.slice(PACKAGES.length).includes('node_modules');
const isBundled = (file) =>
  !isNested(file) && NAMES.some((name) => file.startsWith(join(PACKAGES, name, '/')));

/** Leaves files of other packages where they are. */
const leaveOthers = {
  name: 'leave others',
  setup(build) {
    build.onResolve({ filter: /./ }, async ({ path, pluginData, ...from }) => {
      if (pluginData === leaveOthers) return undefined;
      const found = await build.resolve(path, { ...from, pluginData: leaveOthers });
      // An optional one that is not installed: whoever asks for it says so.
      if (found.errors.length > 0) return { path, external: true };
      if (found.external || isBundled(found.path)) return found;
      // From where the output lies, its name leads to another version.
      return {
        path: isNested(found.path) ? `./${relative(dirname(OUTPUT), found.path)}` : path,
        external: true,
      };
    });
  },
};
