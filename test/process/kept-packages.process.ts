import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
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
import { promisify } from 'node:util';
import { makeFolder } from '../support/folders';

const PROJECT = join(__dirname, '..', '..');
const TOOL = join('tools', 'bundle.mjs');
const { dependencies } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>;
};
/** The packages that the tool names. */
const NAMES = Object.keys(
  JSON.parse(readFileSync(join(PROJECT, 'dist', 'packages.json'), 'utf8')) as Record<string, string>,
);
/** What a build takes when it packs nothing. */
const KEPT = 'exports.from = "kept";\n';

/** A project whose packages have one class each, with the tool of this one. */
class SmallProject {
  readonly root = makeFolder();

  constructor() {
    cpSync(join(PROJECT, TOOL), join(this.root, TOOL));
    const given = Object.fromEntries(NAMES.filter((name) => name in dependencies).map((name) => [name, '*']));
    this.write('package.json', JSON.stringify({ dependencies: given }));
    this.write('package-lock.json', '{}');
    this.write(join('dist', 'empty'), '');
    for (const name of NAMES) {
      this.write(join('node_modules', name, 'package.json'), JSON.stringify({ version: '1.0.0' }));
      this.write(join('node_modules', name, 'index.js'), 'exports.First = class First {};');
    }
    const esbuild = join('node_modules', 'esbuild');
    symlinkSync(join(PROJECT, esbuild), join(this.root, esbuild), 'dir');
  }

  write(file: string, text: string): void {
    mkdirSync(join(this.root, file, '..'), { recursive: true });
    writeFileSync(join(this.root, file), text);
  }

  read(file: string): string {
    return readFileSync(join(this.root, file), 'utf8');
  }

  /** Packs as a build does, and returns what the service would load. */
  async pack(...nodeOptions: string[]): Promise<string> {
    const code = `(await import('./tools/bundle.mjs')).bundlePackages()`;
    const args = [...nodeOptions, '--input-type=module', '--eval', `await ${code}`];
    await promisify(execFile)(process.execPath, args, { cwd: this.root });
    return this.read(join('dist', 'packages.cjs'));
  }

  /** The file that builds keep. */
  get kept(): string {
    return join('node_modules', '.cache', 'petstore', 'packages.cjs');
  }

  /** Replaces what is kept, so that a build which takes it can be told from one that packs. */
  plant(): void {
    const [key] = this.read(this.kept).split(' ');
    this.write(this.kept, `${key} ${createHash('sha256').update(KEPT).digest('hex')}\n${KEPT}`);
  }
}

describe('The packages that a build has packed', () => {
  const replace = (file: string, from: string, to: string) => (project: SmallProject) => {
    const text = project.read(file);
    expect(text).toContain(from);
    project.write(file, text.replace(from, to));
  };
  const pretend = (property: string) =>
    `--import=data:text/javascript,Object.defineProperty(process,"${property}",{value:"v99.0.0"})`;

  it('are kept for the next build, which writes the same file', async () => {
    const project = new SmallProject();
    const packed = await project.pack();
    expect(await project.pack()).toBe(packed);
    project.plant();
    expect(await project.pack()).toBe(KEPT);
  });

  it.each<[string, (project: SmallProject) => void]>([
    ['the tool itself', replace(TOOL, 'lineLimit: 160', 'lineLimit: 80')],
    ['the lock file', replace('package-lock.json', '{}', '{ }')],
    ['which packages the service has', replace('package.json', '"rxjs":"*"', '"other":"*"')],
    ['the version of a package', replace('node_modules/rxjs/package.json', '1.0.0', '1.0.1')],
    ['a file of a package of the same version', replace('node_modules/rxjs/index.js', 'class', 'class ')],
    [
      'a package within a package',
      (project) => project.write('node_modules/typeorm/node_modules/late/index.js', ''),
    ],
    [
      'esbuild',
      ({ root }) => {
        const folder = join(root, 'tools', 'node_modules');
        const entry = "export * from 'real-esbuild'; export const version = '0.0.0';";
        mkdirSync(join(folder, 'esbuild'), { recursive: true });
        writeFileSync(join(folder, 'esbuild', 'package.json'), '{"type":"module","exports":"./index.js"}');
        writeFileSync(join(folder, 'esbuild', 'index.js'), entry);
        symlinkSync(join(PROJECT, 'node_modules', 'esbuild'), join(folder, 'real-esbuild'), 'dir');
      },
    ],
  ])('are packed anew after a change of %s', async (_, change) => {
    const project = new SmallProject();
    await project.pack();
    project.plant();
    change(project);
    expect(await project.pack()).not.toBe(KEPT);
    project.plant();
    expect(await project.pack()).toBe(KEPT);
  });

  it('are packed anew by another version of Node.js', async () => {
    const project = new SmallProject();
    await project.pack();
    project.plant();
    expect(await project.pack(pretend('version'))).not.toBe(KEPT);
  });

  it.each([
    ['is cut', (text: string) => text.slice(0, -1)],
    ['ends within its first line', (text: string) => text.slice(0, 70)],
    ['is empty', () => ''],
    ['has a changed letter', (text: string) => text.replace('First', 'Fjrst')],
  ])('are not taken from a kept file that %s', async (_, spoil) => {
    const project = new SmallProject();
    const packed = await project.pack();
    project.write(project.kept, spoil(project.read(project.kept)));
    expect(await project.pack()).toBe(packed);
  });

  it('are the same for builds at once, of which none leaves a part', async () => {
    const project = new SmallProject();
    const packed = await Promise.all(Array.from({ length: 4 }, () => project.pack()));
    expect(new Set(packed).size).toBe(1);
    project.plant();
    expect(await project.pack()).toBe(KEPT);
    for (const folder of [join('node_modules', '.cache', 'petstore'), 'dist']) {
      const files = readdirSync(join(project.root, folder));
      expect(files.filter((file) => file.startsWith('packages.cjs'))).toEqual(['packages.cjs']);
    }
  });

  it('are not kept where nothing can be written, and the build goes on', async () => {
    const project = new SmallProject();
    project.write(join('node_modules', '.cache'), 'a file');
    expect(await project.pack()).toContain('First');
    expect(existsSync(join(project.root, project.kept))).toBe(false);
  });
});
