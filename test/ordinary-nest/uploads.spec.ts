import { describeOneEngine } from '../support/databases/databases';
import { exchange } from '../support/http/raw-http';
import { startTestService, type TestService } from '../support/service/service';
import { withFeatures } from '../support/service/with-features';
import { UploadsModule } from './uploads.module';

const MULTIPART = { 'content-type': 'multipart/form-data; boundary=x' };

function file(size: number): File {
  return new File(['x'.repeat(size)], 'a.txt', { type: 'text/plain' });
}

function form(...entries: readonly (readonly [string, File | string])[]): FormData {
  const data = new FormData();
  for (const [name, value] of entries) data.append(name, value);
  return data;
}

describeOneEngine('File upload as Nest documents it', (engine) => {
  let service: TestService;

  beforeAll(async () => {
    service = await withFeatures({ UploadsModule }, () => startTestService(engine));
  });
  afterAll(() => service.stop());

  const upload = async (path: string, body: FormData | string | null, headers?: Record<string, string>) => {
    const response = await service.fetch(`/v1/uploads${path}`, {
      method: 'POST',
      body,
      ...(headers && { headers }),
    });
    const json: unknown = await response.json();
    return { status: response.status, body: json, accept: response.headers.get('accept') };
  };

  it.each([
    ['', form(['file', file(3)], ['title', 'T']), { name: 'a.txt', text: 'xxx', title: 'T' }],
    ['/checked', form(['file', file(9)]), { size: 9 }],
    ['/small', form(['file', file(9)]), { size: 9 }],
    ['/large', form(['file', file(2 * 1024 * 1024)]), { size: 2 * 1024 * 1024 }],
    ['/several', form(['files', file(1)], ['files', file(1)]), { count: 2 }],
    ['/fields', form(['background', file(1)], ['avatar', file(1)]), { names: ['background', 'avatar'] }],
    ['/none', form(['title', 'T']), { title: 'T' }],
    ['/bare', form(['file', file(1)]), { name: 'a.txt' }],
  ])('accepts a valid upload at POST /uploads%s', async (path, body, response) => {
    expect(await upload(path, body)).toMatchObject({ status: 201, body: response });
  });

  it.each([
    ['/small', 'a file that is larger than its interceptor takes', form(['file', file(11)]), 413],
    [
      '',
      'a file of more than a mebibyte where none says more',
      form(['file', file(1_100_000)], ['title', 'T']),
      413,
    ],
    ['/checked', 'a file that its pipe refuses', form(['file', file(11)]), 400],
    ['/checked', 'a form without the file', form(['title', 'T']), 400],
    [
      '/several',
      'more files than it takes',
      form(['files', file(1)], ['files', file(1)], ['files', file(1)]),
      400,
    ],
    ['', 'a file under another name', form(['other', file(1)]), 400],
    ['', 'a form without a required member', form(['file', file(1)]), 400],
    ['/none', 'a file where there is to be none', form(['file', file(1)], ['title', 'T']), 400],
    [
      '',
      'an array as long as the name of a field says',
      form(['file', file(1)], ['title[99999999]', 'T']),
      400,
    ],
    [
      '/large',
      'the same where it has limits of its own',
      form(['file', file(1)], ['title[99999999]', 'T']),
      400,
    ],
    [
      '/fields',
      'eleven files',
      form(...Array.from({ length: 11 }, () => ['background', file(1)] as const)),
      400,
    ],
    [
      '/none',
      'more than a hundred fields',
      form(...Array.from({ length: 101 }, () => ['title', 'T'] as const)),
      400,
    ],
    ['/none', 'a field of more than 102,400 bytes', form(['title', 'T'.repeat(102_401)]), 400],
    ['/none', 'the same where there is no file', form(['title[99999999]', 'T']), 400],
  ])('refuses at %s %s', async (path, _what, body, status) => {
    const { body: response } = await upload(path, body);
    expect(response).toEqual({ code: expect.any(String), message: expect.any(String), status });
  });

  it.each([
    ['a body that breaks off', '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc'],
    ['a body without a part', 'garbage'],
  ])('refuses %s', async (_what, body) => {
    expect(await upload('', body, MULTIPART)).toMatchObject({ status: 400, body: { code: 'bad_request' } });
  });

  it.each([
    ['JSON', '{"title":"T"}', { 'content-type': 'application/json' }],
    ['another kind of multipart', '--x--', { 'content-type': 'multipart/mixed; boundary=x' }],
    ['a text', 'title', { 'content-type': 'text/plain' }],
    ['no body at all', null, undefined],
  ])('refuses %s, and names the accepted type', async (_what, body, headers) => {
    for (const path of ['', '/several', '/none']) {
      expect(await upload(path, body, headers)).toEqual({
        status: 415,
        accept: 'multipart/form-data',
        body: {
          code: 'unsupported_media_type',
          message: 'The body must be multipart/form-data.',
          status: 415,
        },
      });
    }
  });

  it('never reads the body of a request without a valid key', async () => {
    const head = `POST /v1/uploads HTTP/1.1\r\nHost: a\r\nContent-Type: ${MULTIPART['content-type']}\r\nContent-Length: 1000000\r\n`;
    const [response] = await exchange(service.port, `${head}\r\n`);
    expect(response?.status).toBe(401);
  });

  it.each(['/checked', '/bare'])('sends 100 Continue at %s', async (path) => {
    const body =
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nabc\r\n--x--\r\n';
    const head = [
      `POST /v1/uploads${path} HTTP/1.1`,
      'Host: a',
      `Authorization: Bearer ${service.key}`,
      `Content-Type: ${MULTIPART['content-type']}`,
      `Content-Length: ${body.length}`,
      'Expect: 100-continue',
    ];
    const responses = await exchange(service.port, `${head.join('\r\n')}\r\n\r\n`, {
      after: async (connection) => {
        expect((await connection.nextResponse(false))?.status).toBe(100);
        connection.send(body);
      },
    });
    expect(responses.map(({ status }) => status)).toEqual([201]);
  });

  it('is documented with its media type', async () => {
    const document = (await (await fetch(`${service.url}/docs/openapi.json`)).json()) as {
      paths: Record<string, { post: { requestBody: { content: object } } }>;
    };
    expect(document.paths['/uploads']?.post.requestBody.content).toEqual({
      'multipart/form-data': { schema: { $ref: '#/components/schemas/CoverDto' } },
    });
  });
});
