import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../support/folders';

const PROJECT = join(__dirname, '..', '..');
const PACKAGE = 'petstore-test-package';

/** Runs a file of `tools` in a folder by npm, which reaches no registry. */
function runTool(cwd: string, tool: string, ...nodeOptions: readonly string[]) {
  const script = ['node', ...nodeOptions, join(PROJECT, 'tools', tool)].join(' ');
  const project = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8')) as object;
  writeFileSync(join(cwd, 'package.json'), JSON.stringify({ ...project, scripts: { tool: script } }));
  return spawnSync('npm', ['run', '-s', 'tool'], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, npm_config_offline: 'true', npm_config_cache: join(cwd, 'cache') },
  });
}

describe('npm start', () => {
  /** A checkout. */
  function makeCheckout(isBuilt: boolean): string {
    const cwd = makeFolder();
    writeFileSync(join(cwd, 'package.json'), readFileSync(join(PROJECT, 'package.json')));
    mkdirSync(join(cwd, 'dist', 'src'), { recursive: true });
    if (isBuilt) writeFileSync(join(cwd, 'dist', 'src', 'main.js'), '');
    return cwd;
  }

  function check(isBuilt: boolean, version: string) {
    const cwd = makeCheckout(isBuilt);
    const preload = join(cwd, 'other-node.cjs');
    const versions = `{ value: { ...process.versions, node: '${version}' } }`;
    writeFileSync(preload, `Object.defineProperty(process, 'versions', ${versions});`);
    return runTool(cwd, 'own-node.mjs', '--require', preload);
  }

  it('begins with this check', () => {
    const { scripts } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    expect(scripts.prestart).toBe('node tools/own-node.mjs');
  });

  it.each(['20.19.5', '24.21.0'])(
    'names npm ci where an interrupted installation leaves Node.js %s',
    (version) => {
      const { status, stderr } = check(true, version);
      expect([status, stderr]).toEqual([1, expect.stringMatching(/^[^\n]*\bnpm ci\b[^\n]*\n$/)]);
      expect(stderr).toContain(version);
    },
  );

  it('names the build where there is none', () => {
    const { status, stderr } = check(false, '26.10.0');
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^[^\n]*\bnpm run build\b[^\n]*\n$/)]);
  });

  it('goes on where Node.js and the build are there', () => {
    expect(check(true, '26.10.0')).toMatchObject({ status: 0, stdout: '', stderr: '' });
  });
});

describe('The installation of quickstart', () => {
  const one = (version: string) => ({ version, integrity: `sha512-${'A'.repeat(86)}==` });
  const lockOf = (version: string) => ({
    name: 'checkout',
    lockfileVersion: 3,
    packages: {
      '': { name: 'checkout', dependencies: { [PACKAGE]: version } },
      [`node_modules/${PACKAGE}`]: one(version),
    },
  });

  /** A checkout whose lock file wants a version, with another one installed, or none. */
  function makeCheckout(wanted: string, installed?: string, place = 'node_modules'): string {
    const cwd = makeFolder();
    const write = (file: string, value: unknown) => writeFileSync(join(cwd, file), JSON.stringify(value));
    write('package.json', { name: 'checkout', dependencies: { [PACKAGE]: wanted } });
    write('package-lock.json', lockOf(wanted));
    if (installed === undefined) return cwd;
    mkdirSync(join(cwd, place, PACKAGE), { recursive: true });
    write(join(place, PACKAGE, 'package.json'), { name: PACKAGE, version: installed });
    const { packages } = lockOf(installed);
    const { [`node_modules/${PACKAGE}`]: own } = packages;
    write(join(place, '.package-lock.json'), { packages: { [`node_modules/${PACKAGE}`]: own } });
    return cwd;
  }

  const installedIn = (cwd: string) =>
    (
      JSON.parse(readFileSync(join(cwd, 'node_modules', PACKAGE, 'package.json'), 'utf8')) as {
        version: string;
      }
    ).version;

  /** What is there of packages. */
  const foldersOf = (cwd: string) => readdirSync(cwd).filter((name) => name.startsWith('node_modules'));

  it('asks no registry for what is installed, and says nothing', () => {
    const cwd = makeCheckout('1.0.0', '1.0.0');
    expect(runTool(cwd, 'install.mjs')).toMatchObject({ status: 0, stdout: '', stderr: '' });
    expect(installedIn(cwd)).toBe('1.0.0');
  });

  it('goes on with what was installed when another version cannot be, as without a network, and says so', () => {
    const cwd = makeCheckout('2.0.0', '1.0.0');
    const { status, stderr } = runTool(cwd, 'install.mjs');
    expect([status, stderr]).toEqual([0, expect.stringMatching(/installed before\.\n$/)]);
    expect(installedIn(cwd)).toBe('1.0.0');
    expect(foldersOf(cwd)).toEqual(['node_modules']);
  });

  it('brings back what a run that was killed had put aside', () => {
    const cwd = makeCheckout('1.0.0', '1.0.0', 'node_modules.before');
    mkdirSync(join(cwd, 'node_modules'));
    expect(runTool(cwd, 'install.mjs').status).toBe(0);
    expect(installedIn(cwd)).toBe('1.0.0');
  });

  it('keeps what was installed by hand after a run that was killed', () => {
    const cwd = makeCheckout('2.0.0', '2.0.0');
    cpSync(join(makeCheckout('1.0.0', '1.0.0'), 'node_modules'), join(cwd, 'node_modules.before'), {
      recursive: true,
    });
    expect(runTool(cwd, 'install.mjs').status).toBe(0);
    expect(installedIn(cwd)).toBe('2.0.0');
    expect(foldersOf(cwd)).toEqual(['node_modules']);
  });

  it('fails where nothing was installed, and nothing can be', () => {
    expect(runTool(makeCheckout('1.0.0'), 'install.mjs').status).toBe(1);
  });

  /** A checkout with a package of no registry, and another one installed than that of the lock file. */
  function makeInstallable(): string {
    const cwd = makeCheckout('1.0.0', '1.0.0');
    mkdirSync(join(cwd, 'own'));
    writeFileSync(join(cwd, 'own', 'package.json'), JSON.stringify({ name: 'own', version: '1.0.0' }));
    const dependencies = { own: 'file:own' };
    writeFileSync(join(cwd, 'package.json'), JSON.stringify({ name: 'checkout', dependencies }));
    const packages = {
      '': { name: 'checkout', dependencies },
      own: { version: '1.0.0' },
      'node_modules/own': { resolved: 'own', link: true },
    };
    writeFileSync(
      join(cwd, 'package-lock.json'),
      JSON.stringify({ name: 'checkout', lockfileVersion: 3, packages }),
    );
    return cwd;
  }

  const packagesIn = (cwd: string) =>
    ['own', PACKAGE].filter((name) => existsSync(join(cwd, 'node_modules', name, 'package.json')));

  it('replaces what was installed', () => {
    const cwd = makeInstallable();
    expect(runTool(cwd, 'install.mjs').status).toBe(0);
    expect(packagesIn(cwd)).toEqual(['own']);
    expect(foldersOf(cwd)).toEqual(['node_modules']);
  });

  it('says before it what it does, and after it how long that took', () => {
    const { stdout } = runTool(makeInstallable(), 'install.mjs');
    expect(stdout).toMatch(/^[^\n]+ npm ci[^\n]* \.\.\.\n(?:[^]*\n)?Done after \d+ s\.\n$/);
  });

  it('never brings back what a run that was killed had begun to remove', () => {
    const cwd = makeInstallable();
    const preload = join(cwd, 'killed.cjs');
    writeFileSync(
      preload,
      `const fs = require('node:fs');
      fs.rmSync = (folder) => {
        if (!fs.existsSync(folder)) return;
        fs.unlinkSync(\`\${folder}/${PACKAGE}/package.json\`);
        process.kill(process.pid, 'SIGKILL');
      };
      require('node:module').syncBuiltinESMExports();`,
    );
    expect(runTool(cwd, 'install.mjs', '--require', preload).status).not.toBe(0);
    expect(packagesIn(cwd)).toEqual(['own']);

    // The next one has to install what no registry gives it.
    for (const file of ['package.json', 'package-lock.json'])
      writeFileSync(join(cwd, file), readFileSync(join(makeCheckout('2.0.0'), file)));
    expect(runTool(cwd, 'install.mjs').status).toBe(0);
    expect(packagesIn(cwd)).toEqual(['own']);
    expect(foldersOf(cwd)).toEqual(['node_modules']);
  });

  it('warns of no package that the Node.js which comes along fits', () => {
    const cwd = makeInstallable();
    const own = { name: 'own', version: '1.0.0', engines: { node: '>=99' } };
    writeFileSync(join(cwd, 'own', 'package.json'), JSON.stringify(own));
    const lock = JSON.parse(readFileSync(join(cwd, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, object>;
    };
    lock.packages.own = own;
    writeFileSync(join(cwd, 'package-lock.json'), JSON.stringify(lock));
    // What the npm that runs the tests was told, such as `-s`, is not told to this one.
    const { npm_config_loglevel: _, ...inherited } = process.env;
    const env = { ...inherited, npm_config_offline: 'true', npm_config_cache: join(cwd, 'cache') };
    const install = () => spawnSync('npm', ['ci'], { cwd, encoding: 'utf8', env }).stderr;
    expect(install()).toContain('EBADENGINE');
    cpSync(join(PROJECT, '.npmrc'), join(cwd, '.npmrc'));
    expect(install()).not.toContain('EBADENGINE');
  });
});

describe('A build', () => {
  it('that fails ends in what the compiler says, and in no stack', () => {
    const cwd = makeFolder();
    cpSync(join(PROJECT, 'tools'), join(cwd, 'tools'), { recursive: true });
    symlinkSync(join(PROJECT, 'node_modules'), join(cwd, 'node_modules'), 'dir');
    writeFileSync(
      join(cwd, 'tsconfig.json'),
      '{ "files": ["faulty.ts"], "compilerOptions": { "outDir": "dist" } }',
    );
    writeFileSync(join(cwd, 'faulty.ts'), 'export const count: number = "three";\n');

    const build = join(cwd, 'tools', 'build.mjs');
    const { status, stdout, stderr } = spawnSync(process.execPath, [build], { cwd, encoding: 'utf8' });
    const printed = `${stdout}${stderr}`;
    expect(status).toBe(1);
    expect(printed).toContain('faulty.ts');
    expect(printed).not.toMatch(/^ +at /m);
  });
});
