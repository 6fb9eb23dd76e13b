/**
 * `npm run start:dev`: what is saved is compiled by itself and served by a new process on the same ports, while TypeScript 7
 * checks the types. The process before goes on until the new one listens, also when that cannot start. Most of a start is
 * loading packages, so a process that has loaded them waits for the next change.
 */
import { spawn } from 'node:child_process';
import cluster from 'node:cluster';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants, setPriority } from 'node:os';
import { join, sep } from 'node:path';
import { watch } from 'chokidar';
import { buildConfig, compile, compilerOf, copyAssets } from './compile.mjs';

/** The project whose script runs this: the service, or one in a repository of its own. */
const PROJECT = process.cwd();
const DIST = join(PROJECT, 'dist');
const MAIN = join(DIST, 'src', 'main.js');
const CONFIG = buildConfig(PROJECT);
const PACKAGES = join(PROJECT, 'node_modules') + sep;
/** Milliseconds without a change after which what has changed is served: to save a file takes several writes. */
const CALM_MS = 20;
/** The public one and that of management. */
const PORTS = 2;

const require = createRequire(import.meta.url);
const readJson = (...path) => JSON.parse(readFileSync(join(...path), 'utf8'));
const tell = (text) => process.stdout.write(`${text}\n`);

/** The process that serves, the one that is to take its place, and the one that waits. */
let serving;
let starting;
let waiting;
/** Files of packages that a start loads, as the last process has told. */
let packages = [];
let isStopping = false;

function lead() {
  rmSync(DIST, { recursive: true, force: true });
  copyAssets(PROJECT, DIST);
  try {
    compile(CONFIG);
  } catch {
    // The compiler has named the faults, and compiled all the same.
  }
  cluster.setupPrimary({ execArgv: ['--enable-source-maps'] });
  serve();
  const options = ['--noEmit', '--watch', '--preserveWatchOutput'];
  const checker = spawn(process.execPath, [...compilerOf(CONFIG), ...options], { stdio: 'inherit' });
  // The new process has the processors first.
  setPriority(checker.pid, constants.priority.PRIORITY_LOW);
  follow();
  const stop = () => {
    isStopping = true;
    checker.kill();
    endWithWorkers();
  };
  // A terminal sends it to every process.
  process.on('SIGINT', stop);
  process.on('SIGTERM', () => {
    stop();
    for (const worker of Object.values(cluster.workers)) worker.process.kill();
  });
  cluster.on('exit', endWithWorkers);
}

function endWithWorkers() {
  if (isStopping && Object.keys(cluster.workers).length === 0) process.exit();
}

/** Serves what changes in the sources. */
function follow() {
  const changed = new Set();
  let timer;
  watch('src', { cwd: PROJECT, ignoreInitial: true }).on('all', (event, name) => {
    if (event.endsWith('Dir')) return;
    changed.add(name);
    clearTimeout(timer);
    timer = setTimeout(() => {
      const isServed = [...changed].map(build).includes(true);
      changed.clear();
      if (isServed) serve();
    }, CALM_MS);
  });
}

/**
 * Brings the output of a file up to date.
 *
 * @returns true if it has changed
 */
function build(file) {
  if (/\.(?:spec|samples|process|d)\.ts$/.test(file)) return false;
  if (!file.endsWith('.ts')) {
    copyAssets(PROJECT, DIST);
    return true;
  }
  const output = join(DIST, file.replace(/\.ts$/, '.js'));
  if (!existsSync(join(PROJECT, file))) {
    // Entities and migrations are found by their place.
    for (const each of [output, `${output}.map`]) rmSync(each, { force: true });
    return true;
  }
  // Loaded here, because the service starts meanwhile. TypeScript 7 takes more than a second for one file.
  const ts = require('typescript');
  const { options } = ts.parseJsonConfigFileContent(
    { ...ts.readConfigFile(CONFIG, (path) => readFileSync(path, 'utf8')).config, include: [], files: [] },
    ts.sys,
    PROJECT,
  );
  const fileName = join(PROJECT, file);
  const { outputText, sourceMapText, diagnostics } = ts.transpileModule(readFileSync(fileName, 'utf8'), {
    compilerOptions: { ...options, sourceRoot: PROJECT },
    fileName,
    reportDiagnostics: true,
  });
  // The compiler that checks names the line.
  if (diagnostics.length > 0) return false;
  writeFileSync(output, outputText);
  writeFileSync(`${output}.map`, sourceMapText);
  return true;
}

/** Starts a process that loads the packages and waits. */
function fork() {
  const worker = cluster.fork();
  // It may end while a message is on its way.
  worker.on('error', () => undefined);
  worker.send({ load: packages });
  return worker;
}

function prepare() {
  if (!isStopping) waiting ??= fork();
}

/** Starts the service anew. */
function serve() {
  if (isStopping) return;
  // It has loaded output of before.
  starting?.process.kill();
  const worker = waiting ?? fork();
  starting = worker;
  waiting = undefined;
  let ports = 0;
  worker.on('listening', () => {
    ports += 1;
    if (ports < PORTS || worker !== starting) return;
    serving?.process.kill();
    serving = worker;
    starting = undefined;
    worker.send('tell');
  });
  worker.on('message', (message) => {
    if (!message.packages) return;
    ({ packages } = message);
    prepare();
  });
  worker.on('exit', () => {
    if (isStopping || (worker !== starting && worker !== serving)) return;
    if (worker === serving) {
      serving = undefined;
      tell('The service has ended; it starts again after the next change.');
    } else {
      starting = undefined;
      prepare();
      tell(`This does not start${serving ? ', so the version before goes on' : ''}.`);
    }
  });
  worker.send('serve');
}

function work() {
  process.on('message', (message) => {
    // The service has messages of its own.
    if (message.load) message.load.forEach((file) => require(file));
    else if (message === 'serve') {
      // As in a process of its own: the platform finds the service by its first file.
      process.argv[1] = MAIN;
      require(MAIN);
    } else if (message === 'tell') process.send({ packages: loadedPackages() });
  });
}

/** The files of packages that are loaded, but those of modules: they load the service. */
function loadedPackages() {
  const modules = Object.keys(readJson(PROJECT, 'package.json').dependencies)
    .filter((name) => existsSync(join(PACKAGES, name, 'package.json')))
    .filter((name) => readJson(PACKAGES, name, 'package.json').peerDependencies?.['@petstore/platform'])
    .map((name) => join(PACKAGES, name) + sep);
  return Object.keys(require.cache).filter(
    (file) => file.startsWith(PACKAGES) && !modules.some((folder) => file.startsWith(folder)),
  );
}

if (cluster.isPrimary) lead();
else work();
