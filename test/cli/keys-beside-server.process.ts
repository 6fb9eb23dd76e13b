import { setTimeout as pause } from 'node:timers/promises';
import { describeEachEngine } from '../support/databases/databases';
import { startTestService, type TestService } from '../support/service/service';
import { CliInProcess } from './support/cli-in-process';

interface KeyJson {
  id: string;
  key: string;
}

/** A little more than the 5 seconds within which a running server must have noticed. */
const NOTICED_MS = 6_000;

describeEachEngine('petstore keys beside a running server', (engine) => {
  let service: TestService;
  let cli: CliInProcess;

  const statusWith = async (key: string) =>
    (await fetch(`${service.url}/v1/pets`, { headers: { authorization: `Bearer ${key}` } })).status;

  /** What the server says to a key when it says it at last, or when it ought to have noticed. */
  const noticed = async (key: string, status: number) => {
    const deadline = Date.now() + NOTICED_MS;
    while (Date.now() < deadline && (await statusWith(key)) !== status) await pause(100);
    return statusWith(key);
  };

  const create = ['keys', 'create', '--name', 'shop', '--scopes', 'pets:read'];

  /** A key that the server has taken and remembers. */
  const keyInUse = async () => {
    const made = await cli.json<KeyJson>(...create);
    expect(await statusWith(made.key)).toBe(200);
    return made;
  };

  beforeAll(async () => {
    service = await startTestService(engine);
    cli = new CliInProcess({ DATABASE_URL: service.database.url });
  });
  afterAll(() => service.stop());

  it('creates a key that works at once', async () => {
    const { key } = await cli.process.json<KeyJson>(...create);
    expect(await statusWith(key)).toBe(200);
  });

  it('revokes, disables and rotates keys in use, which the server refuses within 5 seconds', async () => {
    const [revoked, disabled, rotated] = [await keyInUse(), await keyInUse(), await keyInUse()];
    await cli.process.json('keys', 'revoke', revoked.id);
    const isRefused = [noticed(revoked.key, 401)];
    await cli.process.json('keys', 'disable', disabled.id);
    isRefused.push(noticed(disabled.key, 401));
    const successor = await cli.process.json<KeyJson>('keys', 'rotate', rotated.id, '--overlap', '0');
    isRefused.push(noticed(rotated.key, 401));
    expect(await Promise.all(isRefused)).toEqual([401, 401, 401]);
    expect(await statusWith(successor.key)).toBe(200);
    await cli.process.json('keys', 'enable', disabled.id);
    expect(await noticed(disabled.key, 200)).toBe(200);
  });

  it('rotates a key, and both work during the overlap', async () => {
    const { id, key } = await keyInUse();
    const successor = await cli.json<KeyJson>('keys', 'rotate', id, '--overlap', '1h');
    expect([await statusWith(key), await statusWith(successor.key)]).toEqual([200, 200]);
  });

  it('adds pets that the server lists', async () => {
    const { code } = await cli.process.run('seed', '--count', '7');
    expect(code).toBe(0);
    expect(await (await service.fetch('/v1/pets')).json()).toHaveLength(7);
  });
});
