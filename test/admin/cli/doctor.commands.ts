import { once } from 'node:events';
import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ApiKeysRepository } from '../../../src/auth/api-keys.repository';
import { ApiKeysService } from '../../../src/auth/api-keys.service';
import { runSql } from '../../contract/support/sql';
import { describeOneEngine, type Engine } from '../../support/databases/databases';
import { startTestService, type TestService } from '../../support/service/service';
import { until } from '../../support/until';
import { CliInProcess } from '../../cli/support/cli-in-process';
import { CliProcess } from '../../cli/support/cli-process';
import { doctor, freePorts } from './support/doctor';

describe('petstore doctor before the first start', () => {
  it('warns of what is missing, creates nothing, and does not fail', async () => {
    const cli = new CliInProcess(await freePorts());
    const { code, stderr, report, say } = await doctor(cli);
    expect({ code, stderr, status: report.status }).toEqual({ code: 0, stderr: '', status: 'warn' });
    expect(say('database')).toMatch(/^warn .*petstore\.sqlite/);
    expect(say('migrations')).toMatch(/^warn /);
    expect(say('disk')).toMatch(/^warn .*data/);
    expect(say('port')).toMatch(/^ok Port \d+ on 127\.0\.0\.1 is free/);
    expect(readdirSync(cli.folder)).toEqual([]);
  });

  it('prints a stable JSON, in which every finding except ok says what to do', async () => {
    const { report } = await doctor(new CliInProcess(await freePorts()));
    expect(Object.keys(report)).toEqual(['status', 'version', 'checkedAt', 'checks']);
    expect(new Date(report.checkedAt).toISOString()).toBe(report.checkedAt);
    for (const line of report.checks) {
      expect(Object.keys(line)).toEqual(['name', 'status', 'found', 'advice']);
      expect(line.advice === null).toBe(line.status === 'ok');
      expect([line.found, line.advice ?? '.'].filter((text) => !text.endsWith('.'))).toEqual([]);
    }
    expect([...new Set(report.checks.map(({ name }) => name))]).toEqual([
      'versions',
      'settings',
      'database',
      'migrations',
      'integrity',
      'disk',
      'clock',
      'port',
      'managementPort',
      'keys',
      'readOnly',
      'openFiles',
    ]);
  });

  it('names every fault of the settings and stops there: exit code 1', async () => {
    const cli = new CliInProcess({ PORT: '80x', DATABASE_URL: 'mysql://root:s3cret@localhost/petstore' });
    const { code, stdout, stderr, of } = await doctor(cli);
    expect([code, stderr.slice(0, 2)]).toEqual([1, '2 ']);
    expect(of('settings').map(({ found }) => found.split(' ')[0])).toEqual(['PORT', 'DATABASE_URL']);
    expect(of('versions')[0]?.status).toBe('ok');
    expect(stdout).not.toMatch(/80x|s3cret/);
  });

  it('names the settings that are given', async () => {
    const ports = await freePorts();
    const cli = new CliInProcess(ports);
    expect((await doctor(cli)).say('settings')).toMatch(/^ok .*\bPORT, MANAGEMENT_PORT\.$/);
    const none = await doctor(new CliInProcess({}, cli.folder));
    expect(none.say('settings')).toMatch(/^ok [^:]*$/);
  });

  it('warns of a file of settings that every user can read', async () => {
    const cli = new CliInProcess();
    const file = join(cli.folder, '.env');
    writeFileSync(
      file,
      Object.entries(await freePorts())
        .map((pair) => `${pair.join('=')}\n`)
        .join(''),
    );
    chmodSync(file, 0o600);
    expect((await doctor(cli)).say('settings')).toMatch(/^ok .*\bPORT\b/);
    chmodSync(file, 0o604);
    const { of } = await doctor(cli);
    expect(of('settings')).toEqual([
      {
        name: 'settings',
        status: 'warn',
        found: expect.stringContaining('.env') as unknown,
        advice: expect.stringContaining('chmod 600 .env') as unknown,
      },
    ]);
  });

  it('prints one line per finding, plain in a pipe and coloured on a terminal', async () => {
    const cli = new CliInProcess({ ...(await freePorts()), RATE_LIMIT_PER_MINUTE: '0' });
    const { stdout } = await cli.run('doctor');
    expect(stdout).toMatch(/^settings\twarn\tRATE_LIMIT_PER_MINUTE .* -> .*\.$/m);
    expect(stdout).not.toContain('\u001b');
    const shown = await cli.process.runOnTerminal(['doctor'], '', 60);
    expect(shown.stdout).toMatch(/^settings +\u001b\[33mwarn *\u001b\[39m +RATE_LIMIT_PER_MINUTE /m);
    expect(shown.stdout).toMatch(/^ {2}hint: (?:.+\r\n {4})+.+\.\r$/m);
    expect(shown.code).toBe(0);
  });

  it('proposes commands by the name that the person has used', async () => {
    const cli = new CliProcess({ ...(await freePorts()), NODE_ENV: 'production' });
    const { stdout } = await cli.run('doctor');
    expect(stdout).toMatch(/^versions\tok\tpetstore \d/m);
    expect(stdout).toMatch(/^database\tfail\t.* -> .*"node \S+cli\.js db migrate"/m);
    const shown = await cli.runOnTerminal(['doctor']);
    expect(shown.stdout).toMatch(/^ {4}node \S+cli\.js db migrate\r$/m);
    expect(stdout + shown.stdout).not.toContain('petstore db');
  });

  it('finishes when its reader stops reading', async () => {
    const child = new CliProcess({ ...(await freePorts()), DATABASE_URL: 'postgres://127.0.0.1:1/x' }).start(
      'doctor',
    );
    child.stdout.destroy();
    let stderr = '';
    child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
    const [code] = (await once(child, 'close')) as [number];
    expect([code, stderr.split('\n')]).toEqual([1, [expect.any(String), '']]);
  });
});

describeOneEngine('petstore doctor beside a running service', (engine: Engine) => {
  let service: TestService;
  let cli: CliInProcess;

  beforeAll(async () => {
    service = await startTestService(engine);
    cli = new CliInProcess({
      DATABASE_URL: service.database.url,
      PORT: String(service.port),
      MANAGEMENT_PORT: String(service.managementPort),
    });
  });
  afterAll(() => service.stop());

  it('finds all well: exit code 0', async () => {
    const { code, report, say } = await doctor(cli);
    expect(report.checks.filter(({ status }) => status !== 'ok')).toEqual([]);
    expect([code, report.status]).toEqual([0, 'ok']);
    expect(say('database')).toMatch(engine === 'sqlite' ? /ok SQLite 3\./ : /ok PostgreSQL 1\d\.\d+: test_/);
    expect(say('migrations')).toMatch(/^ok /);
    expect(say('port')).toMatch(new RegExp(`^ok .*${service.url}`));
    expect(say('managementPort')).toMatch(/^ok .*\d/);
    expect(say('keys')).toMatch(/^ok (\d) of \1 /);
    expect(say('clock')).toMatch(/^ok \d{4}-/);
  });

  it('checks the whole database when asked to', async () => {
    const { say } = await doctor(cli, '--deep');
    expect(say('integrity')).toContain(
      engine === 'sqlite' ? 'Every reference has its row.' : 'Every index can be used.',
    );
  });

  it('names keys that expire soon, and a rotation that helps', async () => {
    // Days are counted by date, as the console does.
    const midnight = new Date((Math.floor(Date.now() / 86_400_000) + 3) * 86_400_000);
    const { key } = await service.app
      .get(ApiKeysService)
      .create({ name: 'dated', scopes: ['pets:read'], expiresAt: midnight });
    const { of } = await doctor(cli);
    expect(of('keys')[1]).toEqual({
      name: 'keys',
      status: 'warn',
      found: `${key.id} (dated) expires in 3 days, on ${midnight.toISOString()}.`,
      advice: expect.stringContaining(`petstore keys rotate ${key.id}`) as unknown,
    });
  });

  it('names keys that the policy will change', async () => {
    const { key } = await service.app.get(ApiKeysService).create({ name: 'idle', scopes: ['pets:read'] });
    const disablesAt = new Date((Math.floor(Date.now() / 86_400_000) + 3) * 86_400_000);
    await service.app.get(ApiKeysRepository).update(key.id, { disablesAt });
    const { say } = await doctor(cli);
    expect(say('keys')).toContain(
      `warn ${key.id} (idle) is unused and will be disabled in 3 days, on ${disablesAt.toISOString()}.`,
    );
  });

  it('recognises another program on the port of the service', async () => {
    const other = createServer((_request, response) => response.end('{}'));
    await once(other.listen(0, '127.0.0.1'), 'listening');
    const { port } = other.address() as AddressInfo;
    const management = createServer((_request, response) => response.end('{}'));
    await once(management.listen(0, '127.0.0.1'), 'listening');
    const { port: managementPort } = management.address() as AddressInfo;
    const ports = { PORT: String(port), MANAGEMENT_PORT: String(managementPort) };
    const { code, say } = await doctor(cli.with(ports));
    expect(code).toBe(1);
    expect(say('port')).toMatch(new RegExp(`^fail .*\\b${port}\\b`));
    expect(say('managementPort')).toMatch(new RegExp(`^fail .*\\b${managementPort}\\b`));
    other.close();
    management.close();
  });

  it('says that the running service is of another version', async () => {
    const { version, ...health } = (await (await fetch(`${service.managementUrl}/health`)).json()) as {
      version: string;
    };
    const running = createServer((_request, response) =>
      response.end(JSON.stringify({ ...health, version: `${version}-next` })),
    );
    await once(running.listen(0, '127.0.0.1'), 'listening');
    const { port } = running.address() as AddressInfo;
    const { code, say } = await doctor(cli.with({ MANAGEMENT_PORT: String(port) }));
    running.close();
    expect([code, say('managementPort')]).toEqual([
      0,
      expect.stringMatching(new RegExp(`^warn .*${version}-next.*${version}`)),
    ]);
  });

  it('names migrations of a newer version, which only a server serves on', async () => {
    const name = 'FromTheFuture9999999999999';
    await runSql(
      service.database,
      `INSERT INTO migrations ("timestamp", "name") VALUES (9999999999999, '${name}')`,
    );
    const { say } = await doctor(cli);
    expect(say('migrations')).toMatch(
      new RegExp(`^${engine === 'sqlite' ? 'fail' : 'warn'} [^\\n]*${name}[^\\n]*$`),
    );
    await runSql(service.database, `DELETE FROM migrations WHERE "name" = '${name}'`);
  });

  it('says that the service is not ready, why, and goes on after a check that cannot be made', async () => {
    await runSql(service.database, 'ALTER TABLE api_keys RENAME TO elsewhere');
    // What the service knows of a schema that fits may be five seconds old.
    await until(async () => (await service.fetch('/health/ready')).status === 503);
    const { code, say, of } = await doctor(cli);
    expect(code).toBe(1);
    expect(say('port')).toMatch(new RegExp(`^fail .*${service.url}`));
    expect(say('managementPort')).toMatch(/^fail .*schema/);
    expect(say('keys')).toMatch(/^fail /);
    expect(of('openFiles')).toHaveLength(1);
  });
});
