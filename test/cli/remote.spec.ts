import { once } from 'node:events';
import { statSync } from 'node:fs';
import { DataSource } from 'typeorm';
import { AdminSession } from '../../src/admin/console/sessions/admin-session.entity';
import { DEVICE_SIGN_INS_PER_MINUTE } from '../../src/admin/console/sessions/sign-in-limit';
import { PetsService } from '../../src/pets/pets.service';
import { AuditLog } from '../../src/platform/audit/audit-log';
import { ProviderVisit, startServiceAtProvider, type TestProvider } from '../console/support/oidc-provider';
import { describeOneEngine } from '../support/databases/databases';
import type { TestService } from '../support/service/service';
import type { Report } from './support/doctor';
import { RemotePerson } from './support/remote-person';

describeOneEngine('The command line at a server', (engine) => {
  let provider: TestProvider;
  let service: TestService;
  let origin: string;
  let person: RemotePerson;

  beforeAll(async () => {
    ({ provider, service, origin } = await startServiceAtProvider(engine));
  });
  afterAll(async () => {
    await provider.stop();
    await service.stop();
  });
  beforeEach(() => {
    provider.signsInDevices = true;
    provider.deviceCodeTtl = 600;
    provider.deviceInterval = 0.05;
    provider.accounts.set('248289', { name: 'Ana Lima', groups: ['admins'] });
    provider.accounts.set('550e84', { name: 'Ben Okoro', groups: ['support'] });
    provider.accounts.set('88', { name: 'Di', groups: [] });
    person = new RemotePerson(provider, origin);
  });

  const sessions = () => service.app.get(DataSource).getRepository(AdminSession);
  const events = (action: string) => service.app.get(AuditLog).list({ action }, { limit: 100 });
  const ask = (method: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${origin}/admin/${path}`, {
      method,
      headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const addPet = async (name: string) =>
    (await service.app.get(PetsService).create({ name, categoryId: 1n })).item;

  it('signs in with a browser that enters the code, and stores the session for its owner alone', async () => {
    const { code, stderr } = await person.login('248289');
    expect(stderr).toMatch(
      /^Open http:\S+\/device\?user_code=(\S+) in a browser and check that it shows the code \1;\nor enter the code at http:\S+\/device\.\nSigned in to http:\S+ as Ana Lima; the session is stored in \S+\.\n/,
    );
    expect(code).toBe(0);
    expect(statSync(person.files[0] as string).mode & 0o777).toBe(0o600);
    const [session] = await sessions().find({ order: { createdAt: 'DESC' } });
    expect(session).toMatchObject({ actor: 'oidc:248289', personName: 'Ana Lima', issuer: provider.issuer });
    expect(session?.userAgent).toMatch(/^petstore\/\d/);
  });

  it('runs a command as the person at the server, and locally without --server', async () => {
    await person.login('248289');
    const { code, stdout, stderr } = await person.at(
      'pets',
      'create',
      '--name',
      'Rex',
      '--category-id',
      '7',
      '--json',
    );
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^The pet \d+ was added\.\n$/)]);
    const { id } = JSON.parse(stdout) as { id: number };
    const [event] = await events('pets.create');
    expect(event).toMatchObject({
      actor: 'oidc:248289',
      actorName: 'Ana Lima',
      subjectId: String(id),
      address: '127.0.0.1',
    });
    const { stdout: list } = await person.cli
      .with({ PETSTORE_SERVER: origin })
      .run('pets', 'list', '--name', 'Rex');
    expect(list).toMatch(new RegExp(`^ID\\tNAME.*\\n${id}\\tRex\\t`));
    const here = person.cli.with({ DATABASE_URL: 'sqlite::memory:' });
    expect(await here.run('pets', 'get', String(id))).toMatchObject({ code: 3 });
  });

  it('has the same exit codes, errors and help as a local command', async () => {
    await person.login('248289');
    expect(await person.at('pets', 'get', '999')).toMatchObject({ code: 3, stdout: '' });
    expect(await person.at('pets', 'gt', '999')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean get?'),
    });
    expect(await person.at('keys', 'create')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--name'),
    });
    const help = await person.at('keys', 'list', '--help');
    expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining('Usage: petstore keys list') });
    expect(await person.cli.run('--server')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('argument missing'),
    });
  });

  it('lets a person do no more than their groups have', async () => {
    await person.login('550e84');
    expect(await person.at('keys', 'list')).toMatchObject({ code: 0 });
    expect(await person.at('keys', 'create', '--name', 'x', '--scopes', 'pets:read')).toEqual({
      code: 4,
      stdout: '',
      stderr: 'You do not have the scope admin:keys, which this needs.\n',
    });
    expect(await events('keys.create')).not.toContainEqual(expect.objectContaining({ actor: 'oidc:550e84' }));
  });

  it('examines the server for one person at a time, and shows no secret', async () => {
    await person.login('550e84');
    const terminal = { isTerminal: false, hasColours: false, columns: null, canAsk: false };
    const command = { args: ['doctor', '--json'], terminal, confirmed: [] };
    const examine = async () =>
      (await ask('POST', 'commands', command, { authorization: `Bearer ${person.token}` })).text();
    const both = await Promise.all([examine(), examine()]);
    expect(both.join('')).toContain(
      'This server is being examined for somebody else: try again in a moment.',
    );
    const { code, stdout } = await person.at('doctor', '--json');
    const { checks } = JSON.parse(stdout) as Report;
    expect([code, checks.filter(({ status }) => status === 'fail')]).toEqual([0, []]);
    const names = checks.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['versions', 'settings', 'database', 'migrations', 'keys']));
    expect(stdout).not.toMatch(new RegExp(`petk_\\w{20}|${person.token}|://[^/"]*@`));
  });

  it('streams an export unchanged', async () => {
    await person.login('550e84');
    const { id } = await addPet('streamed');
    const { code, stdout, stderr } = await person.at(
      'pets',
      'export',
      '--name',
      'streamed',
      '--format',
      'ndjson',
    );
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ id: Number(id), name: 'streamed' });
    const refused = await person.at('pets', 'export', '--output', 'pets.csv');
    expect(refused).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/^--output would name a file on the server/),
    });
    expect(await person.at('pets', 'list', '--limit', '1001')).toMatchObject({
      code: 2,
      stderr: 'On a server, --limit is at most 1000.\n',
    });
  });

  it('ends the session at the server with petstore logout, and deletes its file', async () => {
    await person.login('248289');
    const before = provider.revocations;
    expect(await person.cli.run('logout', origin)).toMatchObject({
      code: 0,
      stderr: `Signed out of ${origin}.\n`,
    });
    expect(person.files).toEqual([]);
    expect(provider.revocations).toBe(before + 1);
    expect((await events('sessions.sign_out'))[0]).toMatchObject({
      actor: 'oidc:248289',
      actorName: 'Ana Lima',
    });
    const said = `You are not signed in to ${origin}. Run "petstore login ${origin}" first.\n`;
    expect(await person.at('pets', 'list')).toEqual({ code: 4, stdout: '', stderr: said });
    expect(await person.cli.run('logout', origin)).toMatchObject({
      code: 4,
      stderr: `You are not signed in to ${origin}.\n`,
    });
  });

  it('says so when the session has ended at the server', async () => {
    await person.login('248289');
    expect(await person.at('pets', 'list')).toMatchObject({ code: 0 });
    await person.visit.signOut();
    expect(await person.at('pets', 'list')).toEqual({
      code: 4,
      stdout: '',
      stderr: `You are not signed in, or your session has ended. Run "petstore login ${origin}" first.\n`,
    });
  });

  it.each([
    ['the person refuses it', '248289', 'abort', 'The sign-in was refused at Example Account.\n'],
    ['the person is in no group', '88', undefined, 'You are not in a group that may open this console.\n'],
  ] as const)('signs nobody in when %s', async (_, visitor, answer, said) => {
    const { code, stderr } = await person.login(visitor, answer);
    expect(code).toBe(4);
    expect(stderr.endsWith(said)).toBe(true);
    expect((await events('sessions.sign_in_refused'))[0]?.after).toContain(said.trim());
    expect(person.files).toEqual([]);
  });

  it('fails in one sentence when the code is not entered in time', async () => {
    provider.deviceCodeTtl = 1;
    provider.deviceInterval = 0.4;
    const { code, stderr } = await person.cli.run('login', origin);
    expect(code).toBe(4);
    expect(stderr).toMatch(
      /\n(The code has expired: run petstore login|This sign-in is no longer known: begin) /,
    );
  });

  it('says so when the provider has no device flow', async () => {
    provider.signsInDevices = false;
    expect(await person.cli.run('login', origin)).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('its client of this console may not use the device flow.'),
    });
  });

  it('accepts a completed sign-in once, and no code that it has not begun', async () => {
    const begun = once(provider.devices, 'begun');
    const signIn = (await (await ask('POST', 'device-sign-in', {})).json()) as { deviceCode: string };
    provider.visitor = '248289';
    const progress = async (deviceCode: string) => {
      const response = await ask('POST', 'device-sign-in/session', { deviceCode });
      const body = (await response.json()) as { state?: string; code?: string; message?: string };
      return { status: response.status, ...body };
    };
    expect(await progress(signIn.deviceCode)).toEqual({ status: 200, state: 'pending' });
    await new ProviderVisit(provider).enterCode(((await begun) as [string])[0]);
    expect(await progress(signIn.deviceCode)).toMatchObject({ state: 'signed_in', actor: 'oidc:248289' });
    const refused = [await progress(signIn.deviceCode), await progress('guessed')];
    expect(refused).toEqual(
      [1, 2].map(() => ({
        status: 401,
        code: 'sign_in_refused',
        message: 'This sign-in is no longer known: begin another one.',
      })),
    );
  });

  it('is refused to a page in a browser', async () => {
    await person.login('248289');
    const command = {
      args: ['keys', 'list'],
      terminal: { isTerminal: false, hasColours: false, columns: null, canAsk: false },
      confirmed: [],
    };
    const bearer = { authorization: `Bearer ${person.token}` };
    const statusOf = async (headers: Record<string, string>, type = 'application/json') =>
      (await ask('POST', 'commands', command, { 'content-type': type, ...headers })).status;
    expect(await statusOf(bearer)).toBe(200);
    expect(await statusOf({ ...bearer, origin })).toBe(403);
    expect(await statusOf({ ...bearer, 'sec-fetch-site': 'same-origin' })).toBe(403);
    expect(await statusOf(bearer, 'text/plain')).toBe(415);
    expect(await statusOf({})).toBe(401);
    expect(await statusOf({ cookie: `petstore_admin_${service.managementPort}=${person.token}` })).toBe(401);
    expect(await statusOf({ authorization: `Bearer ${service.key}` })).toBe(401);
    expect((await ask('POST', 'commands', { ...command, args: ['x'.repeat(102_400)] }, bearer)).status).toBe(
      413,
    );
    for (const wrong of [
      null,
      [],
      { ...command, args: 'keys' },
      { ...command, terminal: {} },
      { ...command, confirmed: [1] },
    ]) {
      expect((await ask('POST', 'commands', wrong, bearer)).status).toBe(400);
    }
  });

  it('writes neither the session nor a new key to the log', async () => {
    await person.login('248289');
    const { stdout } = await person.at(
      'keys',
      'create',
      '--name',
      'quiet',
      '--scopes',
      'pets:read',
      '--json',
    );
    const { key } = JSON.parse(stdout) as { key: string };
    expect(key).toMatch(/^petk_/);
    for (const secret of [key, person.token]) expect(service.log()).not.toContain(secret);
  });

  it('lets an address begin at most ten uncompleted sign-ins a minute', async () => {
    for (let i = 0; i < DEVICE_SIGN_INS_PER_MINUTE; i++) await ask('POST', 'device-sign-in', {});
    const { status, headers } = await ask('POST', 'device-sign-in', {});
    expect([status, Number(headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
    expect(await person.cli.run('login', origin)).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/^There have been too many requests: try again in \d+ seconds\.\n$/),
    });
  });
});
