import { hash } from 'node:crypto';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { IdempotentResponse } from '../../src/platform/http/idempotency/idempotent-response.entity';
import { ApiKeysService } from '../../src/auth/api-keys.service';
import { Database } from '../../src/platform/database/database';
import type { KeyView } from '../../src/auth/dto/key-view';
import { ResponseRetentionJob } from '../../src/platform/http/idempotency/response-retention-job';
import { IdempotentResponsesRepository } from '../../src/platform/http/idempotency/idempotent-responses.repository';
import { describeEachEngine } from '../support/databases/databases';
import { untilLockWait } from '../support/databases/lock-waits';
import type { RawResponse } from '../support/http/raw-http';
import { operationsOf, servedDocument } from '../support/service/served-document';
import { expectRefused, itRefuses, type Refusal } from './support/rows';
import { ask, creation, field, type WireRequest } from './support/request';
import { useService } from './support/service';
import { runSql } from './support/sql';

const BODY = '{"name":"Rex","categoryId":3}';

/** A creation under a key; several make several fields. */
function under(key: string | readonly string[], body = BODY, more: WireRequest = {}): WireRequest {
  return creation(body, { ...more, headers: { 'Idempotency-Key': key, ...more.headers } });
}

function idOf(response: RawResponse): number {
  return (JSON.parse(response.body) as { id: number }).id;
}

describeEachEngine('A creation with an Idempotency-Key', (engine) => {
  const service = useService(engine);

  async function pets(): Promise<number> {
    const list = await ask(service(), { target: '/v1/pets?limit=100' });
    return (JSON.parse(list.body) as unknown[]).length;
  }

  it('is answered normally the first time', async () => {
    const response = await ask(service(), under('first'));
    expect(response.status).toBe(201);
    expect(field(response, 'location')).toBe(`/v1/pets/${idOf(response)}`);
    expect(field(response, 'idempotency-replayed')).toBeUndefined();
  });

  it('is answered with the same bytes the second time, and adds nothing', async () => {
    const first = await ask(service(), under('again'));
    const before = await pets();
    for (const key of ['again', '"again"']) {
      const again = await ask(service(), under(key));
      expect([again.status, again.body]).toEqual([201, first.body]);
      expect(field(again, 'location')).toBe(field(first, 'location'));
      expect(field(again, 'idempotency-replayed')).toBe('true');
    }
    expect(await pets()).toBe(before);
  });

  it('makes one pet when fifty are sent at once, and each gets it or idempotency_in_progress', async () => {
    const before = await pets();
    const responses = await Promise.all(Array.from({ length: 50 }, () => ask(service(), under('fifty'))));
    const made = new Set(responses.filter(({ status }) => status === 201).map(idOf));
    expect(made.size).toBe(1);
    expect(responses.filter(({ status }) => status !== 201).map(({ status }) => status)).toEqual(
      expect.not.arrayContaining([400, 422, 500, 503]),
    );
    expect(await pets()).toBe(before + 1);
    expect((await ask(service(), under('fifty'))).status).toBe(201);
  });

  it('is answered from the stored response when twenty repeat it at once', async () => {
    const first = await ask(service(), under('twenty'));
    const again = await Promise.all(Array.from({ length: 20 }, () => ask(service(), under('twenty'))));
    expect(new Set(again.map(({ status, body }) => `${status} ${body}`))).toEqual(
      new Set([`201 ${first.body}`]),
    );
    expect(new Set(again.map((each) => field(each, 'idempotency-replayed')))).toEqual(new Set(['true']));
    const other = await Promise.all(
      [under('twenty'), under('twenty', '{"name":"Tom","categoryId":3}')].map((each) => ask(service(), each)),
    );
    expect(other.map(({ status }) => status)).toEqual([201, 422]);
  });

  it('is compared with the first byte for byte', async () => {
    await ask(service(), under('bytes'));
    const spaced = await ask(service(), under('bytes', '{"name":"Rex", "categoryId":3}'));
    expect([spaced.status, JSON.parse(spaced.body)]).toEqual([
      422,
      expect.objectContaining({ code: 'idempotency_key_reused' }),
    ]);
  });

  it('does not affect another client with the same key', async () => {
    const first = await ask(service(), under('whose'));
    const other = await ask(service(), under('whose', BODY, { key: await service().keyWith('pets:write') }));
    expect(other.status).toBe(201);
    expect(idOf(other)).not.toBe(idOf(first));
  });

  it('may be sent again after a refusal of its form, which is not stored', async () => {
    expect((await ask(service(), under('form', '{"name":1}'))).status).toBe(400);
    expect((await ask(service(), under('form'))).status).toBe(201);
  });

  it('is recognised after its API key was rotated', async () => {
    const keys = service().app.get(ApiKeysService);
    const old = await keys.create({ name: 'rotated', scopes: ['pets:write'] });
    const first = await ask(service(), under('rotated', BODY, { key: old.token }));
    const { token } = await keys.rotate(old.key.id, 60_000);
    const again = await ask(service(), under('rotated', BODY, { key: token }));
    expect([again.status, again.body]).toEqual([201, first.body]);
  });

  it('is new again after a day, when the stored response is deleted', async () => {
    const kept = () => service().app.get(DataSource).getRepository(IdempotentResponse).count();
    const first = await ask(service(), under('day'));
    await runSql(
      service().database,
      `UPDATE "idempotent_answers" SET "created_at" = '2020-01-01 00:00:00.000'`,
    );
    const next = await ask(service(), under('day'));
    expect([next.status, idOf(next) > idOf(first)]).toEqual([201, true]);
    expect(await kept()).toBeGreaterThan(1);
    await service().app.get(ResponseRetentionJob).run();
    expect(await kept()).toBe(1);
    expect((await ask(service(), under('day'))).body).toBe(next.body);
  });

  it.each([
    ['bare', 'k'.repeat(255), true],
    ['quoted', `"${'k'.repeat(255)}"`, true],
    ['quoted, with escapes', String.raw`"\\\""`, true],
    ['bare, with a quotation mark', '"k', true],
    ['bare and too long', 'k'.repeat(256), false],
    ['quoted and too long', `"${'k'.repeat(256)}"`, false],
    ['empty in quotes', '""', false],
    ['quoted, with a space', '"a b"', false],
  ])('accepts or refuses a key as the document says: %s', async (_which, key, isValid) => {
    const operations = operationsOf(await servedDocument(service()));
    const { parameters = [] } = operations.find(({ operationId }) => operationId === 'createPet') ?? {};
    const { schema } = parameters.find(({ name }) => name === 'Idempotency-Key') ?? {};
    const { pattern = '', minLength = 0, maxLength = 0 } = schema ?? {};
    const isLong = key.length >= minLength && key.length <= maxLength;
    expect(isLong && new RegExp(pattern).test(key)).toBe(isValid);
    expect((await ask(service(), under(key))).status).toBe(isValid ? 201 : 400);
  });

  const KEY_FAULTS: readonly Refusal[] = [
    ['an empty key', ''],
    ['an empty key in quotes', '""'],
    ['a key over 255 characters', 'k'.repeat(256)],
    ['a key with a space', 'a b'],
    ['a quoted key with a space', '"a b"'],
    ['a key beyond ASCII', 'ké'],
    ['two keys', ['a', 'b']],
    ['the same key twice', ['a', 'a']],
  ].map(([of, key]) => ({
    of: of as string,
    request: under(key as string | string[]),
    status: 400,
    code: 'invalid_idempotency_key',
    names: ['Idempotency-Key'],
  }));
  itRefuses(service, KEY_FAULTS);

  it('accepts a key of 255 visible characters', async () => {
    expect((await ask(service(), under(`~!#$%&'*+/=?^_|{}${'k'.repeat(238)}`))).status).toBe(201);
  });

  it('is refused for its body and parameters first', async () => {
    await ask(service(), under('order'));
    expect((await ask(service(), under('order', '{}'))).body).toContain('invalid_field');
    const query = await ask(service(), under('order', BODY, { target: '/v1/pets?x=1' }));
    expect(query.body).toContain('unknown_parameter');
  });

  it('ignores the key on a GET', async () => {
    expect((await ask(service(), { headers: { 'Idempotency-Key': '' } })).status).toBe(200);
  });
});

describe('A creation whose Idempotency-Key is in use on another node', () => {
  const service = useService('postgres');

  it('gets idempotency_in_progress, and may be repeated', async () => {
    const [{ lineageId }] = (await service().app.get(ApiKeysService).list()) as [KeyView];
    const place = { lineageId, operation: 'POST /v1/pets', key: 'elsewhere' };
    const responses = service().app.get(IdempotentResponsesRepository);
    await service()
      .app.get(Database)
      .transaction(async () => {
        expect(await responses.lock(place)).toBe(true);
        await expectRefused(service(), {
          request: under('elsewhere'),
          status: 409,
          code: 'idempotency_in_progress',
          fields: { 'Retry-After': '1' },
        });
      });
    expect((await ask(service(), under('elsewhere'))).status).toBe(201);
  });

  it('is answered from the stored response while another repetition is being answered there', async () => {
    const first = await ask(service(), under('kept'));
    const [{ lineageId }] = (await service().app.get(ApiKeysService).list()) as [KeyView];
    await service()
      .app.get(Database)
      .transaction(async () => {
        const place = { lineageId, operation: 'POST /v1/pets', key: 'kept' };
        expect(await service().app.get(IdempotentResponsesRepository).lock(place)).toBe(true);
        const again = await ask(service(), under('kept'));
        expect([again.status, again.body]).toEqual([201, first.body]);
      });
  });

  it('makes no second pet without an advisory lock, and gets the stored response later', async () => {
    const [{ lineageId }] = (await service().app.get(ApiKeysService).list()) as [KeyView];
    const other = new Client({ connectionString: service().database.url });
    await other.connect();
    await other.query('BEGIN');
    await other.query(
      `INSERT INTO idempotent_answers (lineage_id, operation, key, fingerprint, status, body, location, created_at)
       SELECT $1, 'POST /v1/pets', 'unlocked', $2, 201, '{"id":7}', '/v1/pets/7', now()`,
      [lineageId, hash('sha256', BODY, 'base64url')],
    );
    const pets = async () => (await ask(service(), { target: '/v1/pets?limit=100' })).body;
    const before = await pets();
    const attempt = ask(service(), under('unlocked'));
    await untilLockWait(other);
    await other.query('COMMIT');
    await other.end();
    expect([(await attempt).status, await pets()]).toEqual([409, before]);
    const again = await ask(service(), under('unlocked'));
    expect([again.status, again.body, field(again, 'idempotency-replayed')]).toEqual([
      201,
      '{"id":7}',
      'true',
    ]);
  });
});
