import { Injectable, Module } from '@nestjs/common';
import { ApiKeysService } from '../../src/auth/api-keys.service';
import { DecoratedMethods } from '../../src/platform/jobs/decorated-methods';
import { Scheduled, schedulesOf } from '../../src/platform/jobs/scheduled.decorator';
import { Scheduler } from '../../src/platform/jobs/scheduler.service';
import { CliInProcess } from '../cli/support/cli-in-process';
import { openConsole } from '../support/service/console';
import { describeOneEngine } from '../support/databases/databases';
import { startTestService, type TestService } from '../support/service/service';
import { until } from '../support/until';
import { withFeatures } from '../support/service/with-features';
import { ask, creation, field, type WireRequest } from '../contract/support/request';
import { expectRefused } from '../contract/support/rows';
import { Scrape } from '../contract/support/scrape';

@Injectable()
class Chores {
  static runs = 0;
  static removals = 0;

  @Scheduled('* * * * * *')
  tick(): void {
    Chores.runs += 1;
  }

  @Scheduled('* * * * * *', { runsInReadOnlyMode: true })
  removeOld(): void {
    Chores.removals += 1;
  }
}

@Module({ providers: [Chores] })
class ChoresModule {}

const NEW_PET = creation('{"name":"Rex","categoryId":1}');
const REFUSED = { status: 503, code: 'service_unavailable', fields: { 'Retry-After': '10' } };

const withKey = (key: string): WireRequest => ({
  ...NEW_PET,
  headers: { ...NEW_PET.headers, 'Idempotency-Key': key },
});

describeOneEngine('In read-only mode,', (engine) => {
  let first: TestService;
  let second: TestService;
  let cli: CliInProcess;
  let sentence = '';
  let runsBefore = 0;

  const readOnlyNodes = async () => {
    const scrapes = await Promise.all([first, second].map((service) => Scrape.of(service)));
    return scrapes.filter((scrape) => scrape.value('petstore_read_only') === 1).length;
  };

  beforeAll(async () => {
    first = await withFeatures({ ChoresModule }, () => startTestService(engine));
    second = await startTestService(engine, { DATABASE_URL: first.database.url });
    cli = new CliInProcess({ DATABASE_URL: first.database.url });
    first.app.get(Scheduler).begin();
    expect((await ask(first, withKey('before'))).status).toBe(201);
    await until(() => Chores.runs > 0);
    for (let i = 0; i < 2; i++) {
      await first.app.get(ApiKeysService).create({ name: 'leaked', scopes: ['pets:read'] });
    }
    const on = await cli.json<{ since: string; actor: string }>('read-only', 'on', '--reason', 'a drill');
    sentence = `The service has been read-only since ${on.since}, by ${on.actor}: a drill.`;
    await until(async () => (await readOnlyNodes()) === 2);
    runsBefore = Chores.runs;
  });
  afterAll(async () => {
    await second.stop();
    await first.stop();
  });

  it('every node refuses a creation with 503, whatever clients send it with, and serves reads', async () => {
    for (const service of [first, second]) {
      await expectRefused(service, { ...REFUSED, request: NEW_PET, offending: ['drill'] });
      await expectRefused(service, { ...REFUSED, request: withKey('meanwhile') });
      expect(await ask(service, {})).toMatchObject({ status: 200 });
      expect(await ask(service, { target: '/v1/pets/1' })).toMatchObject({ status: 200 });
    }
  });

  it('a creation that was made before is answered again for its Idempotency-Key', async () => {
    const response = await ask(second, { ...withKey('before'), key: first.key });
    expect([response.status, field(response, 'idempotency-replayed')]).toEqual([201, 'true']);
  });

  it('other faults of a request are still reported first', async () => {
    const request = creation('{', { key: 'x' });
    await expectRefused(first, { request, status: 401, code: 'invalid_api_key' });
    await expectRefused(first, { request: creation('{'), status: 400, code: 'invalid_json' });
  });

  it('nodes are ready, and say on the management port that they refuse writes', async () => {
    expect(await ask(first, { target: '/health/ready', key: null })).toMatchObject({ status: 200 });
    const ready = await fetch(`${first.managementUrl}/health/ready`);
    expect([ready.status, await ready.json()]).toEqual([
      200,
      expect.objectContaining({
        status: 'ok',
        checks: expect.objectContaining({ readOnly: { status: 'ok', reason: sentence } }),
      }),
    ]);
  });

  it('operators can sign in to the console, and are refused changes with the reason', async () => {
    const client = await openConsole(first, first.key);
    expect((await client.get('/admin/records/pets/1')).html).toContain(sentence);
    const removal = await client.submit('/admin/records/pets/1/remove', '/admin/records/pets/1/remove');
    expect([removal.status, removal.html]).toEqual([503, expect.stringContaining(sentence)]);
    expect((await ask(first, { target: '/v1/pets/1' })).status).toBe(200);
  });

  it.each([
    ['pets', 'remove', '1', '--yes'],
    ['pets', 'update', '1', '--status', 'sold'],
    ['keys', 'create', '--name', 'x', '--scopes', 'pets:read'],
    ['seed', '--count', '3'],
  ])('petstore %s %s changes nothing, and says why', async (...command) => {
    const { code, stderr } = await cli.run(...command);
    expect([code, stderr]).toEqual([
      5,
      expect.stringContaining(`${sentence} Until that ends, nothing is changed.`),
    ]);
    const list = await ask(first, {});
    expect(JSON.parse(list.body)).toEqual([{ id: 1, name: 'Rex', categoryId: 1 }]);
  });

  it('a leaked key can still be disabled and revoked, but not enabled', async () => {
    const service = first.app.get(ApiKeysService);
    const [disabled, revoked] = (await service.list()).filter(({ name }) => name === 'leaked');
    const client = await openConsole(first, first.key);
    const path = `/admin/keys/${disabled?.id}`;
    expect((await client.submit(path, `${path}/disable`)).status).toBe(303);
    expect(await service.show(disabled?.id ?? '')).toMatchObject({ status: 'disabled' });
    expect((await cli.run('keys', 'enable', disabled?.id ?? '')).code).toBe(5);
    expect(await cli.json('keys', 'revoke', revoked?.id ?? '', '--yes')).toMatchObject({ status: 'revoked' });
    const { items } = await cli.json<{ items: { action: string }[] }>('audit', 'list', '--subject', 'keys');
    expect(items.slice(0, 2).map(({ action }) => action)).toEqual(['keys.revoke', 'keys.disable']);
  });

  it('petstore doctor and petstore read-only status say so', async () => {
    const { stdout } = await cli.process.run('doctor', '--json');
    const { checks } = JSON.parse(stdout) as { checks: { name: string; status: string; found: string }[] };
    expect(checks.filter(({ name }) => name === 'readOnly')).toEqual([
      expect.objectContaining({ status: 'warn', found: sentence }),
    ]);
    expect(await cli.json('read-only', 'status')).toMatchObject({
      isOn: true,
      reason: 'a drill',
    });
  });

  it('no scheduled method of the service goes on but those that delete what is too old', () => {
    const jobs = first.app.get(DecoratedMethods).find(schedulesOf);
    const going = jobs.filter(({ mark }) => mark.runsInReadOnlyMode).map(({ name }) => name);
    expect(going.filter((name) => !name.startsWith('Chores.')).sort()).toEqual([
      'RequestLogRetentionJob.run',
      'ResponseRetentionJob.run',
      'SessionRetentionJob.run',
      'TrafficRetentionJob.run',
      'UsageRetentionJob.run',
    ]);
  });

  it('refusals are not logged as faults', () => {
    for (const line of [first, second].flatMap((service) => service.log().split('\n').filter(Boolean))) {
      expect(JSON.parse(line)).toMatchObject({ level: 30 });
    }
  });

  it('scheduled methods wait, except those declared to run, and all go on afterwards', async () => {
    const { removals } = Chores;
    await until(() => Chores.removals > removals + 1);
    expect(Chores.runs).toBeLessThanOrEqual(runsBefore + 1);
    await cli.run('read-only', 'off');
    await until(async () => (await readOnlyNodes()) === 0);
    for (const service of [first, second]) {
      expect((await ask(service, { ...withKey('meanwhile'), key: first.key })).status).toBe(201);
    }
    await until(() => Chores.runs > runsBefore + 1);
    const { items } = await cli.json<{ items: { action: string; actor: string }[] }>('audit', 'list');
    expect(items.map(({ action }) => action).filter((action) => action.startsWith('read-only.'))).toEqual([
      'read-only.off',
      'read-only.on',
    ]);
  });
});
