import { exchange } from '../support/http/raw-http';
import { expectContractError } from './support/expect-error';
import { ask, creation, field, wireBytes, type WireRequest } from './support/request';
import { expectRefused, itRefuses } from './support/rows';
import { useService } from './support/service';

const service = useService('sqlite');
const PET = '{"name":"Rex","categoryId":1}';
const MAX_BODY_BYTES = 102_400;

/** A good pet, padded to so many bytes. */
function petOf(bytes: number): string {
  return `{"name":"Rex","categoryId":1${' '.repeat(bytes - PET.length)}}`;
}

/** Chunked coding of a body, in chunks of 16 KiB. */
function chunked(body: string): string {
  const chunks = body.match(/.{1,16384}/gs) ?? [];
  return `${chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')}0\r\n\r\n`;
}

const CHUNKED = { 'Transfer-Encoding': 'chunked' };

/** A media type in two header fields. */
function twice(type: string): { headers: { 'Content-Type': string[] } } {
  return { headers: { 'Content-Type': [type, type] } };
}

async function count(): Promise<number> {
  return (JSON.parse((await ask(service(), { target: '/v1/pets?limit=100' })).body) as unknown[]).length;
}

describe('The service with the header field Accept', () => {
  itRefuses(
    service,
    ['/v1/pets', '/v1/pets/1'].map((target) => ({
      of: `${target} with Accept: text/html`,
      request: { target, headers: { Accept: 'text/html' } },
      status: 406,
      code: 'not_acceptable',
    })),
  );

  it('makes no pet when Accept excludes JSON', async () => {
    const before = await count();
    await expectRefused(service(), {
      request: creation(PET, { headers: { Accept: 'text/html' } }),
      status: 406,
      code: 'not_acceptable',
    });
    expect(await count()).toBe(before);
  });

  it.each(['', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'])(
    'accepts "%s"',
    async (Accept) => {
      const response = await ask(service(), { headers: { Accept } });
      expect(response.status).toBe(200);
      expect(field(response, 'content-type')).toBe('application/json; charset=utf-8');
    },
  );
});

describe('The service with the header field Content-Type', () => {
  const refuse = (of: string, headers: Record<string, string>) => ({
    of,
    request: { ...creation(PET), headers },
    status: 415,
    code: 'unsupported_media_type',
    fields: { Accept: 'application/json' },
  });
  const type = (value: string) => refuse(`the type ${value}`, { 'Content-Type': value });
  const coding = (value: string) =>
    refuse(`the coding ${value}`, { 'Content-Type': 'application/json', 'Content-Encoding': value });

  itRefuses(service, [
    refuse('a body without a type', {}),
    type(''),
    type('text/plain'),
    type('application/x-www-form-urlencoded'),
    type('multipart/form-data; boundary=x'),
    type('application/problem+json'),
    type('application/vnd.petstore+json'),
    type('application/jsonx'),
    type('text/json'),
    type('application/json; charset=iso-8859-1'),
    type('application/json; charset=utf-16'),
    type('application/json, text/plain'),
    coding('gzip'),
    coding('br'),
    coding('deflate'),
    coding('identity, gzip'),
    coding('nonsense'),
  ]);

  const repeated = {
    of: 'two media types',
    request: { ...creation(PET), headers: { 'Content-Type': ['application/json', 'text/plain'] } },
    status: 400,
    code: 'invalid_request',
  };
  itRefuses(service, [
    repeated,
    { ...repeated, of: 'the same media type twice', request: creation(PET, twice('application/json')) },
    { ...repeated, of: 'two media types without a body', request: creation('', twice('application/json')) },
    {
      ...repeated,
      of: 'two media types before a large body',
      request: creation(petOf(MAX_BODY_BYTES + 1), twice('application/json')),
    },
  ]);

  it('ignores two media types where there is no body to read', async () => {
    expect(await ask(service(), twice('application/json'))).toMatchObject({ status: 200 });
  });

  it.each([
    'application/json',
    'Application/JSON',
    'application/json;charset=utf-8',
    'application/json; charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/json;',
  ])('accepts %s', async (value) => {
    const headers = { 'Content-Type': value, 'Content-Encoding': 'identity' };
    expect(await ask(service(), creation(PET, { headers }))).toMatchObject({ status: 201 });
  });
});

describe('The service with a body', () => {
  it.each([
    ['declared', (body: string) => creation(body)],
    ['streamed', (body: string) => creation(chunked(body), { headers: CHUNKED })],
  ])('accepts 102,400 bytes when %s, and refuses one more with 413', async (_how, send) => {
    expect(await ask(service(), send(petOf(MAX_BODY_BYTES)))).toMatchObject({ status: 201 });
    const before = await count();
    const response = await expectRefused(service(), {
      request: send(petOf(MAX_BODY_BYTES + 1)),
      status: 413,
      code: 'payload_too_large',
      fields: { Connection: 'close' },
    });
    expect(response.closed).toBe(true);
    expect(await count()).toBe(before);
  });

  itRefuses(
    service,
    ['102401', '1000000000', '9007199254740993', '18446744073709551615'].map((length) => ({
      of: `a body declared as ${length} bytes before any of it is read,`,
      request: creation('{', { headers: { 'Content-Length': length } }),
      status: 413,
      code: 'payload_too_large',
      fields: { Connection: 'close' },
    })),
  );

  it('refuses a body that never ends with 413 while it is still being sent', async () => {
    const [response, ...more] = await exchange(
      service().port,
      wireBytes(creation('', { headers: CHUNKED }), service().key),
      {
        after: async (connection) => {
          const chunk = Buffer.from(`4000\r\n${' '.repeat(0x4000)}\r\n`);
          for (let sent = 0; sent < 10; sent++) await connection.sendBeforeReading(chunk);
        },
      },
    );
    expect(more).toEqual([]);
    if (!response) throw new Error('There was no response.');
    expectContractError(response, { status: 413, code: 'payload_too_large' });
  });

  it.each<[string, WireRequest]>([
    ['a list', {}],
    ['a list, chunked', { headers: CHUNKED, body: chunked('{"a":1}') }],
    ['a pet that is not there', { target: '/v1/pets/999999' }],
    ['a response to HEAD', { method: 'HEAD' }],
  ])('ignores the body of a GET: %s', async (_case, request) => {
    const plain = await ask(service(), { ...request, headers: {}, body: '' });
    const response = await ask(service(), {
      body: '{"not json',
      ...request,
      headers: { 'Content-Type': 'text/html', ...request.headers },
    });
    expect([response.status, response.body]).toEqual([plain.status, plain.body]);
  });
});

describe('The service with a body of JSON', () => {
  const deep = (levels: number) =>
    `{"name":"Rex","categoryId":1,"x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
  const refused: [string, string | Buffer][] = [
    ['an empty body', ''],
    ['a cut object', PET.slice(0, -1)],
    ['trailing bytes', `${PET}x`],
    ['malformed UTF-8', Buffer.from('{"name":"\xff","categoryId":1}', 'latin1')],
    ['a repetition within an ignored member', '{"name":"Rex","categoryId":1,"x":[{"a":1,"a":1}]}'],
    ['33 nested arrays and objects', deep(33)],
    ['50,000 nested arrays', '['.repeat(50_000)],
  ];
  itRefuses(
    service,
    refused.map(([of, body]) => ({ of, request: creation(body), status: 400, code: 'invalid_json' })),
  );

  itRefuses(service, [
    { of: 'no body at all', request: { method: 'POST' }, status: 400, code: 'invalid_json' },
    {
      of: 'no body, with a type that is not taken',
      request: { method: 'POST', headers: { 'Content-Type': 'text/plain', 'Content-Length': '0' } },
      status: 400,
      code: 'invalid_json',
    },
    {
      of: 'an empty chunked body',
      request: creation(chunked(''), { headers: CHUNKED }),
      status: 400,
      code: 'invalid_json',
    },
  ]);

  itRefuses(
    service,
    ['null', `[${PET}]`, '"Rex"', '1'].map((body) => ({
      of: `${body} at the top`,
      request: creation(body),
      status: 400,
      code: 'invalid_body',
    })),
  );

  it.each([
    ['a leading byte order mark', `\uFEFF${PET}`],
    ['32 nested arrays and objects', deep(32)],
  ])('accepts %s', async (_case, body) => {
    const response = await ask(service(), creation(body));
    expect([response.status, JSON.parse(response.body)]).toEqual([
      201,
      { id: expect.any(Number), name: 'Rex', categoryId: 1 },
    ]);
  });

  it('accepts chunks of one byte', async () => {
    const body = `${[...PET].map((byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`;
    expect(await ask(service(), creation(body, { headers: CHUNKED }))).toMatchObject({ status: 201 });
  });
});
