import { once } from 'node:events';
import { Controller, Module, QueryMethod } from '@nestjs/common';
import { SerializedGraph } from '@nestjs/core';
import { OkResponse } from '../../src/platform/http/operations/response.decorators';
import { ReadOnlyMode } from '../../src/platform/read-only/read-only-mode';
import { Public } from '../../src/platform/security/access.decorators';
import { StringField } from '../../src/platform/validation/fields';
import { describeOneEngine } from '../support/databases/databases';
import { startTestService, type TestService } from '../support/service/service';
import { withFeatures } from '../support/service/with-features';
import { NewerNestModule, signals, Tides, TidesController } from './newer-nest.module';

describeOneEngine('A module with new features of Nest 12', (engine) => {
  let service: TestService;
  const instrumented = new Set<unknown>();

  beforeAll(async () => {
    const nestOptions = {
      snapshot: true,
      cookies: { secret: 'a secret of many letters' },
      routeResolutionStrategy: 'specificity',
      routeConflictPolicy: { duplicate: 'error' },
      instrument: {
        instanceDecorator: (instance: unknown) => {
          instrumented.add((instance as object | undefined)?.constructor);
          return instance instanceof Tides ? Object.assign(instance, { now: () => 'low' }) : instance;
        },
      },
    } as const;
    service = await withFeatures({ NewerNestModule }, () => startTestService(engine, {}, { nestOptions }));
  });
  afterAll(() => service.stop());

  const get = async (path: string, init?: RequestInit) => {
    const response = await service.fetch(`/v1/tides/${path}`, init);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  it('decorates each instance with `instrument`', async () => {
    expect(await get('now')).toMatchObject({ status: 200, text: '{"tide":"low"}' });
    expect(instrumented).toContain(TidesController);
  });

  it('writes its graph with `snapshot`', () => {
    const graph = service.app.get(SerializedGraph).toString();
    expect(graph).toContain('TidesController');
    expect(graph).not.toContain(service.database.url);
  });

  it('prefers the more specific path with `routeResolutionStrategy`', async () => {
    expect((await get('late')).text).toBe('{"isDay":false}');
    expect((await get('monday')).text).toBe('{"isDay":true}');
  });

  it('computes header fields for each response', async () => {
    expect((await get('now')).headers.get('x-tide')).toBe('high');
  });

  it('sets cookies, signs them and reads them', async () => {
    const cookies = (await get('login')).headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
    expect((await get('who', { headers: { cookie: cookies.join('; ') } })).text).toBe(
      '{"ship":"Nest","berth":"7"}',
    );
    const forged = cookies.join('; ').replace('Nest', 'Rest');
    expect((await get('who', { headers: { cookie: forged } })).text).toBe('{"ship":null,"berth":"7"}');
  });

  it.each([
    ['lines', 200, 'application/x-ndjson', '{"hour":1}\n{"hour":2}\n'],
    ['words', 200, 'text/plain; charset=utf-8', 'ebb and flow'],
    ['fetched', 203, 'text/plain;charset=UTF-8', 'from afar'],
  ])('streams what a handler returns: %s', async (path, status, type, text) => {
    const response = await get(path);
    expect([response.status, response.headers.get('content-type'), response.text]).toEqual([
      status,
      type,
      text,
    ]);
  });

  it('ends a stream that fails without showing its error', async () => {
    const response = await service.fetch('/v1/tides/broken');
    const reader = response.body?.getReader();
    const read = async () => {
      let text = '';
      for (;;) {
        const { done, value } = (await reader?.read()) ?? { done: true };
        if (done) return text;
        text += new TextDecoder().decode(value as Uint8Array);
        expect(text).not.toContain('secret');
      }
    };
    await expect(read()).rejects.toThrow('terminated');
  });

  it('aborts the signal of an event stream when its client leaves', async () => {
    const client = new AbortController();
    const { body } = await service.fetch('/v1/tides/events', { signal: client.signal });
    const events = body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('data:')) text += (await events?.read())?.value ?? '';
    expect(text).toContain('event: tide');
    const signal = signals.at(-1) as AbortSignal;
    expect(signal.aborted).toBe(false);
    client.abort();
    if (!signal.aborted) await once(signal, 'abort');
    await events?.cancel().catch(() => undefined);
  });

  it('serves QUERY and SEARCH, even in read-only mode, without documenting them', async () => {
    const find = { method: 'QUERY', body: '{"a":1}', headers: { 'content-type': 'application/json' } };
    const mode = service.app.get(ReadOnlyMode);
    const isOn = jest.spyOn(mode, 'isOn', 'get').mockReturnValue(true);
    expect(await get('find', find)).toMatchObject({ status: 200, text: '{"found":{"a":1}}' });
    expect(await get('search', { method: 'SEARCH' })).toMatchObject({ status: 200 });
    isOn.mockRestore();
    expect((await get('find', { method: 'POST' })).headers.get('allow')).toBe('OPTIONS, QUERY');
    const { paths } = (await (await service.fetch('/docs/openapi.json')).json()) as { paths: object };
    expect(paths).toHaveProperty(['/tides/now']);
    expect(paths).not.toHaveProperty(['/tides/find']);
    expect(paths).not.toHaveProperty(['/tides/search']);
  });
});

class FoundDto {
  @StringField({ description: 'Its name.', example: 'a' })
  name!: string;
}

@Public()
@Controller('finds')
class FindsController {
  @QueryMethod()
  @OkResponse(FoundDto, 'Found.')
  find(): FoundDto {
    return { name: 'a' };
  }
}

@Module({ controllers: [FindsController] })
class FindsModule {}

it('The start refuses to document a method that OpenAPI lacks', async () => {
  await expect(withFeatures({ FindsModule }, () => startTestService('sqlite'))).rejects.toThrow(
    'QUERY /v1/finds (FindsController.find) declares a response, and OpenAPI has no QUERY: leave the declaration out, or serve POST.',
  );
});
