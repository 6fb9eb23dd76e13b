import { execute } from '../../test/cli/support/execute';
import {
  createTestDatabase,
  describeOneEngine,
  type TestDatabase,
} from '../../test/support/databases/databases';
import { migrate } from '../../test/support/databases/migrated-database';
import { fakeOnly } from '../../test/support/fake-only';
import { until } from '../../test/support/until';
import { loadSettings } from '../platform/config/load-settings';
import { ServiceUnavailableError } from '../platform/errors/http-errors';
import { createLogger } from '../platform/logging/logger';
import { createToken } from '../platform/security/api-key-token';
import { type RunningService, startService } from '../process/start-service';
import { ApiKeysService } from './api-keys.service';

const FAILING = 'The BOOTSTRAP_API_KEY does not work yet; it is retried every second.';
const WORKS = 'The BOOTSTRAP_API_KEY works.';
const REFUSED = 'The BOOTSTRAP_API_KEY is refused.';

describeOneEngine('The BOOTSTRAP_API_KEY', (engine) => {
  let database: TestDatabase;
  let running: RunningService | undefined;
  let lines: string[];
  let attempts: jest.SpiedFunction<ApiKeysService['bootstrap']>;
  const token = createToken();

  beforeEach(async () => {
    database = await createTestDatabase(engine);
    lines = [];
    attempts = jest.spyOn(ApiKeysService.prototype, 'bootstrap');
  });
  afterEach(async () => {
    await running?.stop();
    running = undefined;
    jest.restoreAllMocks();
    await database.drop();
  });

  const start = async (environment: Record<string, string>) => {
    const settings = loadSettings({
      PORT: '0',
      MANAGEMENT_PORT: '0',
      NODE_ENV: 'production',
      DATABASE_URL: database.url,
      ...environment,
    });
    running = await startService(settings, createLogger('info', { write: (line) => void lines.push(line) }));
    return running;
  };
  /** Migrates the database, and lets a service work on it that is stopped afterwards. */
  const migrateAnd = async (work: (keys: ApiKeysService) => Promise<void>) => {
    await migrate(database.url);
    const service = await start({});
    await work(service.app.get(ApiKeysService));
    await service.stop();
    running = undefined;
    attempts.mockClear();
  };
  const breakDatabase = () => execute(database, 'ALTER TABLE api_keys RENAME TO api_keys_away');
  const mendDatabase = () => execute(database, 'ALTER TABLE api_keys_away RENAME TO api_keys');
  const count = (message: string) => lines.filter((line) => line.includes(JSON.stringify(message))).length;
  const statusOf = async ({ url }: RunningService) => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${url}/v1/pets`, { headers });
    await response.arrayBuffer();
    return response.status;
  };

  it('works as soon as a database that failed at the start is back, and the log says both once', async () => {
    await migrate(database.url);
    await breakDatabase();
    const service = await start({ BOOTSTRAP_API_KEY: token });
    await until(() => attempts.mock.calls.length > 2);
    expect([count(FAILING), count(WORKS)]).toEqual([1, 0]);
    await mendDatabase();
    await until(() => count(WORKS) > 0);
    expect(await statusOf(service)).toBe(200);
    expect([count(FAILING), count(WORKS)]).toEqual([1, 1]);
  });

  it('is tried again after a failure that follows the migration it has waited for', async () => {
    const service = await start({
      BOOTSTRAP_API_KEY: token,
      MIGRATE_ON_START: 'false',
      NODE_ENV: 'development',
    });
    expect(count(FAILING)).toBe(0);
    attempts.mockRejectedValueOnce(new ServiceUnavailableError());
    const other = await startService(
      loadSettings({ PORT: '0', MANAGEMENT_PORT: '0', DATABASE_URL: database.url, MIGRATE_ON_START: 'true' }),
      createLogger('fatal'),
    );
    await other.stop();
    await until(() => count(WORKS) > 0);
    expect(await statusOf(service)).toBe(200);
    expect([count(FAILING), count(WORKS)]).toEqual([1, 1]);
  });

  it('is not tried again once it is refused because an operator has revoked it', async () => {
    await migrateAnd(async (keys) => {
      await keys.bootstrap(token);
      const [{ id = '' } = {}] = await keys.list();
      await keys.revoke(id, { evenLast: true });
    });
    await breakDatabase();
    const service = await start({ BOOTSTRAP_API_KEY: token });
    await mendDatabase();
    fakeOnly(['setTimeout', 'clearTimeout']);
    await until(() => count(REFUSED) > 0);
    const { length } = attempts.mock.calls;
    jest.advanceTimersByTime(10_000);
    expect(await statusOf(service)).toBe(401);
    jest.useRealTimers();
    expect(attempts.mock.calls).toHaveLength(length);
    expect([count(FAILING), count(REFUSED), count(WORKS)]).toEqual([1, 1, 0]);
  });
});
