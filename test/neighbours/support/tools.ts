import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { makeFolder } from '../../support/folders';
import { codeBlocksOf } from '../../modules/support/guide-blocks';
import type { TestService } from '../../support/service/service';

/** Folder of the packages and programs, with a lock of its own: hundreds of packages that the service does not need. */
const PINNED = join(__dirname, '..');

/** What a program of a tool has printed. */
interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

/** The tools of others, installed into a folder of the test, with the served document as `openapi.json`. */
export class Tools {
  private constructor(readonly folder: string) {}

  /** @throws Error when npm cannot install the tools: these tests are never left out silently */
  static async install(service: TestService): Promise<Tools> {
    const tools = new Tools(join(dirname(makeFolder()), 'neighbours'));
    // Once a run: it takes a minute.
    if (!existsSync(tools.path('node_modules'))) {
      cpSync(PINNED, tools.folder, { recursive: true });
      const options = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
      execFileSync('npm', ['ci', ...options], { cwd: tools.folder, stdio: 'pipe' });
    }
    const page = async (path: string) => (await fetch(`${service.url}${path}`)).text();
    tools.write('openapi.json', await page('/docs/openapi.json'));
    tools.write('openapi-3.1.json', await page('/docs/openapi-3.1.json'));
    const guide = codeBlocksOf(await page('/docs/guide.md'));
    tools.write('exact-fetch.ts', guide.find(({ text }) => text.includes('exactFetch'))?.text ?? '');
    return tools;
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /** Runs the program of a package, or a script. @throws Error with what it has printed when it fails */
  run(program: string, words: readonly string[], env: Record<string, string> = {}): Promise<Printed> {
    const path = program.endsWith('.mjs') ? program : `node_modules/.bin/${program}`;
    const options = { cwd: this.folder, env: { PATH: process.env['PATH'], HOME: this.folder, ...env } };
    return promisify(execFile)(process.execPath, [path, ...words], options);
  }

  /** Compiles a module of the tools to JavaScript that runs by itself. @returns its path */
  async bundle(name: string, source: string): Promise<string> {
    const outfile = this.path(`${name}.bundle.mjs`);
    await build({
      stdin: { contents: source, resolveDir: this.folder, loader: 'ts' },
      ...{ bundle: true, format: 'esm', platform: 'node', logLevel: 'error', outfile },
    });
    return outfile;
  }
}
