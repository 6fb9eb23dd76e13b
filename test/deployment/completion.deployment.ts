import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CliProcess } from '../cli/support/cli-process';
import { TypedShell } from '../support/processes/typed-shell';

const cli = new CliProcess();

async function install(shell: string): Promise<void> {
  const { code, stdout } = await cli.run('completion', shell);
  expect(code).toBe(0);
  writeFileSync(join(cli.folder, `petstore.${shell}`), stdout);
}

describe('petstore completion fish', () => {
  /** What fish offers for a line, without the descriptions. */
  async function candidates(line: string): Promise<string[]> {
    const command = `source ./petstore.fish; complete -C '${line}'`;
    const { stdout } = await promisify(execFile)('fish', ['--no-config', '-c', command], { cwd: cli.folder });
    return stdout.split('\n').flatMap((candidate) => candidate.split('\t')[0] || []);
  }

  beforeAll(() => install('fish'));

  it('completes commands, options, values and files', async () => {
    expect(await candidates('petstore ')).toEqual(expect.arrayContaining(['db', 'doctor', 'keys']));
    expect(await candidates('petstore db m')).toEqual(['migrate']);
    expect(await candidates('petstore keys create --na')).toEqual(['--name']);
    expect(await candidates('petstore keys create --name list --ex')).toEqual(['--expires-in']);
    expect(await candidates('petstore openapi export --format ')).toEqual(['json', 'yaml']);
    expect(await candidates('petstore openapi export --format=y')).toEqual(['--format=yaml']);
    expect(await candidates('petstore openapi diff petstore.')).toEqual(['petstore.fish']);
    expect(await candidates('petstore keys create --name ')).toEqual([]);
  });
});

describe('petstore completion zsh', () => {
  let shell: TypedShell | undefined;
  afterEach(() => shell?.end());

  it('completes commands, options, values and files at the Tab key', async () => {
    await install('zsh');
    shell = new TypedShell('zsh -f -i', cli.folder);
    await shell.type('', /ready> /);
    await shell.type(
      'autoload -Uz compinit; compinit -u -D; source ./petstore.zsh; echo d""one\r',
      /done[^]*ready> /,
    );
    for (const [line, shown] of [
      ['petstore keys ', /create +-- create an API key[^]*revoke/],
      ['petstore db mig', /rate/],
      ['petstore keys create --expi', /res-in/],
      ['petstore openapi export --format ', /json +yaml/],
      ['petstore openapi export --format=', /json +yaml/],
      ['petstore openapi diff petstore.', /zsh/],
    ] as const) {
      await shell.type(`${line}\t`, shown);
      await shell.discardLine();
    }
  });
});
