import { Body, Controller, HttpCode, Module, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiSchema, ApiTags } from '@nestjs/swagger';
import { CreatedResponse, OkResponse } from '../../src/platform/http/operations/response.decorators';
import { Once } from '../../src/platform/http/idempotency/once';
import type { Created } from '../../src/platform/http/response/created';
import { RequireScopes } from '../../src/platform/security/access.decorators';
import { StringField } from '../../src/platform/validation/fields';
import { IntegerParameter } from '../../src/platform/validation/parameters';
import { describeOneEngine } from '../support/databases/databases';
import { servedDocument } from '../support/service/served-document';
import { ask, creation, field } from './support/request';
import { expectRefused } from './support/rows';
import { useService } from './support/service';

@ApiSchema({ name: 'Label', description: 'A label on a shelf.' })
class LabelDto {
  @StringField({ description: 'Text.', example: 'Fragile' })
  text!: string;
}

class LabelQuery {
  @IntegerParameter({ description: 'How many.', minimum: 1, maximum: 9, default: 1 })
  copies!: number;
}

let count = 0;

@ApiTags('labels')
@Controller('shelves')
class LabelsController {
  @Post(':shelf/labels')
  @RequireScopes('labels:write')
  @ApiOperation({ summary: 'Add' })
  @CreatedResponse(LabelDto, 'Added.')
  addLabel(
    @Param('shelf') shelf: string,
    @Query() { copies }: LabelQuery,
    @Body() { text }: LabelDto,
    @Once() once: Once,
  ): Promise<Created<LabelDto>> {
    return once(() => {
      count += 1;
      return Promise.resolve({
        item: { text: `${copies} x ${text}, number ${count}` },
        path: `/shelves/${shelf}/labels/${count}`,
      });
    });
  }

  @Post(':shelf/labels/reprint')
  @HttpCode(200)
  @RequireScopes('labels:write')
  @ApiOperation({ summary: 'Reprint' })
  @OkResponse(LabelDto, 'Reprinted.')
  reprintLabels(@Param('shelf') shelf: string, @Once() once: Once): Promise<LabelDto> {
    return once(() => {
      count += 1;
      return Promise.resolve({ text: `${shelf}, number ${count}` });
    });
  }
}

@Module({ controllers: [LabelsController] })
class LabelsModule {}

describeOneEngine('An idempotent operation whose path has a parameter', (engine) => {
  const service = useService(engine, {}, { LabelsModule });
  const add = (target: string, key: string) =>
    creation('{"text":"Fragile"}', { target, headers: { 'Idempotency-Key': key } });

  it('runs once per path and key, and repeats the response of that path', async () => {
    const shelves = ['7', '8', 'a%20b', 'x'.repeat(7_000)];
    const first = new Map<string, string>();
    for (const shelf of shelves) {
      const response = await ask(service(), add(`/v1/shelves/${shelf}/labels`, 'path'));
      expect([response.status, field(response, 'idempotency-replayed')]).toEqual([201, undefined]);
      first.set(shelf, response.body);
    }
    expect(new Set(first.values()).size).toBe(shelves.length);
    for (const shelf of shelves) {
      const again = await ask(service(), add(`/v1/shelves/${shelf}/labels`, 'path'));
      expect([again.body, field(again, 'idempotency-replayed')]).toEqual([first.get(shelf), 'true']);
    }
  });

  it('treats a request with another query as a new one', async () => {
    const target = '/v1/shelves/7/labels';
    const first = await ask(service(), add(`${target}?copies=2`, 'query'));
    expect(first.status).toBe(201);
    for (const query of ['?copies=3', '']) {
      await expectRefused(service(), {
        request: add(`${target}${query}`, 'query'),
        status: 422,
        code: 'idempotency_key_reused',
      });
    }
    expect((await ask(service(), add(`${target}?copies=2`, 'query'))).body).toBe(first.body);
  });

  it('runs a change once, and repeats its response with its entity tag', async () => {
    const reprint = (key?: string, headers = {}) =>
      ask(service(), {
        method: 'POST',
        target: '/v1/shelves/7/labels/reprint',
        headers: { ...(key !== undefined && { 'Idempotency-Key': key }), ...headers },
      });
    const first = await reprint('change');
    const again = await reprint('change');
    expect([first.status, field(first, 'idempotency-replayed')]).toEqual([200, undefined]);
    expect([again.status, again.body, field(again, 'idempotency-replayed')]).toEqual([
      200,
      first.body,
      'true',
    ]);
    const tag = field(first, 'etag') as string;
    expect([tag, field(again, 'etag')]).toEqual([expect.stringMatching(/^"[\w-]+"$/), tag]);
    const unasked = await reprint(undefined, { 'If-None-Match': '*' });
    expect([unasked.status, field(unasked, 'cache-control')]).toEqual([200, 'no-store']);
    expect(unasked.body).not.toBe(first.body);
  });

  it('documents 422 only when it has a body', async () => {
    const { paths } = await servedDocument(service());
    const statuses = Object.entries(paths)
      .filter(([path]) => path.startsWith('/shelves/'))
      .map(([path, { post }]) => [path, Object.keys(post?.responses ?? {})]);
    expect(statuses).toEqual([
      ['/shelves/{shelf}/labels', expect.arrayContaining(['201', '409', '422'])],
      ['/shelves/{shelf}/labels/reprint', expect.not.arrayContaining(['422'])],
    ]);
  });

  it('recognises a repetition with an absolute target', async () => {
    const first = await ask(service(), add('/v1/shelves/9/labels', 'absolute'));
    const again = await ask(service(), add('http://petstore.test/v1/shelves/9/labels', 'absolute'));
    expect(again.body).toBe(first.body);
  });
});
