import { readFileSync } from 'node:fs';
import { CliInProcess } from '../../cli/support/cli-in-process';
import { CliProcess } from '../../cli/support/cli-process';

const COMMANDS = [
  ['pets', 'list'],
  ['pets', 'update-all'],
  ['pets', 'import'],
  ['pets', 'export'],
  ['keys', 'create'],
  ['keys', 'list'],
  ['keys', 'show'],
  ['keys', 'rotate'],
  ['keys', 'disable'],
  ['keys', 'enable'],
  ['keys', 'revoke'],
  ['report', 'usage'],
  ['audit', 'list'],
  ['audit', 'export'],
  ['db', 'migrate'],
  ['db', 'status'],
  ['db', 'revert'],
  ['seed'],
  ['config', 'check'],
  ['config', 'print'],
];

const WRONG_USE: [args: string[], message: RegExp][] = [
  [[], /Usage: petstore/],
  [['keys'], /Usage: petstore keys/],
  [['bogus'], /'bogus'/],
  [['kyes'], /'kyes'\n.*keys\?/],
  [['keys', 'list', '--jsno'], /'--jsno'\n.*--json\?/],
  [['keys', 'bogus'], /'bogus'\n.*--help/],
  [['pets', 'get', '1'], /'get'\n.*show\?/],
  [['keys', 'delete', 'key_1'], /'delete'\n.*revoke\?/],
  [['audit', 'ls'], /'ls'\n.*list\?/],
  [['keys', 'list', 'bogus'], /'list'.*bogus/],
  [['keys', 'list', '--bogus'], /'--bogus'/],
  [['keys', 'list', '--version'], /'--version'/],
  [['keys', 'show'], /'id'/],
  [['keys', 'create', '--name', 'a'], /'--scopes <scopes>'/],
  [['keys', 'create'], /'--name <name>', '--scopes <scopes>'/],
  [['keys', 'create', '--scopes', 'pets:read', '--name'], /'--name <name>'/],
  [['keys', 'create', '--name', '--scopes', 'pets:read'], /'--name <name>' .*'--scopes'/],
  [['keys', 'create', '--name', 'a', '--scopes', 'pets:read', '--expires-in', '3y'], /'3y'/],
  [['keys', 'rotate', 'key_1', '--overlap', '-1h'], /'-1h'/],
  [['seed'], /'--count <number>'/],
  [['seed', '--count', '1e6'], /'1e6'/],
  [['db', 'revert'], /--yes/],
];

describe('The command line of petstore', () => {
  // A database that cannot be reached: nothing here may need one.
  const cli = new CliInProcess({ DATABASE_URL: 'postgres://petstore@127.0.0.1:1/petstore' });

  it.each(COMMANDS)('explains %s %s with examples, on standard output', async (...command) => {
    const { code, stdout, stderr } = await cli.run(...command, '--help');
    expect(stdout).toContain(`Usage: petstore ${command.join(' ')}`);
    expect(stdout).toMatch(/Examples?:\n {2}(\w+=\w+ )?petstore /);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('lists every group of commands in the help of the program', async () => {
    const { code, stdout } = await cli.process.run('--help');
    expect(code).toBe(0);
    for (const [group] of COMMANDS) expect(stdout).toMatch(new RegExp(`^ {2}${group} `, 'm'));
  });

  it('lists the possible scopes in the help of keys create', async () => {
    const { stdout } = await cli.run('keys', 'create', '--help');
    const text = stdout.replaceAll(/\s+/g, ' ');
    // Those of modules come between.
    expect(text).toContain('pets:read, pets:write, ');
    expect(text).toContain('admin:read, admin:keys, admin:erasures, admin:jobs, admin:service, admin:pets');
  });

  it('prints the version of the package and the commit of the build', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    const { code, stdout, stderr } = await cli.process.run('--version');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split(' (')[0]?.trim()).toBe(version);
    expect(stdout).toMatch(/^\S+( \(commit [0-9a-f]{40}(-dirty)?\))?\n$/);
  });

  it.each(WRONG_USE)('refuses "petstore %j" with exit code 2 and a message', async (args, message) => {
    const { code, stdout, stderr } = await cli.run(...args);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it('ends its process with the exit code of a wrong use', async () => {
    const { code, stdout, stderr } = await cli.process.run('kyes');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^error: unknown command 'kyes'\n/);
  });

  it('ends quietly when its reader stops reading', async () => {
    const child = new CliProcess().start('config', 'print', '--json');
    child.stdout.destroy();
    let stderr = '';
    child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
    const code = await new Promise((resolve) => void child.on('close', resolve));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});
