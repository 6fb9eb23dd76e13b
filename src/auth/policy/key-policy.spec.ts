import { DataSource } from 'typeorm';
import { growthBy } from '../../../test/contract/support/scrape';
import { describeOneEngine } from '../../../test/support/databases/databases';
import { startTestService, type TestService } from '../../../test/support/service/service';
import { AuditLog } from '../../platform/audit/audit-log';
import { createToken, tokenHint } from '../../platform/security/api-key-token';
import { ApiKey } from '../api-key.entity';
import { ApiKeysRepository } from '../api-keys.repository';
import { ApiKeysService } from '../api-keys.service';
import type { NewApiKey } from '../dto/new-api-key';
import { KeyUpdates } from '../key-updates.service';
import { KeyWarningsService } from '../key-warnings.service';
import { KeyPolicyJob } from './key-policy-job.service';

const DAY_MS = 86_400_000;

function daysAgo(days: number): Date {
  return new Date(Date.now() - days * DAY_MS);
}

/** Whole days from now to an instant. */
function daysTo(instant: string | null): number {
  return Math.round((Date.parse(instant as string) - Date.now()) / DAY_MS);
}

describeOneEngine('The policy of API keys', (engine) => {
  const bootstrapToken = createToken();
  let service: TestService;
  let keys: ApiKeysService;
  let job: KeyPolicyJob;

  beforeAll(async () => {
    service = await startTestService(engine, {
      KEY_MAX_LIFETIME_DAYS: '365',
      KEY_IDLE_DAYS: '100',
      BOOTSTRAP_API_KEY: bootstrapToken,
    });
    keys = service.app.get(ApiKeysService);
    job = service.app.get(KeyPolicyJob);
  });
  afterAll(() => service.stop());

  const make = async (wanted: Partial<NewApiKey> = {}) =>
    (await keys.create({ name: 'shop', scopes: ['pets:read'], ...wanted })).key;
  /** A key as it was made before there was a policy. */
  const makeBefore = async (past: Partial<ApiKey>) => {
    const { id } = await make();
    await change(id, { expiresAt: null, ...past });
    return id;
  };
  const change = (id: string, values: Partial<ApiKey>) =>
    service.app.get(DataSource).getRepository(ApiKey).update({ id }, values);
  const lastEvent = async (subjectId: string) =>
    (await service.app.get(AuditLog).list({ subjectType: 'keys', subjectId }, { limit: 1 }))[0];
  const enforce = () => growthBy(service, () => job.enforce(), 'petstore_key_policy_total', 'action');

  it('gives a new key without an end the latest allowed end, and refuses a later one', async () => {
    expect(daysTo((await make()).expiresAt)).toBe(365);
    expect(daysTo((await make({ expiresAt: daysAgo(-10) })).expiresAt)).toBe(10);
    await expect(make({ expiresAt: daysAgo(-366) })).rejects.toThrow(
      'An API key lives at most 365 days here (KEY_MAX_LIFETIME_DAYS).',
    );
  });

  it('counts the lifetime of a key from its creation when its end is changed, and leaves an unchanged end alone', async () => {
    const updates = service.app.get(KeyUpdates);
    const id = await makeBefore({ createdAt: daysAgo(100), expiresAt: daysAgo(-10) });
    await expect(updates.change(id, { expiresAt: daysAgo(-300) })).rejects.toThrow('lives at most 365 days');
    expect(daysTo((await updates.change(id, { expiresAt: daysAgo(-200) })).expiresAt)).toBe(200);
    expect(daysTo((await updates.change(id, { expiresAt: null })).expiresAt)).toBe(265);
    const old = await makeBefore({ createdAt: daysAgo(400) });
    expect(await updates.change(old, { name: 'kiosk' })).toMatchObject({ name: 'kiosk', expiresAt: null });
    await Promise.all([id, old].map((each) => keys.revoke(each)));
  });

  it('gives the latest allowed end to the successor of a key without one', async () => {
    const successor = await keys.rotate(await makeBefore({}), 0);
    expect(daysTo(successor.key.expiresAt)).toBe(365);
  });

  it.each([
    ['long ago', 400, 30],
    ['lately', 100, 265],
  ])(
    'gives an old key without an end one after at least 30 days, once, when it was made %s',
    async (_, ago, end) => {
      const id = await makeBefore({ createdAt: daysAgo(ago), lastUsedAt: new Date() });
      expect(await enforce()).toEqual({ expiry_set: 1 });
      const { expiresAt } = await keys.show(id);
      expect(daysTo(expiresAt)).toBe(end);
      expect(await lastEvent(id)).toMatchObject({ action: 'keys.update', actor: 'service' });
      expect((await lastEvent(id))?.after).toContain('KEY_MAX_LIFETIME_DAYS');
      expect(await enforce()).toEqual({});
      expect((await keys.show(id)).expiresAt).toBe(expiresAt);
    },
  );

  it('leaves alone a key that was given a nearer end since the keys were listed', async () => {
    const repository = service.app.get(ApiKeysRepository);
    const id = await makeBefore({ createdAt: daysAgo(400), lastUsedAt: new Date() });
    const listed = await repository.list();
    await change(id, { expiresAt: daysAgo(-1) });
    const list = jest.spyOn(repository, 'list').mockResolvedValue(listed);
    expect(await enforce()).toEqual({});
    list.mockRestore();
    expect(daysTo((await keys.show(id)).expiresAt)).toBe(1);
  });

  it('gives 14 days of notice before it disables an unused key, however long it was unused', async () => {
    const id = (await make()).id;
    await change(id, { lastUsedAt: daysAgo(300) });
    expect(await enforce()).toEqual({ idle_notice: 1 });
    const key = await keys.show(id);
    expect([key.status, daysTo(key.disablesAt)]).toEqual(['active', 14]);
    expect(service.app.get(KeyWarningsService).about(key)).toMatchObject([
      { kind: 'disabling', days: 14 },
      { kind: 'idle' },
    ]);
    expect(
      await keys.search({ warning: { in: ['disabling'] } }, { by: 'name', descending: false, limit: 9 }),
    ).toEqual([key]);
    expect(service.log()).toContain('An API key is unused and will be disabled (KEY_IDLE_DAYS).');
    expect(await enforce()).toEqual({});

    await change(id, { disablesAt: daysAgo(0) });
    expect(await enforce()).toEqual({ idle_disabled: 1 });
    expect(await keys.show(id)).toMatchObject({ status: 'disabled' });
    expect(await lastEvent(id)).toMatchObject({ action: 'keys.disable', actor: 'service' });
    expect((await lastEvent(id))?.after).toContain('KEY_IDLE_DAYS');
    // Its client gets the whole time again to use it.
    expect(await keys.enable(id)).toMatchObject({ status: 'active', disablesAt: null });
    expect(await enforce()).toEqual({ idle_notice: 1 });
  });

  it('cancels the disabling of a key that is used again', async () => {
    const id = (await make()).id;
    await change(id, { lastUsedAt: new Date(), disablesAt: daysAgo(1) });
    expect(await enforce()).toEqual({});
    expect(await keys.show(id)).toMatchObject({ status: 'active', disablesAt: null });
  });

  it('never changes the BOOTSTRAP_API_KEY and the last key that may manage keys', async () => {
    const [bootstrap] = (await keys.list()).filter(({ hint }) => hint === tokenHint(bootstrapToken));
    const managing = await make({ scopes: ['admin:read', 'admin:keys'] });
    for (const { id } of await keys.list()) {
      if (id !== managing.id && id !== bootstrap?.id) await keys.revoke(id, { evenLast: true });
    }
    const idle = { createdAt: daysAgo(900), lastUsedAt: daysAgo(300), disablesAt: daysAgo(1) };
    await change(bootstrap?.id as string, idle);
    expect(await enforce()).toEqual({});
    await keys.disable(bootstrap?.id as string, { evenLast: true });
    await change(managing.id, { lastUsedAt: daysAgo(300), disablesAt: daysAgo(1) });
    expect(await enforce()).toEqual({});
    expect(await keys.show(managing.id)).toMatchObject({ status: 'active' });
    expect(service.log()).toContain('The last API key that may manage keys is unused');
  });
});
