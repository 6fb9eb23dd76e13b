import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { minifySync } from '@swc/core';
import ts from 'typescript';
import { makeFolder } from '../../../test/support/folders.ts';
import { startTestService, type TestService } from '../../../test/support/service/service.ts';
import {
  ESSENTIALS,
  expectEssentials,
  installClient,
  installServedClient,
  succeed,
} from './support/installed-client.ts';
import { programsOf, snippetsIn } from './support/readme.ts';

const PROJECT = join(__dirname, '..', '..', '..');
const RELEASES = join(__dirname, '..', 'releases');
const LARGEST_BYTES = 6_000;

/** Imports programs one after the other, and prints the output of each. */
const RUNNER = `
import { format } from 'node:util';
const printed = [];
for (const program of process.argv.slice(2)) {
  const lines = [];
  console.log = console.warn = (...values) => void lines.push(format(...values));
  await import(program);
  printed.push(lines);
}
process.stdout.write(JSON.stringify(printed));
`;

describe('the packed client', () => {
  const app = makeFolder();
  const installed = join(app, 'node_modules', '@petstore', 'client');
  const snippets = snippetsIn('ts');
  const programs = snippets.map(({ line }) => join(app, `line-${line}.ts`));
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService('sqlite');
    for (const [i, text] of programsOf(snippets).entries()) writeFileSync(programs[i] as string, text);
    await installClient(app);
  });
  afterAll(() => service.stop());

  it('contains its modules, their types and its README, and has no dependencies', () => {
    const files = readdirSync(installed, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(installed.length + 1));
    expect(files).toEqual(
      expect.arrayContaining(['package.json', 'README.md', 'dist/index.js', 'dist/index.d.ts']),
    );
    expect(
      files.filter((file) => !/^(?:package\.json|README\.md|dist\/[\w/-]+\.(?:js|d\.ts))$/.test(file)),
    ).toEqual([]);
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as object;
    expect(Object.keys(manifest).filter((name) => /dependencies$/i.test(name))).toEqual([]);
  });

  it(`has at most ${LARGEST_BYTES} bytes, minified and compressed`, () => {
    const modules = readdirSync(join(installed, 'dist'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.js'))
      .sort()
      .map((name) => readFileSync(join(installed, 'dist', name), 'utf8'))
      .map((text) => minifySync(text, { module: true, compress: true, mangle: true }).code);
    expect(gzipSync(modules.join('\n')).length).toBeLessThan(LARGEST_BYTES);
  });

  it('has examples in its README that the compiler accepts', () => {
    const program = ts.createProgram(programs, {
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2022,
      strict: true,
      noEmit: true,
      types: ['node'],
      typeRoots: [join(PROJECT, 'node_modules', '@types')],
    });
    // The libraries are not under test, and take most of the time.
    const files = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(app));
    expect(files.length).toBeGreaterThan(programs.length);
    const faults = files.flatMap((file) => ts.getPreEmitDiagnostics(program, file));
    expect(faults.map(({ messageText }) => messageText)).toEqual([]);
  });

  it('has examples in its README that print what the comments say', async () => {
    writeFileSync(join(app, 'run.js'), RUNNER);
    const env = { PETSTORE_URL: service.url, PETSTORE_API_KEY: service.key };
    const printed = JSON.parse(
      await succeed(app, env, process.execPath, 'run.js', ...programs),
    ) as string[][];
    for (const [i, { line, prints }] of snippets.entries()) {
      const lines = printed[i]?.map((text) => text.replaceAll(service.url, 'http://127.0.0.1:3000'));
      expect([line, lines]).toEqual([line, expect.arrayContaining([...prints])]);
    }
    expect(snippets.flatMap(({ prints }) => prints).length).toBeGreaterThan(4);
  });

  it('is installed from the service that it calls, by the command of its README', async () => {
    const project = makeFolder();
    await installServedClient(project, service);
    await expectEssentials(service, project, [process.execPath, ESSENTIALS, '@petstore/client']);
  });

  it.each(['this one', ...readdirSync(RELEASES)])(
    'works with this service in each kept release: %s',
    async (name) => {
      let folder = installed;
      if (name !== 'this one') {
        folder = join(makeFolder(), 'package');
        mkdirSync(folder);
        await succeed(dirname(folder), {}, 'tar', '-xzf', join(RELEASES, name));
      }
      const { href } = pathToFileURL(join(folder, 'dist', 'index.js'));
      await expectEssentials(service, app, [process.execPath, ESSENTIALS, href]);
    },
  );
});
