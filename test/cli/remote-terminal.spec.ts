import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { PetsService } from '../../src/pets/pets.service';
import type { RemoteLine } from '../../src/platform/cli/remote/protocol';
import {
  oidcEnvironment,
  originAt,
  startProvider,
  type TestProvider,
} from '../console/support/oidc-provider';
import { freePort } from '../support/free-port';
import { startTestService, type TestService } from '../support/service';
import { RemotePerson } from './support/remote-person';

let provider: TestProvider;
let service: TestService;
let origin: string;
let person: RemotePerson;

beforeAll(async () => {
  const managementPort = await freePort('127.0.0.1');
  origin = originAt(managementPort);
  provider = await startProvider(managementPort);
  service = await startTestService('sqlite', oidcEnvironment(provider.issuer, managementPort));
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

describe('A command that runs on a server', () => {
  it('fits the terminal of the person, in colours', async () => {
    await addPet('a name that is so long that no narrow terminal has a place for all of it');
    const { code, stdout } = await atTerminal(['pets', 'list'], '', 60);
    expect(code).toBe(0);
    expect(stdout).toContain('\u001b[1mID');
    const lines = stripVTControlCharacters(stdout).trimEnd().split(/\r?\n/);
    expect(lines[1]).toContain('…');
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(60);
  });

  it('is whole in a pipe, without colours', async () => {
    const { id } = await addPet('x'.repeat(200));
    const { stdout } = await person.cli.process.run('pets', 'list', '--id', String(id), '--server', origin);
    expect(stdout).toContain(`${id}\t${'x'.repeat(200)}\t`);
    expect(stripVTControlCharacters(stdout)).toBe(stdout);
  });

  it.each([
    ['y', 0, false, /Remove the pet \d+\? \[y\/N\] y\s+The pet \d+ was removed\.\s+$/],
    ['n', 4, true, /Remove the pet \d+\? \[y\/N\] n\s+Nothing was changed\.\s+$/],
  ])('asks the person at their terminal, who answers %s', async (answer, expected, isThere, said) => {
    const { id } = await addPet('asked');
    const { code, stdout } = await atTerminal(['pets', 'remove', String(id)], `${answer}\n`);
    expect([code, stripVTControlCharacters(stdout)]).toEqual([expected, expect.stringMatching(said)]);
    const { stdout: list } = await person.at('pets', 'list', '--id', String(id), '--json');
    expect((JSON.parse(list) as { items: unknown[] }).items).toHaveLength(isThere ? 1 : 0);
  });

  it('asks again when the record has changed since the person has seen the question', async () => {
    const { id } = await addPet('changing');
    const question = `Remove the pet ${id}?`;
    const send = async (about: string) => {
      const response = await fetch(`${origin}/admin/commands`, {
        method: 'POST',
        headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          args: ['pets', 'remove', String(id)],
          terminal: { isTerminal: true, hasColours: true, columns: 80, canAsk: true },
          confirmed: [{ question, about }],
        }),
      });
      const text = await response.text();
      return JSON.parse(text.split('\n', 1)[0] as string) as RemoteLine;
    };
    const asked = (await send('an older version')) as { ask: { question: string; about: string } };
    expect(asked).toEqual({ ask: { question, about: expect.stringMatching(/./) } });
    expect(await send(asked.ask.about)).toEqual({ say: `The pet ${id} was removed.\n` });
  });
});

describe('petstore login', () => {
  it('ends when the person does not want to wait any longer', async () => {
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
