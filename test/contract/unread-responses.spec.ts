import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { clearInterval, setInterval } from 'node:timers';
import { expectError } from '../support/http/error-responses';
import { describeOneEngine } from '../support/databases/databases';
import { fakeOnly } from '../support/fake-only';
import { until } from '../support/until';
import { ask, wireBytes } from './support/request';
import { growthBy, Scrape } from './support/scrape';
import { useService } from './support/service';

const PETS = 100;
const NAME = 'a'.repeat(100_000);
const LIST = { target: `/v1/pets?limit=${PETS}` };
const LIST_BYTES = PETS * NAME.length;
const MAX_BYTES = 64 * 1024 * 1024;
/** How many lists that are left unread find room. */
const ROOM = Math.floor(MAX_BYTES / LIST_BYTES);

describeOneEngine('Lists of 10 MB', (engine) => {
  // No list makes room because it has stalled for a while, which one does sooner on a slow machine.
  beforeAll(() => fakeOnly(['setInterval', 'clearInterval']));
  const service = useService(engine);
  afterAll(() => jest.useRealTimers());
  const clients: Socket[] = [];
  const unreadBytes = async () => (await Scrape.of(service())).value('petstore_unread_response_bytes') ?? 0;

  beforeAll(async () => {
    for (let i = 0; i < PETS; i++) {
      expect((await service().post('/v1/pets', { name: NAME, categoryId: 1 })).status).toBe(201);
    }
  });
  afterEach(async () => {
    clients.splice(0).forEach((client) => client.destroy());
    await until(async () => (await unreadBytes()) === 0);
  });

  /** Asks for the list and leaves all but its first bytes unread. @returns the status */
  async function leaveUnread(key: string): Promise<string> {
    const client = connect(service().port, '127.0.0.1').on('error', () => undefined);
    clients.push(client);
    client.write(wireBytes(LIST, key));
    const first = await new Promise<Buffer>((resolve) => client.once('data', resolve));
    client.pause();
    return first.toString('latin1', 9, 12);
  }

  it('are begun only while unread ones take at most 64 MiB', async () => {
    const statuses: string[] = [];
    for (let i = 0; i < 2 * ROOM; i++) {
      statuses.push(await leaveUnread(await service().keyWith('pets:read')));
      expect(await unreadBytes()).toBeLessThanOrEqual(MAX_BYTES);
    }
    expect(statuses).toEqual([...Array(ROOM).fill('200'), ...Array(ROOM).fill('503')]);
    expect((await ask(service(), { target: '/v1/pets?status=sold' })).status).toBe(200);
    expect((await ask(service(), { ...LIST, method: 'HEAD' })).status).toBe(200);
  });

  it('are refused with 429 to a key that leaves half of that unread, and served to others', async () => {
    const greedy = await service().keyWith('pets:read');
    for (let i = 0; i < ROOM / 2; i++) expect(await leaveUnread(greedy)).toBe('200');
    const refused = await ask(service(), { ...LIST, key: greedy });
    expectError(refused, 429, 'rate_limited');
    expect(refused.headers.get('retry-after')).toEqual(['1']);
    expect((await ask(service(), { ...LIST, key: await service().keyWith('pets:read') })).status).toBe(200);
  });

  it('are refused with 429 to a key with too many waiting, before their pages are read', async () => {
    const greedy = await service().keyWith('pets:read');
    const init = { headers: { authorization: `Bearer ${greedy}` } };
    const status = async () => {
      const response = await service().fetch(LIST.target, init);
      await response.arrayBuffer();
      return response.status;
    };
    expect(await status()).toBe(200);
    const statuses = await Promise.all(Array.from({ length: 40 }, status));
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
  });

  // Past the statement the way is the same on both engines.
  if (engine === 'postgres') return;

  it('are counted without a status when their client has left before the end', async () => {
    const leave = async () => {
      await leaveUnread(service().key);
      clients.pop()?.destroy();
    };
    const name = 'http_server_request_duration_seconds_count';
    const grown = await growthBy(service(), leave, name, 'http_route', 'http_response_status_code');
    expect(grown).toEqual({ '/v1/pets ': 1 });
  });

  it('are all written in order and whole when they are pipelined on one connection', async () => {
    const client = connect(service().port, '127.0.0.1');
    clients.push(client);
    const last = { ...LIST, headers: { Connection: 'close' } };
    const requests = [...Array.from({ length: ROOM + 1 }, () => LIST), last];
    client.write(Buffer.concat(requests.map((request) => wireBytes(request, service().key))));
    const chunks: Buffer[] = [];
    client.on('data', (bytes: Buffer) => chunks.push(bytes));
    await once(client, 'end');
    const received = Buffer.concat(chunks).toString('latin1');
    const statuses = received.match(/HTTP\/1\.1 \d{3}/g) ?? [];
    expect(statuses).toEqual(requests.map(() => 'HTTP/1.1 200'));
    expect(received.split(NAME)).toHaveLength(requests.length * PETS + 1);
  });

  it('reach a client that reads slowly while others read nothing', async () => {
    const slow = connect(service().port, '127.0.0.1');
    clients.push(slow);
    slow.on('readable', () => undefined).write(wireBytes(LIST, service().key));
    const chunks: Buffer[] = [];
    const reading = setInterval(() => chunks.push(...[(slow.read() as Buffer | null) ?? []].flat()), 20);
    await until(() => chunks.length > 0);
    for (let i = 0; i < 2 * ROOM; i++) await leaveUnread(await service().keyWith('pets:read'));
    const head = Buffer.concat(chunks).toString('latin1').split('\r\n\r\n', 1)[0]!;
    const length = head.length + 4 + Number(/^Content-Length: (\d+)$/m.exec(head)![1]);
    await until(() => chunks.reduce((sum, chunk) => sum + chunk.length, 0) >= length);
    clearInterval(reading);
    expect(Buffer.concat(chunks).toString('latin1').split(NAME)).toHaveLength(PETS + 1);
  });
});
