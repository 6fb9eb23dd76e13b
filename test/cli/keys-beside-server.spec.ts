import { setTimeout as pause } from 'node:timers/promises';
import { describeEachEngine } from '../support/databases';
import { startTestService, type TestService } from '../support/service';
import { CliProcess } from './support/cli-process';

interface KeyJson {
  id: string;
  key: string;
}

/** A little more than the 5 seconds within which a running server must have noticed. */
const NOTICED_MS = 6_000;

describeEachEngine('petstore keys beside a running server', (engine) => {
  let service: TestService;
  let cli: CliProcess;

  const statusWith = async (key: string) =>
    (await fetch(`${service.url}/v1/pets`, { headers: { authorization: `Bearer ${key}` } })).status;

  const refusedInTime = async (key: string) => {
    const deadline = Date.now() + NOTICED_MS;
    while (Date.now() < deadline && (await statusWith(key)) !== 401) await pause(100);
    return statusWith(key);
  };

  const create = () => cli.json<KeyJson>('keys', 'create', '--name', 'shop', '--scopes', 'pets:read');

  beforeAll(async () => {
    service = await startTestService(engine);
    cli = new CliProcess({ DATABASE_URL: service.database.url });
  });
  afterAll(() => service.stop());

  it('makes a key that works at once', async () => {
    const { key } = await create();
    expect(await statusWith(key)).toBe(200);
  });

  it('revokes a key in use: the server refuses it within 5 seconds', async () => {
    const { id, key } = await create();
    expect(await statusWith(key)).toBe(200);
    await cli.json('keys', 'revoke', id);
    expect(await refusedInTime(key)).toBe(401);
  });

  it('disables a key in use: the server refuses it within 5 seconds, and takes it again once it is enabled', async () => {
    const { id, key } = await create();
    expect(await statusWith(key)).toBe(200);
    await cli.json('keys', 'disable', id);
    expect(await refusedInTime(key)).toBe(401);
    await cli.json('keys', 'enable', id);
    const deadline = Date.now() + NOTICED_MS;
    while (Date.now() < deadline && (await statusWith(key)) !== 200) await pause(100);
    expect(await statusWith(key)).toBe(200);
  });

  it('rotates a key: both work during the overlap', async () => {
    const { id, key } = await create();
    const successor = await cli.json<KeyJson>('keys', 'rotate', id, '--overlap', '1h');
    expect([await statusWith(key), await statusWith(successor.key)]).toEqual([200, 200]);
  });

  it('rotates a key without overlap: the successor alone works', async () => {
    const { id, key } = await create();
    expect(await statusWith(key)).toBe(200);
    const successor = await cli.json<KeyJson>('keys', 'rotate', id, '--overlap', '0');
    expect(await refusedInTime(key)).toBe(401);
    expect(await statusWith(successor.key)).toBe(200);
  });

  it('adds pets that the server lists', async () => {
    const { code } = await cli.run('seed', '--count', '7');
    expect(code).toBe(0);
    expect(await (await service.fetch('/v1/pets')).json()).toHaveLength(7);
  });
});
