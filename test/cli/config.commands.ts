import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createToken } from '../../src/platform/security/api-key-token';
import { createMigratedDatabase } from '../support/databases/migrated-database';
import { CliInProcess } from './support/cli-in-process';
import { CliProcess } from './support/cli-process';

interface PrintedSetting {
  name: string;
  value: string;
  source: string;
  description: string;
}

const BOLD = '\u001b[1m';
const NORMAL = '\u001b[22m';

describe('petstore config', () => {
  it('check accepts valid settings without opening the database', async () => {
    const cli = new CliInProcess();
    expect(await cli.run('config', 'check')).toEqual({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(/^.+\n$/) as string,
    });
    expect(existsSync(join(cli.folder, 'data'))).toBe(false);
  });

  it.each(['check', 'print'])(
    'names every fault at once, but never a value, exit code 1: %s',
    async (command) => {
      const { code, stdout, stderr } = await new CliInProcess({
        PORT: '80x',
        DATABASE_URL: 'mysql://root:s3cret@localhost/petstore',
        BOOTSTRAP_API_KEY: 'petk_short',
      }).run('config', command);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      const faults = stderr.trimEnd().split('\n');
      expect(faults.map((fault) => fault.split(' ')[0])).toEqual([
        'PORT',
        'DATABASE_URL',
        'BOOTSTRAP_API_KEY',
      ]);
      expect(stderr).not.toMatch(/80x|s3cret|petk_short/);
    },
  );

  it('check reads the file .env of its folder', async () => {
    const cli = new CliInProcess();
    writeFileSync(join(cli.folder, '.env'), 'PORT=80x\n');
    const { code, stderr } = await cli.run('config', 'check');
    expect([code, stderr.split(' ')[0]]).toEqual([1, 'PORT']);
  });

  it('check warns of a name in .env that is probably misspelt, with the right name and without the value', async () => {
    const cli = new CliInProcess();
    writeFileSync(join(cli.folder, '.env'), 'RATE_LIMIT_PER_MINUT=6021\nPETSTORE_API_KEY=petk_1\n');
    const { code, stdout, stderr } = await cli.run('config', 'check');
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toMatch(/^Warning: RATE_LIMIT_PER_MINUT .*RATE_LIMIT_PER_MINUTE\b/);
    expect(stderr).not.toMatch(/6021|PETSTORE_API_KEY|The settings are valid/);
  });

  it('print gives every setting with its source, secrets redacted', async () => {
    const token = createToken();
    const cli = new CliInProcess({
      PORT: '4000',
      DATABASE_URL: 'postgres://petstore:s3cret@127.0.0.1:1/petstore',
      BOOTSTRAP_API_KEY: token,
    });
    const settings = await cli.json<PrintedSetting[]>('config', 'print');
    const byName = new Map(settings.map((setting) => [setting.name, setting]));
    expect(byName.get('PORT')).toEqual({
      name: 'PORT',
      value: '4000',
      source: 'environment',
      description: expect.any(String) as unknown,
    });
    expect(byName.get('HOST')).toMatchObject({ value: '127.0.0.1', source: 'default' });
    expect(byName.get('DATABASE_URL')?.value).toBe('postgres://petstore:***@127.0.0.1:1/petstore');
    expect(byName.get('BOOTSTRAP_API_KEY')?.value).toBe('[redacted]');

    const { code, stdout, stderr } = await cli.run('config', 'print');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^NAME\tVALUE\tSOURCE\n/);
    expect(stdout).toMatch(/^PORT\t4000\tenvironment$/m);
    expect(stdout + JSON.stringify(settings)).not.toMatch(/s3cret/);
    expect(stdout + JSON.stringify(settings)).not.toContain(token);
  });
});

describe('The tables of petstore config', () => {
  it('are aligned with a bold header on a terminal, plain elsewhere', async () => {
    const cli = new CliInProcess();
    const { code, stdout: shown } = await cli.process.runOnTerminal(['config', 'print']);
    expect(code).toBe(0);
    const [header = '', ...lines] = shown.replaceAll('\r', '').split('\n');
    expect(header.startsWith(BOLD) && header.endsWith(NORMAL)).toBe(true);
    expect(header.slice(BOLD.length, -NORMAL.length)).toMatch(/^NAME +SOURCE +VALUE$/);
    const column = header.indexOf('SOURCE') - BOLD.length;
    const port = lines.find((line) => line.startsWith('PORT '));
    expect(port?.slice(column)).toMatch(/^default +3000$/);

    const { stdout: piped } = await cli.run('config', 'print');
    expect(piped).not.toContain('\u001b');
    expect(piped).toMatch(/^PORT\t3000\tdefault$/m);
  });

  it('have no colours on a terminal with NO_COLOR, and colours in a pipe with FORCE_COLOR', async () => {
    const cli = new CliInProcess();
    const { stdout: plain } = await cli.with({ NO_COLOR: '1' }).process.runOnTerminal(['config', 'print']);
    expect(plain).toMatch(/^NAME +SOURCE +VALUE/);
    const database = await createMigratedDatabase('sqlite');
    const keys = cli.with({ DATABASE_URL: database.url });
    await keys.run('keys', 'create', '--name', 'shop', '--scopes', 'pets:read');
    const { stdout: piped } = await keys.with({ FORCE_COLOR: '1' }).process.run('keys', 'list');
    expect(piped).toContain('\t\u001b[32mactive\u001b[39m\t');
    expect((await keys.run('keys', 'list')).stdout).not.toContain('\u001b');
    await database.drop();
  });

  it('have long values whole, on a terminal as in a pipe', async () => {
    const url = `https://${'a'.repeat(60)}.example.com/v1`;
    const cli = new CliInProcess({ PUBLIC_BASE_URL: url });
    expect((await cli.run('config', 'print')).stdout).toContain(`${url}\t`);
    cli.columns = 80;
    expect((await cli.run('config', 'print')).stdout).toContain(`environment  ${url}\n`);
  });

  it('show an API key whole, however narrow the terminal is', async () => {
    const create = ['keys', 'create', '--name', 'shop', '--scopes', 'pets:read'];
    const database = await createMigratedDatabase('sqlite');
    const { stdout } = await new CliProcess({ DATABASE_URL: database.url }).runOnTerminal(create, '', 30);
    expect(stdout).toMatch(/^key +petk_[A-Za-z0-9]{49}\r?$/m);
    await database.drop();
  });
});
