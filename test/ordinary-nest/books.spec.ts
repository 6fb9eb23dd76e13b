import { once } from 'node:events';
import { describeOneEngine } from '../support/databases/databases';
import { startTestService, type TestService } from '../support/service/service';
import { withFeatures } from '../support/service/with-features';
import { BooksModule, readers } from './books.module';

const BOOK = { title: 'Nest', year: 2026, price: 9.5, chapters: [{ title: 'One', pages: 3 }] };

describeOneEngine('A module written as Nest documents it', (engine) => {
  let service: TestService;

  beforeAll(async () => {
    service = await withFeatures({ BooksModule }, () => startTestService(engine));
  });
  afterAll(() => service.stop());

  const get = async (path: string, init?: RequestInit) => {
    const response = await service.fetch(`/v1${path}`, init);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    const body: unknown = isJson ? JSON.parse(text) : text;
    return {
      status: response.status,
      headers: response.headers,
      body,
    };
  };
  const post = async (path: string, body: unknown) => {
    const response = await service.post(`/v1${path}`, body);
    const json: unknown = await response.json();
    return { status: response.status, body: json };
  };

  it('reads a body with numbers and nested arrays, and drops members that its DTO does not declare', async () => {
    const sent = { ...BOOK, contact: 'a@example.com', note: 'kept', isbn: 'left out' };
    const { isbn, ...kept } = sent;
    expect(isbn).toBe('left out');
    expect(await post('/books', sent)).toEqual({ status: 201, body: kept });
  });

  it.each([
    [{ year: '2026' }, 'year must not be less than 0.'],
    [{ year: 1.5 }, 'year must be an integer number.'],
    [{ year: undefined }, 'year is required.'],
    [{ title: 'nest' }, 'title must begin with a capital.'],
    [{ contact: 'not an address' }, 'contact must be an email.'],
    [
      {
        chapters: [
          { title: 'One', pages: 3 },
          { title: 'Two', pages: 11 },
        ],
      },
      'chapters[1].pages must not be greater than 10.',
    ],
    [{ chapters: [{ pages: 1 }] }, 'chapters[0].title is required.'],
    [{ chapters: [1] }, expect.stringContaining('chapters')],
    [{ chapters: {} }, expect.stringContaining('chapters')],
  ])('refuses %j and names the member by its path', async (change, message) => {
    expect(await post('/books', { ...BOOK, ...change })).toEqual({
      status: 400,
      body: { code: 'invalid_field', message, status: 400 },
    });
  });

  it('awaits asynchronous validation rules', async () => {
    expect(await post('/books/shelves', { shelf: 'A1' })).toEqual({ status: 201, body: { shelf: 'A1' } });
    expect(await post('/books/shelves', { shelf: 'taken' })).toMatchObject({
      status: 400,
      body: { message: 'shelf is taken.' },
    });
  });

  it('gets members of a body by name, and a body without a DTO unchanged', async () => {
    expect(await post('/books/named', { title: 'A', year: 1 })).toEqual({
      status: 201,
      body: { title: 'A', year: 2 },
    });
    expect(await post('/books/any', { a: 1, b: 'x', c: { d: [2] } })).toEqual({
      status: 200,
      body: { body: { a: 1, b: 'x', c: { d: [2] } }, types: ['number', 'string', 'object'] },
    });
  });

  it('lets its guards see the body', async () => {
    expect(await post('/books', { ...BOOK, title: 'Odd' })).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    });
  });

  it.each([
    ['/books', 200, { author: null }],
    ['/books?author=Ana', 200, { author: 'Ana' }],
    ['/books?writer=Ana', 400, expect.objectContaining({ code: 'unknown_parameter' })],
    ['/books/page?page=2', 200, { page: 2, size: null }],
    ['/books/page?page=2&size=x', 200, { page: 2, size: 'x' }],
    ['/books/page?page=two', 400, expect.objectContaining({ code: 'bad_request', status: 400 })],
    ['/books/page?pages=2', 400, expect.objectContaining({ code: 'unknown_parameter' })],
    ['/books/anything?a=1&b=2&b=3', 200, { a: '1', b: ['2', '3'] }],
    ['/books/7', 200, { id: 7 }],
    ['/books/seven', 400, expect.objectContaining({ code: 'bad_request' })],
  ])('reads or refuses the parameters of %s', async (path, status, body) => {
    expect(await get(path)).toMatchObject({ status, body });
  });

  it('uses interceptors, parameter decorators and the request', async () => {
    expect(await get('/books/wrapped?x=1', { headers: { 'accept-language': 'de' } })).toMatchObject({
      status: 200,
      body: {
        data: { language: 'de', method: 'GET', originalUrl: '/v1/books/wrapped?x=1', query: { x: '1' } },
      },
    });
  });

  it('sends files, events, redirects, cookies and what it writes by hand', async () => {
    const file = await get('/books/file');
    expect([file.body, file.headers.get('content-type'), file.headers.get('content-disposition')]).toEqual([
      'Once upon a time',
      'text/plain',
      'attachment; filename="book.txt"',
    ]);
    const events = await get('/books/events');
    expect(events.headers.get('content-type')).toContain('text/event-stream');
    expect(events.body).toContain('data: {"page":2}');
    const moved = await get('/books/moved', { redirect: 'manual' });
    expect([moved.status, moved.headers.get('location')]).toEqual([301, '/v1/books']);
    const passed = await get('/books/passthrough');
    expect([passed.status, passed.body, passed.headers.get('set-cookie')]).toEqual([
      203,
      { passed: true },
      'seen=yes; Path=/',
    ]);
    expect(await get('/books/own')).toMatchObject({ status: 202, body: 'by hand' });
    expect(await get('/books/7', { method: 'DELETE' })).toMatchObject({ status: 204, body: '' });
    expect(await get('/welcome')).toMatchObject({ status: 200, body: 'Welcome!' });
  });

  it('notices that the client of a request without a body has left', async () => {
    expect(await get('/books/read')).toMatchObject({ status: 200, body: { body: '' } });
    const client = new AbortController();
    const left = once(readers, 'left');
    await service.fetch('/v1/books/endless', { signal: client.signal });
    client.abort();
    await left;
  });

  it('uses exception filters of its own', async () => {
    expect(await get('/books/teapot')).toMatchObject({ status: 418, body: { teapot: true } });
  });

  it.each([
    ['missing', 404, 'not_found', 'No book has this title.'],
    ['plain', 400, 'bad_request', 'The request was refused: bad request.'],
    ['away', 503, 'service_unavailable', 'The library is closed.'],
    ['later', 501, 'not_implemented', 'The request was refused: not implemented.'],
    ['odd', 409, 'conflict', 'The request was refused: conflict.'],
  ])("keeps the status and the sentence of Nest's exceptions: %s", async (kind, status, code, message) => {
    expect(await get(`/books/faults/${kind}`)).toMatchObject({ status, body: { code, message, status } });
  });

  it('hides the details of an unexpected error', async () => {
    const { status, body } = await get('/books/faults/unknown');
    expect([status, JSON.stringify(body)]).toEqual([500, expect.not.stringContaining('secret')]);
  });

  it('requires a key, except on public routes', async () => {
    expect((await fetch(`${service.url}/v1/books`)).status).toBe(401);
    expect((await fetch(`${service.url}/v1/welcome`)).status).toBe(200);
  });

  it('never sends the cached response of one caller to another', async () => {
    const keys = [await service.keyWith('books:read'), await service.keyWith('books:read')];
    const seen: unknown[] = [];
    for (let round = 0; round < 4; round++) {
      for (const key of keys) {
        seen.push((await get('/books/mine', { headers: { authorization: `Bearer ${key}` } })).body);
      }
    }
    const [first, second] = seen;
    expect(first).not.toEqual(second);
    expect(seen).toEqual([first, second, first, second, first, second, first, second]);
  });

  it('pages through a nested collection by its Link', async () => {
    const seen: unknown[] = [];
    let path: string | undefined = '/v1/books/a%20b/pages?limit=2';
    while (path !== undefined) {
      const response = await service.fetch(path);
      seen.push(...((await response.json()) as unknown[]));
      const next = /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
      path = next?.slice(service.url.length);
    }
    expect(seen).toEqual([1, 2, 3].map((id) => ({ id, book: 'a b' })));
  });

  it('refuses a change of a stale representation, with @IfMatch() on a POST too', async () => {
    const { headers } = await get('/books/stock/nest');
    const sell = (tag: string) => service.post('/v1/books/stock/nest/sell', {}, { 'if-match': tag });
    expect((await sell('"another"')).status).toBe(412);
    expect((await sell(headers.get('etag') ?? '')).status).toBe(201);
  });

  it.each([
    ['/books?author=%00', 400, 'author must not contain U+0000.'],
    ['/books/page?page=2&size=%00', 400, 'size must not contain U+0000.'],
    ['/books/faults/%00', 404, expect.any(String)],
  ])('never passes U+0000 to the database: %s', async (path, status, message) => {
    expect(await get(path)).toMatchObject({ status, body: { message } });
  });

  it('refuses a text with U+0000 in a body, and names its path', async () => {
    const chapters = [{ title: 'a\0b', pages: 3 }];
    expect(await post('/books', { ...BOOK, chapters })).toMatchObject({
      status: 400,
      body: { code: 'invalid_field', message: 'chapters[0].title must not contain U+0000.' },
    });
  });

  it('is documented with every operation', async () => {
    const document = (await (await fetch(`${service.url}/docs/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    expect(document.paths['/books']?.['post']?.operationId).toBe('BooksController_create');
    expect(document.paths['/books/{id}']?.['get']?.operationId).toBe('BooksController_findOne');
    expect(Object.keys(document.paths).filter((path) => path.startsWith('/books'))).toHaveLength(21);
  });
});
