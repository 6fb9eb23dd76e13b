import { Body, Controller, Delete, Get, Module, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiSchema, ApiTags } from '@nestjs/swagger';
import { withFeatures } from '../../../test/support/service/with-features';
import { startTestService, type TestService } from '../../../test/support/service/service';
import { NotFoundError } from '../errors/http-errors';
import { RequireScopes } from '../security/access.decorators';
import { IntegerField, StringField } from '../validation/fields';
import { Int64Param } from '../validation/int64-param.decorator';
import { applyMergePatch, MergePatchType } from '../validation/merge-patch';
import { OkResponse, CreatedResponse, NoContentResponse } from './operations/response.decorators';
import type { Created } from './response/created';

@ApiSchema({ name: 'Toy', description: 'A toy.' })
class ToyDto {
  @StringField({ description: 'Name.', example: 'Ball' })
  name!: string;

  @IntegerField({ description: 'Size.', example: 7, optional: true })
  size?: number;
}

@ApiSchema({ name: 'ToyPatch', description: 'Changes to a toy.' })
class ToyPatchDto extends MergePatchType(ToyDto) {}

let toy: { name: string; size: number | null };

function toDto(): ToyDto {
  return { name: toy.name, size: toy.size ?? undefined };
}

@ApiTags('toys')
@Controller('toys')
class ToysController {
  @Post()
  @RequireScopes('toys:write')
  @ApiOperation({ summary: 'Add' })
  @CreatedResponse(ToyDto, 'Added.')
  addToy(@Body() added: ToyDto): Created<ToyDto> {
    toy = { size: null, ...added };
    return { item: toDto(), path: '/toys/1' };
  }

  @Get(':toyId')
  @RequireScopes('toys:read')
  @ApiOperation({ summary: 'Get' })
  @OkResponse(ToyDto, 'The toy.')
  getToy(@Int64Param('toyId', NotFoundError, 'Identifier.') _toyId: bigint): ToyDto {
    return toDto();
  }

  @Patch(':toyId')
  @RequireScopes('toys:write')
  @ApiOperation({ summary: 'Change' })
  @OkResponse(ToyDto, 'The toy as it is now.')
  changeToy(
    @Int64Param('toyId', NotFoundError, 'Identifier.') _toyId: bigint,
    @Body() changes: ToyPatchDto,
  ): ToyDto {
    toy = applyMergePatch(toy, changes as object);
    return toDto();
  }

  @Delete(':toyId')
  @RequireScopes('toys:write')
  @ApiOperation({ summary: 'Remove' })
  @NoContentResponse('Removed.')
  removeToy(@Int64Param('toyId', NotFoundError, 'Identifier.') _toyId: bigint): void {
    toy = { name: 'gone', size: null };
  }
}

@Module({ controllers: [ToysController] })
class ToysModule {}

const PATCH_TYPES = 'application/merge-patch+json, application/json';

let service: TestService;

beforeAll(async () => {
  service = await withFeatures({ ToysModule }, () => startTestService('sqlite'));
});
beforeEach(() => {
  toy = { name: 'Ball', size: 7 };
});
afterAll(() => service.stop());

/** Sends bytes, whose type fetch does not guess, with just these header fields and the key. */
function send(method: string, body: string, headers: Record<string, string>): Promise<Response> {
  const path = method === 'POST' ? '/v1/toys' : '/v1/toys/1';
  return service.fetch(path, { method, headers, body: new TextEncoder().encode(body) });
}

function patch(body: string, headers: Record<string, string> = {}): Promise<Response> {
  return send('PATCH', body, { 'content-type': 'application/merge-patch+json', ...headers });
}

describe('The body of PATCH', () => {
  it.each([
    'application/merge-patch+json',
    'application/json',
    'application/merge-patch+json; charset=utf-8',
  ])('may be of type %s', async (type) => {
    const response = await patch('{"size":8}', { 'content-type': type });
    expect([response.status, await response.json()]).toEqual([200, { name: 'Ball', size: 8 }]);
  });

  it.each([
    ['no type', {}],
    ['application/json-patch+json', { 'content-type': 'application/json-patch+json' }],
    ['application/merge-patch+jsonx', { 'content-type': 'application/merge-patch+jsonx' }],
    ['a coding', { 'content-type': 'application/merge-patch+json', 'content-encoding': 'gzip' }],
  ])('is refused with 415 that names both allowed types for %s', async (_what, headers) => {
    const response = await send('PATCH', '{"size":8}', headers);
    expect(response.status).toBe(415);
    expect(response.headers.get('accept')).toBe(PATCH_TYPES);
    expect(await response.json()).toMatchObject({ code: 'unsupported_media_type', status: 415 });
    expect(toy.size).toBe(7);
  });

  it('is the only one that may be a merge patch, which POST refuses with 415', async () => {
    const response = await send('POST', '{"name":"x"}', { 'content-type': 'application/merge-patch+json' });
    expect([response.status, response.headers.get('accept')]).toEqual([415, 'application/json']);
  });

  it.each([
    ['{', 'invalid_json'],
    ['[]', 'invalid_body'],
    ['{"name":null}', 'invalid_field'],
  ])('is refused like that of POST: %j', async (body, code) => {
    expect(await (await patch(body)).json()).toMatchObject({ code, status: 400 });
    expect(toy).toEqual({ name: 'Ball', size: 7 });
  });
});

describe('The response to PATCH', () => {
  const FIELDS = {
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.stringMatching(/./),
  };

  it('is what GET now returns, with its entity tag, and must not be stored', async () => {
    const response = await patch('{"name":"Cube","size":null}');
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject(FIELDS);
    const body = await response.text();
    expect(body).toBe('{"name":"Cube"}');
    expect(response.headers.get('content-length')).toBe(String(body.length));
    const now = await service.fetch('/v1/toys/1');
    expect(await now.text()).toBe(body);
    expect(now.headers.get('etag')).toMatch(/^"[\w-]+"$/);
    expect(response.headers.get('etag')).toBe(now.headers.get('etag'));
  });

  it.each(['the tag of the response', '*'])('is never 304, even for If-None-Match with %s', async (what) => {
    const first = await patch('{}');
    const condition = what === '*' ? '*' : (first.headers.get('etag') as string);
    const headers = { 'if-none-match': condition };
    expect((await service.fetch('/v1/toys/1', { headers })).status).toBe(304);
    const second = await patch('{}', headers);
    expect([second.status, await second.json()]).toEqual([200, { name: 'Ball', size: 7 }]);
    expect(second.headers.get('cache-control')).toBe('no-store');
  });
});

describe('The response to DELETE', () => {
  it.each([{}, { 'if-none-match': '*' }, { accept: 'application/json' }])(
    'has no body, given %p',
    async (headers) => {
      const response = await service.fetch('/v1/toys/1', {
        method: 'DELETE',
        headers: headers as Record<string, string>,
      });
      expect(response.status).toBe(204);
      expect(await response.text()).toBe('');
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(response.headers.get('x-request-id')).not.toBeNull();
      for (const name of ['content-type', 'content-length', 'etag'])
        expect(response.headers.get(name)).toBeNull();
      expect(toy.name).toBe('gone');
    },
  );

  it('does not depend on a request body or its type', async () => {
    const response = await send('DELETE', '{"not json', { 'content-type': 'text/plain' });
    expect(response.status).toBe(204);
  });

  it('is an ordinary error for a key without the scope, and for a missing record', async () => {
    const authorization = `Bearer ${await service.keyWith('toys:read')}`;
    const refused = await service.fetch('/v1/toys/1', { method: 'DELETE', headers: { authorization } });
    expect(await refused.json()).toMatchObject({ code: 'insufficient_scope', status: 403 });
    const missing = await service.fetch('/v1/toys/x', { method: 'DELETE' });
    expect(await missing.json()).toMatchObject({ code: 'not_found', status: 404 });
    expect(toy.name).toBe('Ball');
  });
});

it('A path says whether it supports PATCH and DELETE', async () => {
  const options = await service.fetch('/v1/toys/1', { method: 'OPTIONS' });
  expect(options.headers.get('allow')?.split(', ').sort()).toEqual([
    'DELETE',
    'GET',
    'HEAD',
    'OPTIONS',
    'PATCH',
  ]);
  const refused = await service.fetch('/v1/toys', { method: 'DELETE' });
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'OPTIONS, POST']);
});
