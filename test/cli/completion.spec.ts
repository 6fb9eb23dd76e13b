import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TypedShell } from '../support/processes/typed-shell';
import { CliProcess } from './support/cli-process';
import { inertProgram, leavesOf } from './support/command-tree';

/** Asks the function of the script as bash does: with the words of the line, the last of which is to be completed. */
const ASK = `
source ./petstore.bash
COMP_WORDS=(petstore "$@")
COMP_CWORD=$#
_petstore
printf '%s\\n' "\${COMPREPLY[@]}"`;

describe('petstore completion bash', () => {
  const cli = new CliProcess();
  let shell: TypedShell | undefined;

  /** @param words what stands on the line after `petstore`, as bash splits it */
  async function candidates(...words: string[]): Promise<string[]> {
    const args = ['--norc', '--noprofile', '-c', ASK, 'bash', ...words];
    const { stdout } = await promisify(execFile)('bash', args, { cwd: cli.folder });
    return stdout.split('\n').filter((line) => line !== '');
  }

  afterEach(() => shell?.end());
  beforeAll(async () => {
    const { code, stdout, stderr } = await cli.run('completion', 'bash');
    expect([code, stderr]).toEqual([0, '']);
    writeFileSync(join(cli.folder, 'petstore.bash'), stdout);
  });

  it('completes commands and subcommands', async () => {
    expect(await candidates('')).toEqual(expect.arrayContaining(['keys', 'db', 'doctor', '--help']));
    expect(await candidates('d')).toEqual(['db', 'doctor']);
    expect(await candidates('db', 'm')).toEqual(['migrate']);
  });

  it('completes every option of every command', async () => {
    for (const { path, command } of leavesOf(await inertProgram())) {
      const options = [...command.options.map(({ long }) => long), '--help'].sort();
      expect([path, (await candidates(...path.split(' '), '--')).sort()]).toEqual([path, options]);
    }
  });

  it('completes fixed values, also after an equals sign', async () => {
    expect(await candidates('openapi', 'export', '--format', '')).toEqual(['json', 'yaml']);
    expect(await candidates('openapi', 'export', '--format', '=')).toEqual(['json', 'yaml']);
    expect(await candidates('openapi', 'export', '--format', '=', 'y')).toEqual(['yaml']);
  });

  it('completes files for options that take a file, and nothing for a text', async () => {
    writeFileSync(join(cli.folder, 'a file'), '');
    expect(await candidates('openapi', 'diff', 'petstore.')).toEqual(['petstore.bash']);
    expect(await candidates('openapi', 'export', '--output', 'pet')).toEqual(['petstore.bash']);
    expect(await candidates('keys', 'create', '--name', '')).toEqual([]);
  });

  it('never takes the value of an option for a command', async () => {
    expect(await candidates('keys', '--bogus', 'create', '--name', 'list', '--ex')).toEqual(['--expires-in']);
  });

  it('responds to the Tab key in a terminal', async () => {
    shell = new TypedShell('bash --norc --noprofile -i', cli.folder);
    await shell.type('source ./petstore.bash\r', /ready> [^]*ready> /);
    expect(await shell.type('petstore conf\tche\t', /petstore config check /)).toContain(
      'petstore config check ',
    );
    await shell.discardLine();
    await shell.type('petstore openapi export --format \t\t', /json +yaml/);
  });
});
