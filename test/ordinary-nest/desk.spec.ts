import { describeOneEngine } from '../support/databases/databases';
import { exchange } from '../support/http/raw-http';
import { startTestService, type TestService } from '../support/service/service';
import { withFeatures } from '../support/service/with-features';
import { DeskModule } from './desk.module';

describeOneEngine('A module of Nest with middleware, guards, interceptors and filters', (engine) => {
  let service: TestService;

  beforeAll(async () => {
    service = await withFeatures({ DeskModule }, () => startTestService(engine));
  });
  afterAll(() => service.stop());

  const ask = async (path: string, init?: RequestInit) => {
    const response = await service.fetch(`/v1${path}`, init);
    const body: unknown = await response.json();
    return { status: response.status, body, ran: response.headers.get('x-ran') };
  };
  const post = async (path: string, sent: unknown) => {
    const response = await service.post(`/v1${path}`, sent);
    const body: unknown = await response.json();
    return { status: response.status, body };
  };

  it('runs middleware ahead of guards and interceptors, and shows it the query', async () => {
    expect(await ask('/desk?a=1')).toEqual({
      status: 200,
      body: { path: '/v1/desk?a=1' },
      ran: 'class ding {"query":{"a":"1"},"params":{}}, functional, guard, interceptor',
    });
  });

  it('runs middleware by path and method, and leaves out what is excluded', async () => {
    expect((await ask('/desk/quiet')).ran).toBe('guard, interceptor');
    const { status, body, ran } = await ask('/desk/rooms/7?floor=2');
    expect([status, body]).toEqual([200, { room: 7, floor: '2' }]);
    expect(ran).toBe(
      'class ding {"query":{"floor":"2"},"params":{"room":"7"}}, functional, functional, guard, interceptor',
    );
  });

  it('lets middleware respond by itself', async () => {
    expect(await ask('/desk/answered')).toMatchObject({ status: 200, body: { by: 'middleware' } });
  });

  it('hides the details of an error in middleware', async () => {
    const { status, body } = await ask('/desk/fails');
    expect([status, JSON.stringify(body)]).toEqual([500, expect.not.stringContaining('secret')]);
  });

  it('stays closed to requests without a key, whatever middleware and guards say', async () => {
    expect((await fetch(`${service.url}/v1/desk`)).status).toBe(401);
    expect((await fetch(`${service.url}/v1/nowhere`)).status).toBe(404);
  });

  it('runs its global guard and interceptor for every feature without a change there', async () => {
    const created = await service.post('/v1/pets', { name: 'Rex', categoryId: 1 });
    expect([created.status, created.headers.get('x-ran')]).toEqual([201, 'functional, guard, interceptor']);
    const list = await service.fetch('/v1/pets?limit=5');
    expect([list.status, list.headers.get('x-ran')]).toEqual([200, 'functional, guard, interceptor']);
    expect((await service.fetch('/v1/pets')).status).toBe(200);
    const refused = await ask('/pets', { headers: { 'x-desk': 'closed' } });
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden', status: 403 } });
  });

  it('uses a global filter for its own errors', async () => {
    expect(await ask('/desk/broken')).toMatchObject({ status: 418, body: { broken: 'bell' } });
  });

  it('creates request-scoped providers', async () => {
    const paths = await Promise.all([1, 2, 3].map((n) => ask(`/desk?n=${n}`)));
    expect(paths.map(({ body }) => body)).toEqual([1, 2, 3].map((n) => ({ path: `/v1/desk?n=${n}` })));
  });

  it('gives a handler the address, a header field and no session', async () => {
    expect(await ask('/desk/told', { headers: { 'x-a': 'b' } })).toMatchObject({
      status: 200,
      body: { ip: '127.0.0.1', a: 'b', session: null },
    });
  });

  it('serves a controller with a host at that host only', async () => {
    const at = async (host: string) => {
      const [answer] = await exchange(service.port, `GET /v1/hosted HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      return [answer?.status, JSON.parse(answer?.body ?? '') as unknown];
    };
    expect(await at('front.desk.example')).toEqual([200, { name: 'front' }]);
    expect(await at('elsewhere.example')).toEqual([404, expect.objectContaining({ code: 'not_found' })]);
  });

  it('validates with its own ValidationPipe too, which refuses nothing valid', async () => {
    const ticket = { name: ' Ana ', count: 2 };
    expect(await post('/desk/tickets', ticket)).toEqual({ status: 201, body: { name: 'Ana', count: 2 } });
    expect(await post('/desk/house-tickets', { name: 'Ana', count: 2 })).toEqual({
      status: 201,
      body: { name: 'Ana', count: 2 },
    });
  });

  it.each([
    [{ count: 1 }, 'name is required.'],
    [{ name: 5, count: 1 }, 'name must be a string.'],
    [{ name: 'Ana', note: 5, count: 1 }, 'note must be a string.'],
  ])('refuses %j, which @Transform() cannot take, and names the member', async (body, message) => {
    expect(await post('/desk/tickets', body)).toEqual({
      status: 400,
      body: { code: 'invalid_field', message, status: 400 },
    });
  });
});
