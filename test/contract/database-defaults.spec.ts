import { DataSource } from 'typeorm';
import { ApiKeysService } from '../../src/auth/api-keys.service';
import { createToken } from '../../src/platform/security/api-key-token';
import type { RunningService } from '../../src/process/start-service';
import { useService } from './support/service';
import { restartWithDefaults } from './support/database-defaults';

describe('A service that is started again after the defaults of its PostgreSQL database were changed', () => {
  const service = useService('postgres');
  let restarted: RunningService;

  const get = (token: string) =>
    fetch(`${restarted.url}/v1/pets?limit=1`, { headers: { authorization: `Bearer ${token}` } });

  beforeAll(async () => {
    restarted = await restartWithDefaults(service());
  });
  afterAll(() => restarted.stop());

  it('refuses keys that were revoked, disabled or have expired before', async () => {
    const before = service().app.get(ApiKeysService);
    const scopes = ['pets:read'];
    const [revoked, disabled, expired, good] = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) => before.create({ name, scopes })),
    );
    await before.revoke(revoked!.key.id);
    await before.disable(disabled!.key.id);
    await service()
      .app.get(DataSource)
      .query(
        `UPDATE "api_keys" SET "expires_at" = '2026-01-31 00:00:00.000' WHERE "id" = '${expired!.key.id}'`,
      );
    expect((await get(good!.token)).status).toBe(200);
    for (const { token } of [revoked!, disabled!, expired!]) expect((await get(token)).status).toBe(401);

    const keys = restarted.app.get(ApiKeysService);
    await keys.revoke(good!.key.id);
    expect((await get(good!.token)).status).toBe(401);
  });

  it('replays what was created under an Idempotency-Key before', async () => {
    const request = {
      method: 'POST',
      headers: {
        authorization: `Bearer ${service().key}`,
        'content-type': 'application/json',
        'idempotency-key': createToken(),
      },
      body: '{"name":"Rex","categoryId":3}',
    };
    expect((await fetch(`${service().url}/v1/pets`, request)).status).toBe(201);
    const again = await fetch(`${restarted.url}/v1/pets`, request);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
  });
});
