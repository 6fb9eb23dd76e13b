import { setTimeout as pause } from 'node:timers/promises';
import { createToken } from '../../src/platform/security/api-key-token';
import { createTestDatabase, type TestDatabase } from '../support/databases/databases';
import { makeFolder } from '../support/folders';
import { endServiceProcesses, runCli, ServiceProcess } from '../support/processes/service-process';
import { until } from '../support/until';

/** How long a revoked key may still work elsewhere, in milliseconds. */
const REVOKED_WITHIN_MS = 5_000;
/** What a busy machine may add: a request on its way, the end of the command. */
const SLACK_MS = 2_000;

const cwd = makeFolder();

/** A client that uses a key on one node without a break, and notes when it was last accepted and first refused. */
class ConstantUser {
  acceptedAt = 0;
  refusedAt = 0;
  accepted = 0;
  private readonly stopping = new AbortController();
  private readonly ended = this.run();

  constructor(
    private readonly node: ServiceProcess,
    private readonly key: string,
  ) {}

  stop(): Promise<void> {
    this.stopping.abort();
    return this.ended;
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const sentAt = Date.now();
      const { status } = await this.node.fetch('/v1/pets?limit=1', this.key);
      if (status === 200) {
        this.accepted++;
        this.acceptedAt = sentAt;
      } else if (status === 401) this.refusedAt ||= sentAt;
      else throw new Error(`The status was ${status}.`);
      await pause(20);
    }
  }
}

describe('A key that is revoked', () => {
  let database: TestDatabase;
  let nodes: ServiceProcess[];

  beforeEach(async () => {
    database = await createTestDatabase('postgres');
    const environment = {
      DATABASE_URL: database.url,
      MIGRATE_ON_START: 'true',
      BOOTSTRAP_API_KEY: createToken(),
    };
    nodes = [
      await ServiceProcess.start(environment, { cwd }),
      await ServiceProcess.start(environment, { cwd }),
    ];
  });
  afterEach(async () => {
    await endServiceProcesses();
    await database.drop();
  });

  const cli = (...words: string[]) => runCli({ DATABASE_URL: database.url }, cwd, ...words);

  // Nothing tells the nodes: what they remember of a key is forgotten in time.
  it('is refused by two other nodes within five seconds and ever after, however constantly it is used', async () => {
    const made = await cli('keys', 'create', '--name', 'busy', '--scopes', 'pets:read', '--json');
    const { id, key } = JSON.parse(made) as { id: string; key: string };
    const users = nodes.map((node) => new ConstantUser(node, key));
    // So long that what is remembered of it has been renewed before.
    await pause(REVOKED_WITHIN_MS + 1_000);
    for (const user of users) {
      expect(user.accepted).toBeGreaterThan(10);
      expect(user.refusedAt).toBe(0);
    }

    await cli('keys', 'revoke', id);
    const revokedAt = Date.now();
    await until(() => users.every(({ refusedAt }) => refusedAt > 0) || Date.now() > revokedAt + 30_000);
    await pause(500);
    for (const user of users) {
      await user.stop();
      expect(user.refusedAt).toBeGreaterThan(0);
      expect(user.acceptedAt - revokedAt).toBeLessThan(REVOKED_WITHIN_MS + SLACK_MS);
      expect(user.acceptedAt).toBeLessThan(user.refusedAt);
    }
  });
});
