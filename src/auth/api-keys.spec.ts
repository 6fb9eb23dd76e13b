import { actingAs } from '../platform/security/actor';
import type { AuditEvent } from '../platform/audit/audit-event.entity';
import { AuditLog } from '../platform/audit/audit-log';
import { Database } from '../platform/database/database';
import { createToken, hashToken } from '../platform/security/api-key-token';
import { describeEachEngine } from '../../test/support/databases/databases';
import { startTestService, type TestService } from '../../test/support/service/service';
import { ApiKeyNotFoundError, ApiKeyRefusedError } from './api-keys.errors';
import { ApiKeysRepository } from './api-keys.repository';
import { ApiKeysService } from './api-keys.service';
import type { NewApiKey } from './dto/new-api-key';

const OPERATOR = { name: 'cli:jo', requestId: 'r-1', address: '192.0.2.1' };

describeEachEngine('Changes of API keys', (engine) => {
  let service: TestService;
  let keys: ApiKeysService;
  let audit: AuditLog;
  const bootstrapKey = createToken();
  beforeAll(async () => {
    service = await startTestService(engine, { BOOTSTRAP_API_KEY: bootstrapKey });
    keys = service.app.get(ApiKeysService);
    audit = service.app.get(AuditLog);
  });
  afterAll(() => service.stop());

  const make = () => keys.create({ name: 'shop', owner: 'ops', scopes: ['pets:read'] });
  const eventsOf = async (id: string) => {
    const events = await audit.list({ subjectType: 'keys', subjectId: id }, { limit: 100 });
    return events.reverse();
  };
  const actionsOf = async (id: string) => (await eventsOf(id)).map(({ action }) => action);
  const change = ({ action, before, after }: AuditEvent) => [
    action,
    before && (JSON.parse(before) as unknown),
    after && (JSON.parse(after) as unknown),
  ];

  it('are recorded in the audit log with actor, before and after', async () => {
    const work = async () => {
      const { key: made } = await make();
      const disabled = await keys.disable(made.id);
      const enabled = await keys.enable(made.id);
      const { key: successor, predecessor } = await keys.rotate(made.id, 60_000);
      const revoked = await keys.revoke(made.id);
      return { made, disabled, enabled, successor, predecessor, revoked };
    };
    const { made, disabled, enabled, successor, predecessor, revoked } = await actingAs(OPERATOR, work);
    expect([disabled.status, enabled.status, predecessor.status, revoked.status]).toEqual([
      'disabled',
      'active',
      'active',
      'revoked',
    ]);
    const events = await eventsOf(made.id);
    expect(events.map(change)).toEqual([
      ['keys.create', null, made],
      ['keys.disable', made, disabled],
      ['keys.enable', disabled, enabled],
      ['keys.rotate', enabled, predecessor],
      ['keys.revoke', predecessor, revoked],
    ]);
    expect((await eventsOf(successor.id)).map(change)).toEqual([['keys.create', null, successor]]);
    for (const event of events) {
      expect(event).toMatchObject({ actor: 'cli:jo', requestId: 'r-1', address: '192.0.2.1' });
    }
  });

  it('record nothing when nothing changes', async () => {
    const { key } = await make();
    await keys.enable(key.id);
    const disabled = await keys.disable(key.id);
    expect(await keys.disable(key.id)).toEqual(disabled);
    const revoked = await keys.revoke(key.id);
    expect(await keys.revoke(key.id)).toEqual(revoked);
    expect(await actionsOf(key.id)).toEqual(['keys.create', 'keys.disable', 'keys.revoke']);
  });

  it('record nothing when they are refused', async () => {
    const [{ key: revoked }, { key: expired }, { key: disabled }] = [
      await make(),
      await make(),
      await make(),
    ];
    await keys.revoke(revoked.id);
    await service.app.get(ApiKeysRepository).update(expired.id, { expiresAt: new Date(0) });
    await keys.disable(disabled.id);
    for (const [{ id }, why] of [
      [revoked, 'is revoked'],
      [expired, 'has expired'],
    ] as const) {
      for (const work of [() => keys.disable(id), () => keys.enable(id), () => keys.rotate(id, 0)]) {
        const refused = work();
        await expect(refused).rejects.toThrow(ApiKeyRefusedError);
        await expect(refused).rejects.toThrow(why);
      }
    }
    await expect(keys.rotate(disabled.id, 0)).rejects.toThrow(/disabled; enable it first/);
    expect(await actionsOf(revoked.id)).toEqual(['keys.create', 'keys.revoke']);
    expect(await actionsOf(expired.id)).toEqual(['keys.create']);
    expect(await actionsOf(disabled.id)).toEqual(['keys.create', 'keys.disable']);
  });

  it.each<[string, string, Partial<NewApiKey>]>([
    ['a name', 'name', { name: ' ' }],
    ['scopes', 'scopes', { scopes: [] }],
    ['known scopes', 'scopes', { scopes: ['pets:read', 'no:thing'] }],
    ['an end that is to come', 'expiresAt', { expiresAt: new Date(Date.now() - 1) }],
  ])('are refused without %s, with the name of the field', async (_what, field, wanted) => {
    const before = await keys.list();
    await expect(keys.create({ name: 'x', scopes: ['pets:read'], ...wanted })).rejects.toMatchObject({
      faults: [{ field }],
    });
    expect(await keys.list()).toEqual(before);
  });

  it.each<[string, (id: string) => Promise<unknown>]>([
    ['show', (id) => keys.show(id)],
    ['rotate', (id) => keys.rotate(id, 0)],
    ['disable', (id) => keys.disable(id)],
    ['enable', (id) => keys.enable(id)],
    ['revoke', (id) => keys.revoke(id)],
  ])('are refused for a key that does not exist: %s', async (_verb, work) => {
    await expect(work('key_0000000000000000')).rejects.toThrow(ApiKeyNotFoundError);
  });

  it('are rolled back with their audit event when the transaction around them fails', async () => {
    const before = await keys.list();
    const { key: kept } = await make();
    let made = '';
    const failing = service.app.get(Database).transaction(async () => {
      made = (await make()).key.id;
      await keys.revoke(kept.id);
      expect(await actionsOf(made)).toEqual(['keys.create']);
      expect(await actionsOf(kept.id)).toEqual(['keys.create', 'keys.revoke']);
      throw new Error('too late');
    });
    await expect(failing).rejects.toThrow('too late');
    expect(await keys.list()).toEqual([...before, kept]);
    expect(await actionsOf(made)).toEqual([]);
    expect(await actionsOf(kept.id)).toEqual(['keys.create']);
  });

  it('are recorded one after the other when two are made at once', async () => {
    const { key } = await make();
    await Promise.all(Array.from({ length: 6 }, () => keys.disable(key.id)));
    expect(await actionsOf(key.id)).toEqual(['keys.create', 'keys.disable']);
  });

  it('have the service as their actor when it makes them itself', async () => {
    const [event] = await audit.list({ subjectType: 'keys', actor: 'service' }, { limit: 1 });
    expect(event).toBeDefined();
    const bootstrap = (await keys.list()).find(({ name }) => name === 'bootstrap');
    const id = bootstrap?.id as string;
    expect(await actionsOf(id)).toEqual(['keys.create']);
    await keys.bootstrap(bootstrapKey);
    expect(await actionsOf(id)).toEqual(['keys.create']);
    await service.app.get(ApiKeysRepository).update(id, { scopes: ['pets:read'] });
    await keys.bootstrap(bootstrapKey);
    expect(await actionsOf(id)).toEqual(['keys.create', 'keys.update']);
    await keys.disable(id);
    await expect(keys.bootstrap(bootstrapKey)).rejects.toThrow(/BOOTSTRAP_API_KEY is disabled/);
  });

  it('never put a token or its hash into the audit log', async () => {
    const { key, token } = await make();
    const { token: next } = await keys.rotate(key.id, 0);
    const events = await audit.list({}, { limit: 1_000 });
    const text = events.flatMap(({ before, after }) => [before, after]).join('\n');
    expect(text).toContain(key.id);
    for (const secret of [token, next, bootstrapKey, service.key]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(hashToken(secret));
    }
    expect(text).not.toMatch(/petk_[0-9A-Za-z]{49}/);
  });

  it('accept a scope for each record type that operators can change', () => {
    expect(keys.knownScopes).toEqual(
      expect.arrayContaining(['admin:keys', 'admin:pets', 'admin:read', 'pets:read']),
    );
  });
});
