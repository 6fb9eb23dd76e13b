import { readFileSync } from 'node:fs';
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
      stderr: expect.stringContaining(' api.yaml') as string,
    });
    expect(readFileSync(join(cli.folder, 'api.yaml'), 'utf8')).toBe(served);
  });

  it('refuses an unknown format, a file in no folder and invalid settings', async () => {
    const cli = new CliInProcess();
    const format = await cli.run('openapi', 'export', '--format', 'xml');
    expect([format.code, format.stderr]).toEqual([2, expect.stringContaining('json, yaml')]);
    const nowhere = await cli.run('openapi', 'export', '--output', 'no/where.json');
    expect([nowhere.code, nowhere.stderr]).toEqual([1, expect.stringContaining(' no/where.json ')]);
    const invalid = await cli.with({ PORT: '80x' }).run('openapi', 'export');
    expect([invalid.code, invalid.stdout]).toEqual([1, '']);
  });
});
