import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { makeFolder } from '../../../test/support/folders.ts';

const MAIN = join(__dirname, '..', 'src', 'main.ts');
const KEY = 'petk_secret';

/** A server whose document and responses are those of a test, and the requests that it got. */
class Host {
  readonly requests: { readonly path: string; readonly key: string | undefined }[] = [];
  /** Where it leads the requests that are not for the document. */
  redirect: string | undefined;
  document: unknown;
  private readonly server: Server = createServer((request, response) => {
    if (request.url === '/docs/openapi.json') {
      response.end(JSON.stringify(this.document));
      return;
    }
    this.note(request);
    response.writeHead(this.redirect === undefined ? 200 : 307, {
      ...(this.redirect !== undefined && { Location: this.redirect }),
    });
    response.end('[]');
  });

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async start(): Promise<this> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return this;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private note({ url = '', headers }: IncomingMessage): void {
    this.requests.push({ path: url, key: headers.authorization });
  }
}

/** A document with one operation, which takes two arguments in its path. */
function documentWith(servers: readonly { readonly url: string }[], path = '/pets/{petId}/toys/{toyId}') {
  const parameters = ['petId', 'toyId']
    .filter((name) => path.includes(`{${name}}`))
    .map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
  const get = { operationId: 'getToy', security: [{ apiKey: [] }], parameters };
  return { openapi: '3.0.3', servers, paths: { [path]: { get } } };
}

describe('@petstore/mcp sends the API key', () => {
  let service: Host;
  let stranger: Host;
  const assistants: Client[] = [];

  beforeEach(async () => {
    [service, stranger] = await Promise.all([new Host().start(), new Host().start()]);
  });
  afterEach(async () => {
    for (const assistant of assistants.splice(0)) await assistant.close();
    await Promise.all([service.stop(), stranger.stop()]);
  });

  async function connect(): Promise<{ client: Client; stderr: () => string }> {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [MAIN, '--url', service.url],
      env: { PATH: process.env.PATH ?? '', PETSTORE_API_KEY: KEY },
      cwd: makeFolder(),
      stderr: 'pipe',
    });
    let written = '';
    transport.stderr?.on('data', (bytes: Buffer) => (written += bytes.toString('utf8')));
    const client = new Client({ name: 'test', version: '1.0.0' });
    assistants.push(client);
    await client.connect(transport).catch(() => undefined);
    return { client, stderr: () => written };
  }

  async function call(client: Client, values: Record<string, unknown> = {}) {
    const { content, isError } = await client.callTool({ name: 'getToy', arguments: values });
    return { isError, text: content.map((part) => (part.type === 'text' ? part.text : '')).join('\n') };
  }

  it('to no other origin that the document names, and lists the servers it has ignored', async () => {
    service.document = documentWith([{ url: stranger.url }, { url: `//${new URL(stranger.url).host}/v1` }]);
    const { client, stderr } = await connect();
    await client.callTool({ name: 'getToy', arguments: { petId: '1', toyId: '2' } }).catch(() => undefined);
    expect(stranger.requests).toEqual([]);
    expect(stderr()).toBe(
      `The document names no server at ${service.url}, and the API key is sent nowhere else: give the address of the service itself.\n`,
    );
  });

  it('to the first server at the given address', async () => {
    service.document = documentWith([{ url: stranger.url }, { url: 'http://[' }, { url: '/v1/' }]);
    const { client } = await connect();
    expect(await call(client, { petId: '1', toyId: '2' })).toEqual({ isError: false, text: '[]' });
    expect(service.requests).toEqual([{ path: '/v1/pets/1/toys/2', key: `Bearer ${KEY}` }]);
    expect(stranger.requests).toEqual([]);
  });

  it('to no other origin that a path in the document could form', async () => {
    const { host } = new URL(stranger.url);
    service.document = documentWith([{ url: '/' }], `@${host}/pets/{petId}`);
    const { client } = await connect();
    await call(client, { petId: '1' });
    expect(stranger.requests).toEqual([]);
    expect(service.requests).toEqual([{ path: `/@${host}/pets/1`, key: `Bearer ${KEY}` }]);
  });

  it('to no other origin that a response leads to', async () => {
    service.document = documentWith([{ url: '/v1' }]);
    service.redirect = `${stranger.url}/v1/pets`;
    const { client } = await connect();
    expect(await call(client, { petId: '1', toyId: '2' })).toMatchObject({ isError: true });
    expect(stranger.requests).toEqual([]);
    expect(service.requests).toHaveLength(1);
  });

  it('with each path argument as one segment', async () => {
    service.document = documentWith([{ url: '/v1' }]);
    const { client } = await connect();
    await call(client, { petId: '../../admin', toyId: '%2e%2e' });
    await call(client, { petId: 'a\\..\\b?c#d', toyId: '...' });
    expect(service.requests.map(({ path }) => path)).toEqual([
      '/v1/pets/..%2F..%2Fadmin/toys/%252e%252e',
      '/v1/pets/a%5C..%5Cb%3Fc%23d/toys/...',
    ]);
  });

  it.each([
    [{ petId: '..', toyId: '2' }, 'petId must not be empty, "." or "..".'],
    [{ petId: '1', toyId: '.' }, 'toyId must not be empty, "." or "..".'],
    [{ petId: '', toyId: '2' }, 'petId must not be empty, "." or "..".'],
    [{ petId: '1' }, 'toyId must not be empty, "." or "..".'],
    [{ petId: '\ud800', toyId: '2' }, 'petId is not well-formed text.'],
  ])('never for arguments that would lead to another path: %j', async (values, text) => {
    service.document = documentWith([{ url: '/v1' }]);
    const { client } = await connect();
    expect(await call(client, values)).toEqual({ isError: true, text });
    expect(service.requests).toEqual([]);
  });
});
