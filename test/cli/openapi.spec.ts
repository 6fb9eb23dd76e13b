import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTestService } from '../support/service/service';
import { CliInProcess } from './support/cli-in-process';
import { CliProcess } from './support/cli-process';

const COMMITTED = join(__dirname, '..', '..', 'docs', 'openapi.json');
const AWAY = {
  DATABASE_URL: 'postgres://petstore:s3cret@127.0.0.1:1/petstore',
  REDIS_URL: 'redis://127.0.0.1:1',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
};

interface Comparison {
  breaking: number;
  nonBreaking: number;
  changes: { severity: string; where: string; what: string }[];
}

describe('petstore openapi export', () => {
  it('prints the served document without any server, always the same', async () => {
    const committed = readFileSync(COMMITTED, 'utf8');
    for (const cli of [new CliProcess(AWAY), new CliInProcess()]) {
      expect(await cli.run('openapi', 'export')).toEqual({ code: 0, stdout: committed, stderr: '' });
    }
  });

  it('writes the served YAML into a file', async () => {
    const service = await startTestService('sqlite', { RATE_LIMIT_PER_MINUTE: '600' });
    const served = await (await fetch(`${service.url}/docs/openapi.yaml`)).text();
    await service.stop();
    const cli = new CliInProcess();
    expect(await cli.run('openapi', 'export', '--format', 'yaml', '--output', 'api.yaml')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'The document was written to api.yaml.\n',
    });
    expect(readFileSync(join(cli.folder, 'api.yaml'), 'utf8')).toBe(served);
  });

  it('refuses an unknown format, a file in no folder and invalid settings', async () => {
    const cli = new CliInProcess();
    const format = await cli.run('openapi', 'export', '--format', 'xml');
    expect([format.code, format.stderr]).toEqual([
      2,
      expect.stringContaining('Allowed choices are json, yaml'),
    ]);
    const nowhere = await cli.run('openapi', 'export', '--output', 'no/where.json');
    expect([nowhere.code, nowhere.stderr]).toEqual([
      1,
      expect.stringContaining('The file no/where.json cannot'),
    ]);
    const invalid = await cli.with({ PORT: '80x' }).run('openapi', 'export');
    expect([invalid.code, invalid.stdout]).toEqual([1, '']);
  });
});

describe('petstore openapi diff', () => {
  const cli = new CliInProcess(AWAY);
  const write = (name: string, change: (text: string) => string) =>
    writeFileSync(join(cli.folder, name), change(readFileSync(COMMITTED, 'utf8')));

  it('finds no change between the committed document and this version: exit code 0', async () => {
    expect(await cli.run('openapi', 'diff', COMMITTED, '--json')).toEqual({
      code: 0,
      stdout: `${JSON.stringify({ breaking: 0, nonBreaking: 0, changes: [] }, null, 2)}\n`,
      stderr: 'Nothing changes for clients.\n',
    });
  });

  it('lists breaking changes and ends with 4, and finds none in the other direction', async () => {
    write('new.json', (text) =>
      text.replaceAll('"sold"', '"sold",\n        "reserved"').replaceAll('"limit"', '"size"'),
    );
    const { code, stdout, stderr } = await cli.run('openapi', 'diff', 'new.json', '--json');
    const { breaking, changes } = JSON.parse(stdout) as Comparison;
    expect([code, breaking > 0, stderr]).toEqual([4, true, `${breaking} changes break clients.\n`]);
    expect(changes).toContainEqual({
      severity: 'breaking',
      where: 'GET /pets, query parameter size',
      what: 'The parameter is removed.',
    });
    const table = await cli.run('openapi', 'diff', 'new.json');
    expect(table.stdout).toMatch(/^SEVERITY\tWHERE\tWHAT\nbreaking\tGET \/pets, query parameter size\tThe/);
    write('optional.json', (text) => text.replace('"operationId": "listPets"', '"operationId": "pets"'));
    const harmless = await cli.run('openapi', 'diff', COMMITTED, 'optional.json');
    expect([harmless.code, harmless.stderr]).toEqual([0, 'Nothing breaks clients.\n']);
  });

  it('reads the document of a running service, and YAML', async () => {
    const service = await startTestService('sqlite');
    const address = `${service.url}/docs/openapi.yaml`;
    expect(await cli.json<Comparison>('openapi', 'diff', address, COMMITTED)).toMatchObject({ breaking: 0 });
    await service.stop();
    const gone = await cli.process.run('openapi', 'diff', address);
    expect([gone.code, gone.stderr]).toEqual([
      2,
      expect.stringMatching(/^The document http.*ECONNREFUSED.*\.\n$/),
    ]);
  });

  it.each<[string, string, RegExp]>([
    ['a file that is not there', 'nowhere.json', /ENOENT/],
    ['JSON that is none', 'broken.json', /JSON/],
    ['YAML that is none', 'broken.yaml', /cannot be read: .*/],
    ['something else', 'other.json', /not an OpenAPI 3 document/],
    ['an address with a password', 'http://root:s3cret@127.0.0.1:1/', /must not hold a password/],
  ])('fails in one sentence with exit code 2 for %s', async (_title, place, reason) => {
    writeFileSync(join(cli.folder, 'broken.json'), '{"openapi":');
    writeFileSync(join(cli.folder, 'broken.yaml'), 'openapi: "3.0.3\npaths: [');
    writeFileSync(join(cli.folder, 'other.json'), '{"swagger":"2.0"}');
    const { code, stdout, stderr } = await cli.run('openapi', 'diff', place, '--json');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(reason);
    expect(stderr).toMatch(/^[^\n]*\.\n$/);
    expect(stderr).not.toContain('s3cret');
  });
});
