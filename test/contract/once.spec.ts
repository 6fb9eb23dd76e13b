import { Body, Controller, HttpCode, Module, Post } from '@nestjs/common';
import { ApiOperation, ApiSchema, ApiTags } from '@nestjs/swagger';
import { Database } from '../../src/platform/database/database';
import { IdempotentResponsesRepository } from '../../src/platform/http/idempotency/idempotent-responses.repository';
import { Once } from '../../src/platform/http/idempotency/once';
import {
  CreatedResponse,
  ErrorResponse,
  OkResponse,
} from '../../src/platform/http/operations/response.decorators';
import type { Created } from '../../src/platform/http/response/created';
import { ApiKeysService } from '../../src/auth/api-keys.service';
import type { KeyView } from '../../src/auth/dto/key-view';
import { defineError } from '../../src/platform/errors/app-error';
import { RequireScopes } from '../../src/platform/security/access.decorators';
import { StringField } from '../../src/platform/validation/fields';
import { describeEachEngine } from '../support/databases/databases';
import { startTestService, type TestService } from '../support/service/service';
import { until } from '../support/until';
import { withFeatures } from '../support/service/with-features';
import { ask, creation, field } from './support/request';
import { expectRefused } from './support/rows';
import { useService } from './support/service';

@ApiSchema({ name: 'Parcel', description: 'A parcel.' })
class ParcelDto {
  @StringField({ description: 'To whom.', example: 'Ada' })
  to!: string;
}

const ParcelRefusedError = defineError({ status: 409, code: 'parcel_refused', message: 'It is refused.' });

/** What the carrier was asked, and what it waits for. */
const carrier = { asked: [] as string[], hanging: undefined as Promise<void> | undefined, isAway: false };
/** How often the work was done, and what it met. */
const work = { done: 0, isRefused: false, wasInTransaction: [] as boolean[], results: [] as unknown[] };

@ApiTags('parcels')
@Controller('parcels')
class ParcelsController {
  constructor(private readonly database: Database) {}

  @Post()
  @RequireScopes('parcels:write')
  @ApiOperation({ summary: 'Send' })
  @CreatedResponse(ParcelDto, 'Sent.')
  @ErrorResponse(ParcelRefusedError, 'It is refused.')
  async sendParcel(@Body() { to }: ParcelDto, @Once() once: Once): Promise<Created<ParcelDto>> {
    work.wasInTransaction.push(this.database.isInTransaction);
    carrier.asked.push(to);
    await carrier.hanging;
    if (carrier.isAway) throw new Error('The carrier is away.');
    const sent = await once(() => {
      work.wasInTransaction.push(this.database.isInTransaction);
      if (work.isRefused) throw new ParcelRefusedError();
      work.done += 1;
      return Promise.resolve({ item: { to: `${to}, number ${work.done}` }, path: `/parcels/${work.done}` });
    });
    work.results.push(sent);
    return sent;
  }

  /** Asks the carrier within the work, ahead of its first statement. */
  @Post('express')
  @RequireScopes('parcels:write')
  @ApiOperation({ summary: 'Send at once' })
  @CreatedResponse(ParcelDto, 'Sent.')
  sendExpress(@Body() { to }: ParcelDto, @Once() once: Once): Promise<Created<ParcelDto>> {
    return once(async () => {
      carrier.asked.push(to);
      await carrier.hanging;
      await this.database.dataSource.query('SELECT 1').catch((error: unknown) => {
        throw work.isRefused ? new ParcelRefusedError() : error;
      });
      work.done += 1;
      return { item: { to }, path: `/parcels/${work.done}` };
    });
  }

  @Post('weigh')
  @HttpCode(200)
  @RequireScopes('parcels:write')
  @ApiOperation({ summary: 'Weigh' })
  @OkResponse(ParcelDto, 'Weighed.')
  weighParcels(@Once() _once: Once): Promise<ParcelDto> {
    return Promise.resolve({ to: 'nobody' });
  }
}

@Module({ controllers: [ParcelsController] })
class ParcelsModule {}

const send = (key: string | undefined, to = 'Ada', target = '/v1/parcels') =>
  creation(JSON.stringify({ to }), {
    target,
    headers: { ...(key !== undefined && { 'Idempotency-Key': key }) },
  });

beforeEach(() => {
  Object.assign(carrier, { asked: [], hanging: undefined, isAway: false });
  Object.assign(work, { isRefused: false, wasInTransaction: [], results: [] });
});

describeEachEngine('A handler with @Once()', (engine) => {
  const service = useService(engine, {}, { ParcelsModule });

  it('is outside the transaction before once(), and inside within it, when the request has a key', async () => {
    expect((await ask(service(), send('within'))).status).toBe(201);
    expect(work.wasInTransaction).toEqual([false, true]);
    expect((await ask(service(), send(undefined))).status).toBe(201);
    expect(work.wasInTransaction).toEqual([false, true, false, false]);
  });

  it('gets the result of its work, with a key and without', async () => {
    await ask(service(), send('result'));
    await ask(service(), send(undefined));
    const item = { to: expect.stringMatching(/^Ada, number \d+$/) as string };
    const created = { item, path: expect.stringMatching(/^\/parcels\/\d+$/) as string };
    expect(work.results).toEqual([created, created]);
  });

  it('is not called for a repetition with a stored response', async () => {
    const first = await ask(service(), send('kept'));
    const again = await ask(service(), send('kept'));
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(field(again, 'location')).toBe(field(first, 'location'));
    expect(field(again, 'idempotency-replayed')).toBe('true');
    expect(carrier.asked).toEqual(['Ada']);
  });

  it('is not called for a repetition while it waits for another service, and others are served meanwhile', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    carrier.hanging = promise;
    const { done } = work;
    const first = ask(service(), send('hanging'));
    await until(() => carrier.asked.length === 1);
    await expectRefused(service(), {
      request: send('hanging'),
      status: 409,
      code: 'idempotency_in_progress',
      fields: { 'Retry-After': '1' },
    });
    for (let i = 0; i < 20; i++) {
      expect((await ask(service(), {})).status).toBe(200);
      const pet = creation('{"name":"Rex","categoryId":1}', {
        headers: { 'Idempotency-Key': `beside-${i}` },
      });
      expect((await ask(service(), pet)).status).toBe(201);
    }
    expect(work.done).toBe(done);
    resolve();
    expect((await first).status).toBe(201);
    expect([carrier.asked, work.done]).toEqual([['Ada'], done + 1]);
  });

  it('holds no connection while its work waits before its first statement, however many do', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    carrier.hanging = promise;
    const { done } = work;
    const express = (key: string) => ask(service(), send(key, 'Ada', '/v1/parcels/express'));
    const firsts = Array.from({ length: 12 }, (_, i) => express(`express-${i}`));
    await until(() => carrier.asked.length === 12);
    await expectRefused(service(), {
      request: send('express-3', 'Ada', '/v1/parcels/express'),
      status: 409,
      code: 'idempotency_in_progress',
    });
    const pet = creation('{"name":"Rex","categoryId":1}', { headers: { 'Idempotency-Key': 'express-pet' } });
    expect((await ask(service(), pet)).status).toBe(201);
    resolve();
    expect((await Promise.all(firsts)).map(({ status }) => status)).toEqual(Array(12).fill(201));
    const again = await express('express-0');
    expect([again.status, field(again, 'idempotency-replayed')]).toEqual([201, 'true']);
    expect([carrier.asked.length, work.done]).toEqual([12, done + 12]);
  });

  it('refuses another body with its key while it waits for another service', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    carrier.hanging = promise;
    const { done } = work;
    const first = ask(service(), send('two-bodies'));
    await until(() => carrier.asked.length === 1);
    const other = ask(service(), send('two-bodies', 'Grace'));
    await until(() => carrier.asked.length === 2);
    const invalid = creation('{}', { target: '/v1/parcels', headers: { 'Idempotency-Key': 'two-bodies' } });
    expect((await ask(service(), invalid)).status).toBe(400);
    resolve();
    const statuses = [(await first).status, (await other).status];
    expect([statuses.sort(), work.done]).toEqual([[201, 409], done + 1]);
  });

  it('has a refusal of its work repeated without being called', async () => {
    work.isRefused = true;
    const first = await ask(service(), send('refused'));
    work.isRefused = false;
    const again = await ask(service(), send('refused'));
    expect([first.status, again.status, again.body]).toEqual([409, 409, first.body]);
    expect([field(again, 'idempotency-replayed'), carrier.asked]).toEqual(['true', ['Ada']]);
  });
});

describe('A handler whose key another node has used while its work waited', () => {
  const service = useService('postgres', {}, { ParcelsModule });

  it.each([
    ['does nothing', false],
    ['does nothing, and keeps no refusal that its work makes of that', true],
  ])('%s', async (_title, isRefused) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    carrier.hanging = promise;
    work.isRefused = isRefused;
    const { done } = work;
    const request = send(`taken-${isRefused}`, 'Ada', '/v1/parcels/express');
    const waiting = expectRefused(service(), { request, status: 409, code: 'idempotency_in_progress' });
    await until(() => carrier.asked.length === 1);
    const [{ lineageId }] = (await service().app.get(ApiKeysService).list()) as [KeyView];
    const place = { lineageId, operation: 'POST /v1/parcels/express', key: `taken-${isRefused}` };
    const responses = service().app.get(IdempotentResponsesRepository);
    await service()
      .app.get(Database)
      .transaction(async () => {
        expect(await responses.lock(place)).toBe(true);
        resolve();
        await waiting;
      });
    expect(work.done).toBe(done);
    work.isRefused = false;
    expect((await ask(service(), request)).status).toBe(201);
    expect(work.done).toBe(done + 1);
  });
});

describe('A handler with @Once() that fails', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await withFeatures({ ParcelsModule }, () => startTestService('sqlite'));
  });
  afterAll(() => service.stop());

  it('lets the request be sent again at once when it failed before the work', async () => {
    carrier.isAway = true;
    expect((await ask(service, send('away'))).status).toBe(500);
    expect(service.log()).toContain('The carrier is away.');
    carrier.isAway = false;
    expect((await ask(service, send('away'))).status).toBe(201);
    expect(carrier.asked).toEqual(['Ada', 'Ada']);
  });

  it('is reported when it did its work without once()', async () => {
    const weigh = (headers: Record<string, string>) =>
      ask(service, { method: 'POST', target: '/v1/parcels/weigh', headers });
    expect((await weigh({})).status).toBe(200);
    expect((await weigh({ 'Idempotency-Key': 'weigh' })).status).toBe(500);
    expect(service.log()).toContain(
      'ParcelsController.weighParcels has @Once() and did not give it the work.',
    );
  });
});
