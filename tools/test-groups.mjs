/**
 * `npm run test:all` runs all tests: the gate, then each group. `npm run test:changed [-- <commit>]` runs the groups that the table
 * names for the paths that differ from a commit, HEAD unless given. Each group is also a script of its own: `npm run test:<group>`.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, matchesGlob } from 'node:path';

/** What commands print: pages show it, and tests of processes read it. */
const PRINTED = [
  'src/platform/{cli,config}/**',
  'src/**/*command*.ts',
  'src/**/commands/**',
  'src/admin/{database,doctor}/**',
  'src/**/*.{check,checks}.ts',
];

/**
 * The groups beside `npm test`, with the paths that can break what they alone test, the Debian packages of the programs that they
 * start, and the setting that they need, without which they are not run.
 */
export const GROUPS = {
  console: { paths: ['src/**'], packages: [] },
  commands: { paths: ['src/**'], packages: [] },
  process: {
    paths: [
      'src/{main,cli}.ts',
      'src/process/**',
      'src/platform/{http,logging}/**',
      'tools/**',
      'docs/operations/**',
      ...PRINTED,
    ],
    packages: ['bubblewrap', 'curl'],
  },
  browser: {
    paths: [
      'src/admin/console/**',
      'src/platform/openapi/**',
      'src/platform/http/**',
      'packages/client/**',
      'README.md',
      'docs/images/**',
    ],
    packages: ['chromium', 'curl', 'python3-requests'],
  },
  postgres: {
    paths: [
      'src/**/*.{repository,entity}.ts',
      'src/**/migrations/**',
      'src/platform/{database,events,jobs,values}/**',
      'src/admin/records/transfer/**',
    ],
    packages: [],
  },
  engines: {
    paths: [
      'src/**/*.{repository,entity}.ts',
      'src/**/migrations/**',
      'src/platform/{database,values}/**',
      'src/{admin,auth}/**',
    ],
    packages: [],
  },
  generator: {
    paths: [
      'packages/{create,migrations,platform}/**',
      'src/exports/**',
      'src/pets/**',
      ...['src/features.ts', 'src/platform/exports.ts'],
      'src/platform/validation/**',
      'test/support/service/testing*.ts',
    ],
    packages: [],
  },
  modules: {
    paths: [
      'packages/create/**',
      'src/exports/**',
      'src/features.ts',
      'src/platform/features/**',
      'packages/platform/**',
      // Packed with the platform and the generator.
      'test/support/service/testing*.ts',
      ...['compose.yaml', 'deploy/**', 'tools/{compile,start-dev}.mjs'],
      'docs/*.md',
      ...PRINTED,
    ],
    packages: ['curl', 'python3-requests'],
  },
  deployment: {
    paths: [
      'Dockerfile',
      'compose.yaml',
      'deploy/**',
      'docs/alerts/**',
      'src/platform/telemetry/**',
      'tools/**',
      ...PRINTED,
    ],
    packages: ['caddy', 'haproxy', 'nginx', 'openssl', 'prometheus', 'redis-server', 'systemd'],
  },
  neighbours: {
    paths: ['docs/openapi.json', 'src/platform/openapi/**', 'test/neighbours/**'],
    packages: [],
  },
  nodes: {
    paths: [
      'deploy/**',
      'src/auth/**',
      'src/platform/{audit,database,http,rate-limit}/**',
      'src/process/**',
      ...PRINTED,
    ],
    packages: [
      ...['etcd-server', 'haproxy', 'iproute2', 'nginx', 'patroni', 'pgbackrest', 'pgbouncer', 'postgresql'],
      'redis-server',
    ],
  },
  upgrades: {
    paths: [
      'src/**/migrations/**',
      'src/**/*.entity.ts',
      'src/platform/database/schema/**',
      ...['packages/platform/**', 'tools/**'],
      ...PRINTED,
    ],
    packages: [],
  },
  faults: {
    paths: [
      'src/**/migrations/**',
      'src/platform/{database,events,http,jobs}/**',
      'src/process/**',
      ...PRINTED,
    ],
    packages: ['faketime', 'pgbouncer'],
  },
  histories: {
    paths: [
      'src/pets/**',
      'src/platform/{database,events}/**',
      'src/platform/http/{idempotency,response}/**',
      'packages/platform/**',
    ],
    packages: ['etcd-server', 'iproute2', 'patroni', 'postgresql'],
  },
  citus: {
    paths: [
      'src/**/migrations/**',
      'src/platform/database/**',
      'src/**/*.{repository,entity}.ts',
      'packages/create/**',
      ...['docs/operations/citus.md', 'docs/alerts/PetstoreCitusWorkerAway.md'],
      ...PRINTED,
    ],
    packages: [],
    setting: 'CITUS_URL',
  },
};

/** Files that every group has, by paths and not by imports. */
const EVERYWHERE = [
  'test/support/{fixtures,jest}/**',
  'test/support/databases/postgres-reaper-process.mts',
  'test/contract/support/{sent-errors.ts,unsent-errors.cjs}',
  ...['package.json', 'package-lock.json'],
];

/** Suffixes of the groups whose files have others than the name. */
const SUFFIXES = {
  postgres: '{spec,console,commands}',
  engines: '{spec,console,commands}',
  browser: '{browser,runtimes}',
};

/** What a file contains that is run by a group, where not all of its suffixes are. */
const CONTAINED = { postgres: 'describeEachEngine(', engines: 'describeOneEngine(' };

/** Paths of the sources, whose changes the table is about. */
const SOURCES = /^(src|packages\/[^/]+\/src)\//;

/** The tests of a group and those of its paths, and what they import beside the sources; also the pages and files that they name. */
function testsOf(name) {
  const globs = [
    `{src,test,packages}/**/*.${SUFFIXES[name] ?? name}.ts`,
    ...GROUPS[name].paths.filter((path) => /^test\/.*[.]ts$/.test(path)),
  ];
  const isRun = (file) => readFileSync(file, 'utf8').includes(CONTAINED[name] ?? '');
  const tests = new Set(globSync(globs, { exclude: ['**/node_modules/**'] }).filter(isRun));
  const named = new Set();
  for (const file of tests) {
    const text = readFileSync(file, 'utf8');
    for (const [, imported] of text.matchAll(/(?:from|import\(?) ?'([.][^']+)'/g)) {
      const path = join(dirname(file), imported);
      const source = [path, `${path}.ts`, path.replace(/[.]js$/, '.ts')].find(
        (each) => /[.][a-z]+$/.test(each) && existsSync(each),
      );
      if (source !== undefined && !SOURCES.test(source)) tests.add(source);
    }
    for (const [, path] of text.matchAll(/'([\w./-]+[.]\w+)'/g)) named.add(path);
  }
  return new Set([...tests, ...named]);
}

/** @returns the names of the groups that changes of these paths can break */
export function groupsOf(changed) {
  const isIn = (path, globs) => globs.some((glob) => matchesGlob(path, glob));
  return Object.keys(GROUPS).filter((name) => {
    const tests = testsOf(name);
    return changed.some((path) => isIn(path, [...GROUPS[name].paths, ...EVERYWHERE]) || tests.has(path));
  });
}

/** The paths that differ from a commit, those that git does not know yet among them. */
function changedSince(commit) {
  const paths = (...args) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);
  return [
    ...paths('diff', '--name-only', '--relative', commit),
    ...paths('ls-files', '--others', '--exclude-standard'),
  ];
}

/** @returns the packages of a group that this Debian lacks; none of another system */
function missingPackages(packages) {
  const isInstalled = (name) => {
    const query = spawnSync('dpkg-query', ['--show', '--showformat=${db:Status-Status}', name], {
      encoding: 'utf8',
    });
    return query.error !== undefined || query.stdout === 'installed';
  };
  return packages.filter((name) => !isInstalled(name));
}

/** @returns whether a script of npm has passed */
function passes(script, packages) {
  const missing = missingPackages(packages);
  if (missing.length > 0) {
    process.stderr.write(`${script} needs Debian packages: apt-get install ${missing.join(' ')}\n`);
    return false;
  }
  return spawnSync('npm', ['run', '-s', script], { stdio: 'inherit' }).status === 0;
}

function main([what, commit = 'HEAD']) {
  const groups = what === 'all' ? Object.keys(GROUPS) : groupsOf(changedSince(commit));
  const isRun = (group) => GROUPS[group].setting === undefined || process.env[GROUPS[group].setting];
  const scripts = [
    ...(what === 'all' ? ['test'] : []),
    ...groups.filter(isRun).map((group) => `test:${group}`),
  ];
  const failed = scripts.filter(
    (script) => !passes(script, GROUPS[script.replace(/^test:?/, '')]?.packages ?? []),
  );
  const passed = scripts.length - failed.length;
  const notRun = groups
    .filter((group) => !isRun(group))
    .map((group) => `; not run: test:${group}, which needs ${GROUPS[group].setting}`);
  process.stdout.write(
    `${passed} groups passed, ${failed.length} failed: ${failed.join(' ') || 'none'}${notRun.join('')}\n`,
  );
  process.exitCode = failed.length > 0 ? 1 : 0;
}

if (import.meta.main) main(process.argv.slice(2));
