import { once } from 'node:events';
import { request } from 'node:http';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { WsAdapter } from '@nestjs/platform-ws';
import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client';
import { ApiKeysService } from '../../src/auth/api-keys.service';
import type { AppOptions } from '../../src/create-app';
import * as features from '../../src/features';
import { startTestService, type TestService } from '../support/service/service';
import {
  ChatModule,
  OpenGatewayModule,
  OpenQueriesModule,
  OwnBodiesModule,
  QueriesModule,
} from './gateways.module';

describe('A gateway of socket.io', () => {
  let service: TestService;
  const sockets: Socket[] = [];
  beforeAll(async () => {
    service = await startTestService('sqlite', {}, { features: { ...features, ChatModule } });
  });
  afterEach(() => sockets.splice(0).forEach((socket) => socket.disconnect()));
  afterAll(() => service.stop());

  const connect = (options: Partial<ManagerOptions & SocketOptions> = {}) => {
    const socket = io(service.url, { forceNew: true, reconnection: false, ...options });
    sockets.push(socket);
    return socket;
  };
  const withKey = (key: string) => ({ extraHeaders: { authorization: `Bearer ${key}` } });
  const next = (socket: Socket, event: string) =>
    new Promise<unknown>((resolve) => void socket.once(event, resolve));
  const ask = (socket: Socket, message: string, data?: unknown, reply = message) => {
    const replied = next(socket, reply);
    socket.emit(message, data);
    return replied;
  };

  describe.each(['polling', 'websocket'])('over %s', (transport) => {
    const over = (options: Partial<ManagerOptions & SocketOptions> = {}) =>
      connect({ transports: [transport], ...options });

    it('serves public messages without a key, while others are served', async () => {
      expect(await ask(over(), 'hello', 'Ada')).toEqual({ name: 'Ada', caller: null });
      expect((await service.fetch('/v1/pets')).status).toBe(200);
    });

    it('gives a message the caller of its handshake, whose rows it sees', async () => {
      const { keyId, lineageId } = service.principal;
      expect(await ask(over(withKey(service.key)), 'whoami')).toEqual({ keyId, rowsOf: lineageId });
    });

    it('takes the key from the credentials of the handshake, as browsers send it', async () => {
      const { keyId } = service.principal;
      expect(await ask(over({ auth: { token: service.key } }), 'whoami')).toMatchObject({ keyId });
    });

    it.each([
      ['without a key', {}, 'unauthorized'],
      ['with a wrong key', withKey(`petk_${'a'.repeat(49)}`), 'invalid_api_key'],
    ])('refuses a message %s', async (_title, options, code) => {
      expect(await ask(over(options), 'whoami', undefined, 'exception')).toMatchObject({ code, status: 401 });
    });

    it('refuses a message whose scopes the key has not', async () => {
      const reader = over(withKey(await service.keyWith('chat:read')));
      expect(await ask(reader, 'write', { count: 1 }, 'exception')).toMatchObject({
        code: 'insufficient_scope',
        status: 403,
      });
    });

    it('refuses the messages of a connection once its key is revoked', async () => {
      const keys = service.app.get(ApiKeysService);
      const { token, key } = await keys.create({ name: 'gone', scopes: ['chat:read'] });
      const socket = over(withKey(token));
      expect(await ask(socket, 'whoami')).toMatchObject({ keyId: key.id });
      await keys.revoke(key.id);
      expect(await ask(socket, 'whoami', undefined, 'exception')).toMatchObject({ status: 401 });
    });
  });

  it('validates messages by their DTO', async () => {
    const socket = connect(withKey(service.key));
    expect(await ask(socket, 'write', { count: 1 })).toEqual({ count: 2 });
    expect(await ask(socket, 'write', { count: 'x' }, 'exception')).toMatchObject({
      code: 'invalid_field',
      status: 400,
    });
  });

  it.each([
    ['refused', { code: 'bad_request', message: 'The channel is full.', status: 400 }],
    ['invalid', { code: 'bad_request', message: 'The channel has no name.', status: 400 }],
    ['horn', { horn: 'broken' }],
  ])('tells the error of the message %s', async (message, data) => {
    expect(await ask(connect(withKey(service.key)), message, undefined, 'exception')).toEqual(data);
  });

  it('hides the details of a fault', async () => {
    const told = await ask(connect(withKey(service.key)), 'fault', undefined, 'exception');
    expect(told).toMatchObject({ code: 'internal_error', status: 500 });
    expect(JSON.stringify(told)).not.toContain('secret');
  });

  it('leaves requests with other Upgrade fields to the service', async () => {
    const { status } = await upgrade(service, '/v1/pets', { Upgrade: 'h2c', Connection: 'Upgrade' });
    expect(status).toBe(200);
  });

  it('is closed when the service stops', async () => {
    const other = await startTestService('sqlite', {}, { features: { ...features, ChatModule } });
    const socket = io(other.url, { transports: ['websocket'], forceNew: true, reconnection: false });
    await next(socket, 'connect');
    const closed = next(socket, 'disconnect');
    await other.stop();
    expect(await closed).toBe('transport close');
  });
});

async function upgrade(service: TestService, path: string, headers: Record<string, string>) {
  const sent = request(`${service.url}${path}`, {
    headers: { authorization: `Bearer ${service.key}`, ...headers },
  }).end();
  const [response] = (await once(sent, 'response')) as [{ statusCode: number; resume: () => void }];
  response.resume();
  return { status: response.statusCode };
}

/** As a line in `src/create-app.ts`. */
const WITH_WS: AppOptions = {
  create: async (root, adapter, options) => {
    const app = await NestFactory.create<NestExpressApplication>(root, adapter, options);
    return app.useWebSocketAdapter(new WsAdapter(app));
  },
};

describe('A gateway of ws', () => {
  let service: TestService;
  const sockets: WebSocket[] = [];
  beforeAll(async () => {
    service = await startTestService('sqlite', {}, { ...WITH_WS, features: { ...features, ChatModule } });
  });
  afterEach(() => sockets.splice(0).forEach((socket) => socket.close()));
  afterAll(() => service.stop());

  const ask = async (event: string, data?: unknown, key?: string) => {
    const options = { headers: key === undefined ? {} : { authorization: `Bearer ${key}` } };
    // The global of Node takes header fields; its type knows the browsers' alone.
    const socket = new WebSocket(service.url.replace('http', 'ws'), options);
    sockets.push(socket);
    await once(socket, 'open');
    const replied = once(socket, 'message');
    socket.send(JSON.stringify({ event, data }));
    const [{ data: reply }] = (await replied) as [{ readonly data: string }];
    return JSON.parse(reply) as unknown;
  };

  it('serves public messages without a key', async () => {
    expect(await ask('hello', 'Ada')).toEqual({ event: 'hello', data: { name: 'Ada', caller: null } });
  });

  it('gives a message the caller of its handshake, whose rows it sees', async () => {
    const { keyId, lineageId } = service.principal;
    expect(await ask('whoami', undefined, service.key)).toEqual({
      event: 'whoami',
      data: { keyId, rowsOf: lineageId },
    });
  });

  it.each([
    ['without a key', undefined, 'unauthorized'],
    ['with a wrong key', `petk_${'a'.repeat(49)}`, 'invalid_api_key'],
  ])('refuses a message %s', async (_title, key, code) => {
    expect(await ask('whoami', undefined, key)).toMatchObject({ event: 'exception', data: { code } });
  });
});

describe('A resolver of GraphQL', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(
      'sqlite',
      {},
      { features: { ...features, QueriesModule, OwnBodiesModule } },
    );
  });
  afterAll(() => service.stop());

  const ask = async (query: string, key?: string) => {
    const response = await fetch(`${service.url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({ query }),
    });
    return (await response.json()) as {
      data: object | null;
      errors?: { message: string; extensions: object }[];
    };
  };

  it('serves public queries without a key, while others are served', async () => {
    expect(await ask('{ hello }')).toEqual({ data: { hello: 'hello' } });
    expect((await service.fetch('/v1/pets')).status).toBe(200);
    expect((await service.post('/v1/pets', { name: 'Rex', categoryId: 1 })).status).toBe(201);
  });

  it('knows the caller of its request, whose rows it sees', async () => {
    const { keyId, lineageId } = service.principal;
    expect(await ask('{ whoami }', service.key)).toEqual({ data: { whoami: `${keyId} ${lineageId}` } });
    expect(await ask('mutation { say(text: "hay") }', service.key)).toEqual({ data: { say: 'hay' } });
  });

  it('refuses queries without a key, and without the scopes', async () => {
    expect((await ask('{ whoami }')).errors?.[0]?.extensions).toEqual({ code: 'unauthorized', status: 401 });
    const reader = await service.keyWith('chat:read');
    expect((await ask('mutation { say(text: "hay") }', reader)).errors?.[0]?.extensions).toEqual({
      code: 'insufficient_scope',
      status: 403,
    });
  });

  it.each([
    ['/relayed/7', '{ "a": 1 }'],
    ['/proxied/7', '{ "a": 1 }'],
    ['/hooks', '{"hasBytes":true,"text":"{ \\"a\\": 1 }"}'],
  ])('leaves the bodies of %s to the middleware beside it', async (path, expected) => {
    const response = await fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{ "a": 1 }',
    });
    expect([response.status, await response.text()]).toEqual([200, expected]);
  });

  it('hides the details of a fault, and tells the errors of GraphQL as they are', async () => {
    const fault = (await ask('{ fault }', service.key)).errors?.[0];
    expect(fault).toMatchObject({
      message: expect.not.stringContaining('secret'),
      extensions: { code: 'internal_error', status: 500 },
    });
    expect(service.log()).toContain('secret');
    expect((await ask('{ own }', service.key)).errors?.[0]).toMatchObject({
      message: 'The channel is full.',
      extensions: { code: 'CHANNEL_FULL' },
    });
  });
});

describe('The start', () => {
  it.each([
    ['OpenGateway.open', OpenGatewayModule],
    ['OpenResolver.open', OpenQueriesModule],
  ])('refuses %s, which does not say who may use it', async (name, OpenModule) => {
    await expect(startTestService('sqlite', {}, { features: { ...features, OpenModule } })).rejects.toThrow(
      `${name} must have either @Public() or @RequireScopes(...)`,
    );
  });
});
