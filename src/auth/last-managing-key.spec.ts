import { describeOneEngine } from '../../test/support/databases/databases';
import { startTestService, type TestService } from '../../test/support/service/service';
import { LastManagingKeyError } from './api-keys.errors';
import { ApiKeysRepository } from './api-keys.repository';
import { ApiKeysService } from './api-keys.service';
import { KeyUpdates } from './key-updates.service';

const MANAGING = ['admin:keys', 'admin:read'];

describeOneEngine('The last active key that may manage keys', (engine) => {
  let service: TestService;
  let keys: ApiKeysService;
  let last: string;

  beforeEach(async () => {
    // In production no first key is made.
    service = await startTestService(engine, { NODE_ENV: 'production' });
    keys = service.app.get(ApiKeysService);
    last = (await keys.list())[0]?.id as string;
  });
  afterEach(() => service.stop());

  const make = async (scopes: string[] = MANAGING) => (await keys.create({ name: 'other', scopes })).key.id;

  it.each(['revoke', 'disable'] as const)('is protected from an unconfirmed %s', async (verb) => {
    await expect(keys[verb](last)).rejects.toThrow(LastManagingKeyError);
    expect((await keys.show(last)).status).toBe('active');
    await keys[verb](last, { evenLast: true });
    expect((await keys.show(last)).status).toBe(verb === 'revoke' ? 'revoked' : 'disabled');
    // Repeating it changes nothing, so it needs no confirmation.
    await keys[verb](last);
  });

  it('is protected from an unconfirmed loss of the scopes for that, but not from another change', async () => {
    const updates = service.app.get(KeyUpdates);
    await expect(updates.change(last, { scopes: ['pets:read'] })).rejects.toThrow(LastManagingKeyError);
    expect(await updates.change(last, { name: 'only' })).toMatchObject({ name: 'only' });
    await updates.change(last, { scopes: ['pets:read'] }, { evenLast: true });
    expect(await keys.show(last)).toMatchObject({ scopes: ['pets:read'] });
  });

  it('is the last when all other keys are inactive or lack a scope for managing keys', async () => {
    const [disabled, revoked, expired] = [await make(), await make(), await make()];
    await make(['admin:keys']);
    await make(['admin:read', 'pets:read', 'pets:write']);
    await keys.disable(disabled);
    await keys.revoke(revoked);
    expect(await keys.isLastManaging(last)).toBe(false);
    await service.app.get(ApiKeysRepository).update(expired, { expiresAt: new Date(0) });
    expect(await keys.isLastManaging(last)).toBe(true);
    await expect(keys.revoke(last)).rejects.toThrow(LastManagingKeyError);
    await keys.enable(disabled);
    expect(await keys.isLastManaging(last)).toBe(false);
    await keys.revoke(last);
  });

  it('can be rotated, even without an overlap: its successor manages keys', async () => {
    const { key } = await keys.rotate(last, 0);
    expect(await keys.isLastManaging(key.id)).toBe(true);
  });

  it('stays active when several such keys are revoked at the same moment', async () => {
    const all = [last, await make(), await make(), await make()];
    const outcomes = await Promise.allSettled(all.map((id) => keys.revoke(id)));
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toEqual([{ status: 'rejected', reason: expect.any(LastManagingKeyError) as unknown }]);
    const statuses = await Promise.all(all.map(async (id) => (await keys.show(id)).status));
    expect(statuses.filter((status) => status === 'active')).toHaveLength(1);
  });

  it('does not keep other keys from being disabled and revoked', async () => {
    const other = await make(['pets:read']);
    await keys.disable(other);
    await keys.revoke(other);
    expect((await keys.show(other)).status).toBe('revoked');
  });
});
