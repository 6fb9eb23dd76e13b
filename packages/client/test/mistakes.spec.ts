import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { PetstoreClient } from '../src/index.ts';
import { Requests } from '../src/requests.ts';
import { ScriptedFetch } from './support/scripted-fetch.ts';

const OPTIONS = { baseUrl: 'http://pets.example', apiKey: 'key' };

describe('The client', () => {
  it('names the address that refused the connection, and the reason', async () => {
    const closed = createServer();
    await once(closed.listen(0, '127.0.0.1'), 'listening');
    const address = `127.0.0.1:${(closed.address() as AddressInfo).port}`;
    closed.close();
    await once(closed, 'close');
    const page = new PetstoreClient({ ...OPTIONS, baseUrl: `http://${address}`, budget: 1_000 })
      .listPets()
      .page();
    await expect(page).rejects.toMatchObject({
      code: 'network_error',
      message: `No whole response came from http://${address}: connect ECONNREFUSED ${address}.`,
    });
  });

  it.each<[string, unknown, string]>([
    [
      'a name with several addresses',
      Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }),
      'ECONNREFUSED',
    ],
    ['no cause', undefined, 'fetch failed'],
  ])('gives a reason when a connection fails with %s', async (_with, cause, reason) => {
    const failing = () => Promise.reject(new TypeError('fetch failed', { cause }));
    const page = new PetstoreClient({ ...OPTIONS, fetch: failing, budget: 0 }).listPets().page();
    await expect(page).rejects.toMatchObject({
      message: `No whole response came from http://pets.example: ${reason}.`,
    });
  });

  it('refuses a number that may have been rounded, in the path, the query or a body', async () => {
    const rounded = Number(2n ** 53n + 1n) as unknown as bigint;
    const { fetch: scripted, sent } = new ScriptedFetch([new Response('{}')]);
    const careless = new PetstoreClient({ ...OPTIONS, fetch: scripted });
    const requests = new Requests({ ...OPTIONS, fetch: scripted }, '/v1', {});
    const found = { name: 'listPets', method: 'GET', path: '/pets', query: { owner: [1, rounded] } };
    for (const [name, call] of [
      ['petId', careless.getPet(rounded)],
      ['categoryId', careless.createPet({ name: 'Rex', categoryId: rounded })],
      ['owner', requests.call(found)],
    ] as const) {
      await expect(call).rejects.toThrow(
        new TypeError(`${name} is 9007199254740992, and may have been rounded: give a bigint from 2^53 on.`),
      );
    }
    expect(sent).toEqual([]);
    const safe = Number.MAX_SAFE_INTEGER as unknown as bigint;
    await careless.createPet({ name: 'Rex', categoryId: safe });
    expect(sent[0]?.body).toBe('{"name":"Rex","categoryId":9007199254740991}');
  });

  it('fails at once and names the runtimes it needs where JSON.rawJSON is missing', () => {
    const exact = JSON as { rawJSON?: unknown };
    const { rawJSON } = exact;
    delete exact.rawJSON;
    try {
      expect(() => new PetstoreClient(OPTIONS)).toThrow(
        /^JSON\.rawJSON is missing, and 64-bit integers would be rounded: use Node\.js 22 or newer, /,
      );
    } finally {
      exact.rawJSON = rawJSON;
    }
  });
});
