/**
 * `npm run test:planted-faults`: says which test finds each fault of `faults.json`, or of those that are named. A fault is planted in
 * a copy of the checkout. The test that found it before is asked first, then the tests that load the file, the nearest first, then
 * all. With `--write` the tests that found them are noted; with `--named` only the test that is noted is asked.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const PROJECT = resolve(import.meta.dirname, '..', '..');
const LIST = join(import.meta.dirname, 'faults.json');

/** Test files that run at a time: few, because the first that fails is enough. */
const TOGETHER = 4;

const { values: options, positionals: ids } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean' }, named: { type: 'boolean' } },
});
const faults = JSON.parse(fs.readFileSync(LIST, 'utf8'));
const unknown = ids.filter((id) => !faults.some((fault) => fault.id === id));
if (unknown.length > 0) throw new Error(`faults.json has no fault ${unknown.join(', ')}.`);

const copy = fs.mkdtempSync(join(tmpdir(), 'planted-faults-'));
process.on('exit', () => fs.rmSync(copy, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
copyCheckout();
const { compile, copyAssets } = await import(join(copy, 'tools', 'compile.mjs'));
execFileSync(process.execPath, [join(copy, 'tools', 'build.mjs')], { stdio: 'inherit' });

const found = [];
const asked = faults.filter(({ id }) => ids.length === 0 || ids.includes(id));
for (const fault of asked) {
  const finder = plant(fault, () => findingTest(fault));
  report(finder ? `found  ${fault.id}  ${finder.file}: ${finder.title}` : `NOT FOUND  ${fault.id}`);
  if (!finder) continue;
  found.push(finder);
  fault.foundBy = finder;
  if (options.write) fs.writeFileSync(LIST, `${JSON.stringify(faults, undefined, 2)}\n`);
}
build();
// A test that fails without a fault says nothing about it.
const failing = failures([...new Set(found.map(({ file }) => file))], ...found.map(({ title }) => title));
for (const { file, title } of failing) report(`FAILS WITHOUT A FAULT  ${file}: ${title}`);
const isProven = ({ file, title }) => !failing.some((test) => test.file === file && test.title === title);
const proven = found.filter(isProven).length;
report(`${proven} found, ${asked.length - proven} not found`);
process.exitCode = proven === asked.length ? 0 : 1;

/** Copies what the checkout has, committed or not, and links its packages: those of the project itself are of the copy. */
function copyCheckout() {
  const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', listed, { cwd: PROJECT, encoding: 'utf8', maxBuffer: 1e8 }).split('\0');
  for (const file of files.filter((name) => name && fs.existsSync(join(PROJECT, name)))) {
    fs.cpSync(join(PROJECT, file), join(copy, file));
  }
  fs.mkdirSync(join(copy, 'node_modules'));
  for (const name of fs.readdirSync(join(PROJECT, 'node_modules'))) {
    const [from, to] = [PROJECT, copy].map((folder) => join(folder, 'node_modules', name));
    if (name === '@petstore') fs.cpSync(from, to, { recursive: true, verbatimSymlinks: true });
    else fs.symlinkSync(from, to);
  }
}

/** Does work while the copy has a fault. */
function plant({ id, file, find, replace }, work) {
  const path = join(copy, file);
  const text = fs.readFileSync(path, 'utf8');
  const parts = text.split(find);
  if (parts.length !== 2) throw new Error(`The text of ${id} is ${parts.length - 1} times in ${file}.`);
  fs.writeFileSync(path, parts.join(replace));
  try {
    build();
    return work();
  } finally {
    fs.writeFileSync(path, text);
  }
}

/** Builds what tests of commands and processes run; only what has changed is compiled. */
function build() {
  compile(copy);
  copyAssets(copy, join(copy, 'dist'));
}

/** Returns the test that fails with a fault; undefined if none does. */
function findingTest({ file, foundBy }) {
  const tried = new Set();
  if (foundBy && fs.existsSync(join(copy, foundBy.file))) {
    const known = foundBy.title ? failures([foundBy.file], foundBy.title) : [];
    const [failed] = known.length > 0 ? known : failures([foundBy.file]);
    if (failed) return failed;
    tried.add(foundBy.file);
  }
  if (options.named) return undefined;
  for (const find of [
    testsThatLoad,
    () => fs.globSync('{src,test,packages}/**/*.{spec,console,commands}.ts', { cwd: copy }),
  ]) {
    const left = find(file).filter((test) => !tried.has(test));
    left.sort((a, b) => nearness(b, file) - nearness(a, file) || a.localeCompare(b));
    while (left.length > 0) {
      const some = left.splice(0, TOGETHER);
      const [failed] = failures(some);
      if (failed) return failed;
      for (const test of some) tried.add(test);
    }
  }
  return undefined;
}

function testsThatLoad(file) {
  const paths = jest(['--listTests', '--findRelatedTests', file]).stdout.split('\n').filter(Boolean);
  return paths.map((path) => path.slice(copy.length + 1));
}

/** How many letters at their beginning the paths of a test and of a file have in common. */
function nearness(test, file) {
  const end = [...test].findIndex((letter, index) => letter !== file[index]);
  return end < 0 ? test.length : end;
}

/** Runs test files, or only the tests in them that have one of these titles. @returns what fails */
function failures(files, ...titles) {
  if (files.length === 0) return [];
  const output = join(copy, '.results.json');
  fs.rmSync(output, { force: true });
  const names = titles.map((title) => title.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const named = names.length > 0 ? ['--testNamePattern', `^(${names.join('|')})$`] : [];
  const { stderr } = jest(['--json', '--outputFile', output, ...named, '--runTestsByPath', ...files]);
  if (!fs.existsSync(output)) throw new Error(`Jest ran no test:\n${stderr}`);
  const { testResults } = JSON.parse(fs.readFileSync(output, 'utf8'));
  return testResults.flatMap(({ name, status, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed').map((test) => test.fullName);
    if (status === 'failed' && failed.length === 0) failed.push('(the file does not run)');
    return failed.map((title) => ({ file: name.slice(copy.length + 1), title }));
  });
}

function jest(args) {
  const program = join(copy, 'node_modules', 'jest', 'bin', 'jest.js');
  // Tests of the slower groups may be noted, too.
  const suffix = args.includes('--listTests') ? '(spec|console|commands)' : '[a-z]+';
  const regex = ['--testRegex', `[.]${suffix}[.]ts$`];
  const common = [...regex, '--maxWorkers=1', '--cacheDirectory', join(copy, '.jest')];
  // As `npm test` sets them.
  const env = { ...process.env, npm_lifecycle_event: 'test', npm_package_json: join(copy, 'package.json') };
  const given = { cwd: copy, env, encoding: 'utf8', maxBuffer: 1e9 };
  return spawnSync(process.execPath, ['--experimental-vm-modules', program, ...common, ...args], given);
}

function report(line) {
  process.stdout.write(`${line}\n`);
}
