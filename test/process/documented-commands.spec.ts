import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CliInProcess } from '../cli/support/cli-in-process';
import { makeFolder } from '../support/folders';
import { endServiceProcesses, ServiceProcess } from '../support/service-process';

const PROJECT = join(__dirname, '..', '..');
const README = readFileSync(join(PROJECT, 'README.md'), 'utf8');

/** The first block of commands in a section of the README. */
function commandsOf(section: string): string {
  const [, text = ''] = README.split(`\n## ${section}\n`);
  return /```sh\n(.*?)```/s.exec(text)?.[1] ?? '';
}

describe('The README', () => {
  const folder = makeFolder();
  const cli = new CliInProcess({}, folder);
  let service: ServiceProcess;

  beforeAll(async () => {
    service = await ServiceProcess.start({}, { cwd: folder });
  });
  afterAll(endServiceProcesses);

  it('has requests that add, list and fetch an animal as they stand', async () => {
    const requests = commandsOf('The three operations')
      .replace('petk_...', service.printedKey as string)
      .replaceAll('http://127.0.0.1:3000', service.url);
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', requests], {
      cwd: folder,
    });
    expect(stdout.match(/"name":"Rex"/g)).toHaveLength(3);
    expect(stdout.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
  });

  it('has commands that work as they stand, with an id in the place of <id>', async () => {
    await cli.run('seed', '--count', '20');
    await cli.run('pets', 'export', '--output', 'pets.csv');
    const lines = commandsOf('The command line').trim().split('\n');
    expect(lines.length).toBeGreaterThan(25);
    for (const line of lines) {
      const [, command = ''] = /^npm run -s petstore -- (.*?)(?: +#.*)?$/.exec(line) ?? [];
      // It speaks with an assistant until that ends: test/cli/mcp.spec.ts.
      if (command === 'mcp') continue;
      // They start the command once more, beside themselves.
      const runner = command === 'doctor' || command === 'db check' ? cli.process : cli;
      const { code, stdout, stderr } = await runner.run(...(await completed(command)));
      expect({ command, code, said: code === 0 ? '' : stdout + stderr }).toEqual({
        command,
        code: 0,
        said: '',
      });
    }
  });

  /** The words of a command with what its reader fills in, and with the answer she gives at her terminal. */
  async function completed(command: string): Promise<string[]> {
    const keys = await cli.json<{ id: string }[]>('keys', 'list');
    const words = command
      .replace('<old>', join(PROJECT, 'docs', 'openapi.json'))
      .replace('<id>', command.startsWith('keys') ? (keys.at(-1)?.id ?? '') : '1')
      .split(' ');
    return command.startsWith('pets update-all') ? [...words, '--yes'] : words;
  }
});
