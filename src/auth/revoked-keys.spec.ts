import { setTimeout as pause } from 'node:timers/promises';
import { describeOneEngine } from '../../test/support/databases/databases';
import { startTestService, type TestService } from '../../test/support/service/service';
import type { IssuedApiKey } from './dto/key-view';
import { ApiKeysRepository, type KeyChange } from './api-keys.repository';
import { ApiKeysService } from './api-keys.service';

/** Longest time for which a node may accept a key that was revoked elsewhere, as clients are told, in milliseconds. */
const REVOKED_WITHIN_MS = 5_000;

describeOneEngine('An API key that is changed while it is in the cache', (engine) => {
  let service: TestService;
  let keys: ApiKeysService;
  let repository: ApiKeysRepository;
  beforeAll(async () => {
    service = await startTestService(engine);
    keys = service.app.get(ApiKeysService);
    repository = service.app.get(ApiKeysRepository);
  });
  afterAll(() => service.stop());
  let release = () => {};
  afterEach(() => {
    // A failing test leaves no request behind that would wait for ever.
    release();
    jest.restoreAllMocks();
  });

  const make = () => keys.create({ name: 'shop', scopes: ['pets:read'] });
  const statusWith = async ({ token }: IssuedApiKey) => {
    const response = await service.fetch('/v1/pets', { headers: { authorization: `Bearer ${token}` } });
    await response.arrayBuffer();
    return response.status;
  };
  /** Changes a key as another node does, without telling this one. */
  const changeElsewhere = ({ key }: IssuedApiKey, change: KeyChange) => repository.update(key.id, change);
  const revokeElsewhere = (key: IssuedApiKey) => changeElsewhere(key, { revokedAt: new Date() });

  /** Stops the clock by which the cache tells ages. @returns a function that moves it on */
  const stopClock = () => {
    let now = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    return async (ms: number) => {
      now += ms;
      // The cache reads the time at most once a millisecond.
      await pause(2);
    };
  };

  /** Holds the database's answer to the next look-up back from the service. */
  const holdNextResponse = () => {
    const answered = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const find = repository.findByHash.bind(repository);
    jest.spyOn(repository, 'findByHash').mockImplementationOnce(async (tokenHash) => {
      const key = await find(tokenHash);
      answered.resolve();
      await released.promise;
      return key;
    });
    release = () => released.resolve();
    return answered.promise;
  };

  it.each<[string, KeyChange, KeyChange, number[]]>([
    ['refused', { revokedAt: null }, { revokedAt: new Date() }, [200, 401]],
    ['refused until it is enabled', { disabledAt: null }, { disabledAt: new Date() }, [200, 401]],
    ['accepted again', { disabledAt: new Date() }, { disabledAt: null }, [401, 200]],
  ])(
    'is %s five seconds after its lookup when another process has changed it',
    async (_what, before, change, expected) => {
      const advance = stopClock();
      const key = await make();
      await changeElsewhere(key, before);
      const found = [await statusWith(key)];
      await changeElsewhere(key, change);
      await advance(REVOKED_WITHIN_MS + 1);
      found.push(await statusWith(key));
      expect(found).toEqual(expected);
    },
  );

  it('is looked up once in five seconds', async () => {
    const advance = stopClock();
    const key = await make();
    const find = jest.spyOn(repository, 'findByHash');
    expect(await statusWith(key)).toBe(200);
    await advance(REVOKED_WITHIN_MS - 1);
    expect(await statusWith(key)).toBe(200);
    expect(find).toHaveBeenCalledTimes(1);
  });

  it('is refused five seconds after its lookup began, however long the lookup took', async () => {
    const advance = stopClock();
    const key = await make();
    const answered = holdNextResponse();
    const first = statusWith(key);
    await answered;
    await revokeElsewhere(key);
    await advance(REVOKED_WITHIN_MS - 500);
    release();
    expect(await first).toBe(200);
    await advance(501);
    expect(await statusWith(key)).toBe(401);
  });

  it('is looked up again by a request that comes five seconds after a lookup that still hangs', async () => {
    const advance = stopClock();
    const key = await make();
    const answered = holdNextResponse();
    const first = statusWith(key);
    await answered;
    await revokeElsewhere(key);
    await advance(REVOKED_WITHIN_MS + 1);
    expect(await statusWith(key)).toBe(401);
    release();
    expect(await first).toBe(200);
    // The older answer does not replace the newer one.
    expect(await statusWith(key)).toBe(401);
  });

  it.each<[string, (id: string) => Promise<unknown>]>([
    ['revoked', (id) => keys.revoke(id)],
    ['disabled', (id) => keys.disable(id)],
    ['rotated without an overlap', (id) => keys.rotate(id, 0)],
  ])(
    'is refused at once when this process has it %s, even while an older lookup is under way',
    async (_, change) => {
      const key = await make();
      const answered = holdNextResponse();
      const first = statusWith(key);
      await answered;
      await change(key.key.id);
      expect(await statusWith(key)).toBe(401);
      release();
      expect(await first).toBe(200);
      expect(await statusWith(key)).toBe(401);
    },
  );

  it('is not cached by a lookup that began before this process revoked it', async () => {
    const key = await make();
    const answered = holdNextResponse();
    const first = statusWith(key);
    await answered;
    await keys.revoke(key.key.id);
    release();
    expect(await first).toBe(200);
    expect(await statusWith(key)).toBe(401);
  });

  it('works at once when this process enables it, even when an older lookup ends afterwards', async () => {
    const key = await make();
    await keys.disable(key.key.id);
    const answered = holdNextResponse();
    const first = statusWith(key);
    await answered;
    await keys.enable(key.key.id);
    release();
    expect(await first).toBe(401);
    expect(await statusWith(key)).toBe(200);
  });
});
