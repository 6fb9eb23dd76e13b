import { once } from 'node:events';
import { Collector } from '../../process/support/collector';
import { startPostgresReplica } from '../../support/databases/postgres-replica';
import { type PostgresServer, startPostgresServer } from '../../support/databases/postgres-server';
import { until } from '../../support/until';
import { CliInProcess } from '../../cli/support/cli-in-process';
import { CliProcess } from '../../cli/support/cli-process';
import { doctor, freePorts } from './support/doctor';

describe('petstore doctor with other servers', () => {
  let primary: PostgresServer;

  beforeAll(async () => {
    primary = await startPostgresServer();
  });
  afterAll(() => primary.stop());

  it('says that a PostgreSQL server is down, or hangs, within seconds and without the password', async () => {
    const cli = new CliProcess({ ...(await freePorts()), DATABASE_URL: primary.url });
    const { password } = new URL(primary.url);
    process.kill(primary.pid, 'SIGSTOP');
    const hanging = await doctor(cli);
    process.kill(primary.pid, 'SIGCONT');
    expect([hanging.code, hanging.say('database')]).toEqual([1, expect.stringMatching(/^fail .*postgres/)]);
    await primary.kill('SIGINT');
    const down = await doctor(cli);
    await primary.start();
    expect([down.code, down.say('database')]).toEqual([1, expect.stringContaining('ECONNREFUSED')]);
    expect(hanging.stdout + down.stdout).not.toContain(password);
    expect(down.of('openFiles')).toHaveLength(1);
  });

  it('prints findings while it goes on, and ends at once at Ctrl+C', async () => {
    process.kill(primary.pid, 'SIGSTOP');
    const child = new CliProcess({ ...(await freePorts()), DATABASE_URL: primary.url }).start('doctor');
    let said = '';
    child.stdout.on('data', (text: Buffer) => (said += text.toString()));
    await until(() => said.includes('\nsettings\t'));
    // It waits for the server.
    expect(said).not.toMatch(/^database/m);
    child.kill('SIGINT');
    const [, signal] = (await once(child, 'close')) as [null, string];
    process.kill(primary.pid, 'SIGCONT');
    expect(signal).toBe('SIGINT');
  });

  it('checks each replica, and only warns of faults while another one serves', async () => {
    const replica = await startPostgresReplica(primary);
    const away = 'postgres://postgres:s3cret@127.0.0.1:1/postgres';
    const cli = new CliInProcess({
      ...(await freePorts()),
      DATABASE_URL: primary.url,
      DATABASE_REPLICA_URLS: `${replica.url},${away},${primary.url}`,
    });
    await new CliInProcess({ DATABASE_URL: primary.url }).run('db', 'migrate');
    await until(async () => (await doctor(cli)).say('replicas').startsWith('ok replica-1 is 0 bytes behind'));
    const { code, stdout, of } = await doctor(cli);
    await replica.stop();
    expect(of('replicas').map(({ status }) => status)).toEqual(['ok', 'warn', 'warn']);
    expect(of('replicas')[1]?.found).toMatch(/^replica-2 .*ECONNREFUSED/);
    expect(of('replicas')[2]?.found).toMatch(/^replica-3 /);
    expect([code, stdout.includes('s3cret')]).toEqual([0, false]);
    const none = await doctor(cli);
    expect([none.code, ...none.of('replicas').map(({ status }) => status)]).toEqual([
      1,
      'fail',
      'fail',
      'fail',
    ]);
  });

  it('checks Redis and the collector of traces when they are set', async () => {
    const collector = await Collector.start();
    const cli = new CliInProcess({
      ...(await freePorts()),
      DATABASE_URL: primary.url,
      REDIS_URL: 'redis://:s3cret@127.0.0.1:1',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    });
    const there = await doctor(cli);
    expect(there.say('traces')).toMatch(/^ok /);
    expect(there.say('redis')).toMatch(
      /^fail Redis at 127\.0\.0\.1:1 does not accept writes: .*ECONNREFUSED/,
    );
    collector.status = 404;
    expect((await doctor(cli)).say('traces')).toMatch(/^warn .*404/);
    collector.status = 401;
    expect((await doctor(cli)).of('traces')[0]?.advice).toContain('OTEL_EXPORTER_OTLP_HEADERS');
    collector.stop();
    const away = await doctor(cli);
    expect([away.code, away.say('traces')]).toEqual([1, expect.stringMatching(/^fail .*ECONNREFUSED/)]);
    expect(there.stdout + away.stdout).not.toContain('s3cret');
  });
});
