import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { DataSource } from 'typeorm';
import { AdminSession } from '../../src/admin/console/sessions/admin-session.entity';
import { CHECK_MS } from '../../src/admin/console/sessions/person-sessions.service';
import { PetsService } from '../../src/pets/pets.service';
import type { Question, RemoteLine } from '../../src/platform/cli/remote/protocol';
import { openConsole } from '../console/support/console';
import { startServiceAtProvider, type TestProvider } from '../console/support/oidc-provider';
import type { TestService } from '../support/service/service';
import { RemotePerson } from './support/remote-person';

let provider: TestProvider;
let service: TestService;
let origin: string;
let person: RemotePerson;

beforeAll(async () => {
  ({ provider, service, origin } = await startServiceAtProvider('sqlite'));
  provider.accounts.set('248289', { name: 'Ana Lima', groups: ['admins'] });
  person = new RemotePerson(provider, origin);
  await person.login('248289');
});
afterAll(async () => {
  await provider.stop();
  await service.stop();
});

const addPet = async (name: string) =>
  (await service.app.get(PetsService).create({ name, categoryId: 1n })).item;
const atTerminal = (args: readonly string[], typed = '', columns?: number) =>
  person.cli.process.runOnTerminal([...args, '--server', origin], typed, columns);

/** Sends a command as the command line does. */
function post(
  token: string,
  args: readonly string[],
  { columns = 80, confirmed = [] }: { columns?: number; confirmed?: readonly Question[] } = {},
): Promise<Response> {
  return fetch(`${origin}/admin/commands`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      args,
      terminal: { isTerminal: true, hasColours: false, columns, canAsk: true },
      confirmed,
    }),
  });
}

const statusWith = async (token: string) => (await post(token, ['keys', 'list'])).status;

/** Sends a command of the person. @returns the lines of the response */
async function send(args: readonly string[], more: Parameters<typeof post>[2]): Promise<RemoteLine[]> {
  const response = await post(person.token, args, more);
  const lines = (await response.text()).trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as RemoteLine);
}

describe('A command that runs on a server', () => {
  it('fits the terminal of the person, with colours', async () => {
    await addPet('a name that is so long that no narrow terminal has a place for all of it');
    const { code, stdout } = await atTerminal(['pets', 'list'], '', 60);
    expect(code).toBe(0);
    expect(stdout).toContain('\u001b[1mID');
    const lines = stripVTControlCharacters(stdout).trimEnd().split(/\r?\n/);
    expect(lines[1]).toContain('…');
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(60);
  });

  it('proposes commands by the name that the person has used', async () => {
    const { stdout } = await atTerminal(['keys', 'list', '--help']);
    expect(stdout).toMatch(/^Usage: node \S+cli\.js keys list/m);
    expect(stdout).not.toContain('petstore keys');
    const refused = await person.cli.process.run('db', 'status', '--server', origin);
    expect(refused.stderr).toMatch(/^node \S+cli\.js db status only works on the machine of the service\./);
  });

  it('is not shortened in a pipe, and has no colours', async () => {
    const { id } = await addPet('x'.repeat(200));
    const { stdout } = await person.cli.process.run('pets', 'list', '--id', String(id), '--server', origin);
    expect(stdout).toContain(`${id}\t${'x'.repeat(200)}\t`);
    expect(stripVTControlCharacters(stdout)).toBe(stdout);
  });

  it.each([
    ['y', 0, false, /Remove the pet \d+\? \[y\/N\] y\s+The pet \d+ was removed\.\s+$/],
    ['n', 4, true, /Remove the pet \d+\? \[y\/N\] n\s+Nothing was changed\.\s+$/],
  ])(
    'asks the person at their terminal, and takes the answer %s',
    async (answer, expected, isThere, said) => {
      const { id } = await addPet('asked');
      const { code, stdout } = await atTerminal(['pets', 'remove', String(id)], `${answer}\n`);
      expect([code, stripVTControlCharacters(stdout)]).toEqual([expected, expect.stringMatching(said)]);
      const { stdout: list } = await person.at('pets', 'list', '--id', String(id), '--json');
      expect((JSON.parse(list) as { items: unknown[] }).items).toHaveLength(isThere ? 1 : 0);
    },
  );

  it('asks again when the record has changed since the question', async () => {
    const { id } = await addPet('changing');
    const question = `Remove the pet ${id}?`;
    const remove = async (about: string) =>
      (await send(['pets', 'remove', String(id)], { confirmed: [{ question, about }] }))[0];
    const asked = (await remove('an older version')) as { ask: { question: string; about: string } };
    expect(asked).toEqual({ ask: { question, about: expect.stringMatching(/./) } });
    expect(await remove(asked.ask.about)).toEqual({ say: `The pet ${id} was removed.\n` });
  });
});

describe('Commands that run on a server at the same time', () => {
  it('share neither a terminal nor their arguments', async () => {
    await addPet('a name that takes more than half of a terminal');
    const run = async (columns: number, limit: number) => {
      const response = await send(['pets', 'list', '--limit', String(limit)], { columns });
      const lines = response.flatMap((line) => ('out' in line ? line.out.trimEnd().split('\n') : []));
      return { rows: lines.length - 1, width: Math.max(...lines.map((line) => line.length)) };
    };
    const wanted = Array.from({ length: 12 }, (_, i) => ({ columns: 50 + i, limit: 1 + (i % 3) }));
    const alone = [];
    for (const { columns, limit } of wanted) alone.push(await run(columns, limit));
    const together = await Promise.all(wanted.map(({ columns, limit }) => run(columns, limit)));
    expect(together).toEqual(alone);
    expect(new Set(alone.map(({ width }) => width)).size).toBeGreaterThan(3);
  });
});

describe('The session of a command line', () => {
  /** As if so much time had passed since the provider was asked last. */
  const age = (milliseconds: number) => {
    const then = new Date(Date.now() - milliseconds);
    return service.app
      .get(DataSource)
      .getRepository(AdminSession)
      .update({ issuer: provider.issuer }, { checkedAt: then, checkBegunAt: then });
  };

  it('loses the rights of a group after its person has left it', async () => {
    const words = ['keys', 'create', '--name', 'left', '--scopes', 'pets:read'];
    expect(await person.at(...words)).toMatchObject({ code: 0 });
    provider.accounts.set('248289', { name: 'Ana Lima', groups: ['support'] });
    await age(CHECK_MS);
    expect(await person.at(...words)).toMatchObject({
      code: 4,
      stderr: 'You do not have the scope admin:keys, which this needs.\n',
    });
    provider.accounts.set('248289', { name: 'Ana Lima', groups: ['admins'] });
    await age(CHECK_MS);
    expect(await person.at(...words)).toMatchObject({ code: 0 });
  });

  it('is listed among the sessions of its person in the console, and can be ended there', async () => {
    const client = await openConsole(service);
    provider.visitor = '248289';
    const { location = '' } = await client.get('/admin/sign-in/oidc');
    const { pathname, search } = await person.visit.follow(location);
    await client.get(pathname + search);
    const { html } = await client.get('/admin/sessions');
    expect(html).toMatch(/>petstore \d\S* on (Linux|macOS|Windows)</);
    const [, path = ''] = /action="(\/admin\/sessions\/ses_\w+\/end)"/.exec(html) ?? [];
    expect((await client.submit('/admin/sessions', path)).status).toBe(303);
    expect(await person.at('pets', 'list')).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('You are not signed in, or your session has ended.'),
    });
  });
});

describe('petstore login', () => {
  it('ends the session that it replaces', async () => {
    await person.login('248289');
    const { token: before } = person;
    await person.login('248289');
    expect(person.files).toHaveLength(1);
    expect(person.token).not.toBe(before);
    expect(await statusWith(before)).toBe(401);
    expect(await statusWith(person.token)).toBe(200);
  });

  it('is undone by petstore logout even when the session has already ended', async () => {
    await person.login('248289');
    await service.app.get(DataSource).getRepository(AdminSession).clear();
    expect(await person.cli.run('logout', origin)).toMatchObject({
      code: 0,
      stderr: `Signed out of ${origin}.\n`,
    });
    expect(person.files).toEqual([]);
  });

  it('ends when the person presses Ctrl+C', async () => {
    const other = new RemotePerson(provider, origin);
    provider.deviceInterval = 60;
    const begun = once(provider.devices, 'begun');
    const child = other.cli.process.start('login', origin);
    const said: string[] = [];
    child.stderr.setEncoding('utf8').on('data', (text: string) => said.push(text));
    await begun;
    while (!said.join('').includes('enter the code')) await once(child.stderr, 'data');
    child.kill('SIGINT');
    const [code] = (await once(child, 'close')) as [number];
    expect([code, said.join('').split('\n').at(-2), other.files]).toEqual([
      4,
      'Interrupted: you are not signed in.',
      [],
    ]);
  });
});
