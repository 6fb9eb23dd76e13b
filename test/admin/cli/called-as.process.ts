import { CliInProcess } from '../../cli/support/cli-in-process';

describe('The words of a command', () => {
  it('propose commands as the program was called, and leave data as they are that read like one', async () => {
    const cli = new CliInProcess({ DATABASE_URL: 'sqlite:petstore at home.sqlite' });
    const missing = await cli.process.run('pets', 'list');
    expect(missing.stderr).toMatch(/"node \S+cli\.js db migrate"/);
    const migrated = await cli.process.run('db', 'migrate');
    expect(migrated.stderr).toContain('petstore at home.sqlite');
    const { stderr } = await cli.process.run('pets', 'import', 'x: petstore pets list');
    expect(stderr).toContain('x: petstore pets list');
    const help = await cli.process.run('keys', 'create', '--help');
    expect(help.stdout).toMatch(/^Usage: node \S+cli\.js keys create /);
    expect(help.stdout).toMatch(/^ {2}node \S+cli\.js keys create --name shop /m);
    expect(help.stdout).not.toContain('petstore keys');
  });
});
