import { Client } from 'pg';
import { describeEachEngine } from '../../../test/support/databases/databases';
import { startTestService, type TestService } from '../../../test/support/service/service';
import { until } from '../../../test/support/until';
import { Database } from '../database/database';
import { AuditLog } from './audit-log';
import { SettledEvents } from './settled-events';

const CHANGE = { action: 'things.touch', subject: { type: 'things', id: 1n } };
const INSERTION = `INSERT INTO audit_events (at, actor, action, subject_type, subject_id) VALUES (now(), 'cli:jo', 'things.touch', 'things', '1')`;

describeEachEngine('The settled audit events', (engine) => {
  let service: TestService;
  let settled: SettledEvents;
  const record = () => service.app.get(Database).transaction(() => service.app.get(AuditLog).record(CHANGE));

  /** The newest one once it is told, which takes several looks on a busy machine. */
  async function newestId(): Promise<bigint | undefined> {
    let id: bigint | undefined;
    await until(async () => (id = await settled.newestId()) !== undefined);
    return id;
  }

  beforeAll(async () => {
    service = await startTestService(engine);
    settled = service.app.get(SettledEvents);
  });
  afterAll(() => service.stop());

  it('end at the newest one that was committed', async () => {
    const id = await record();
    expect(await newestId()).toBe(id);
  });

  if (engine === 'sqlite') return;

  describe('while other transactions are open', () => {
    const clients: Client[] = [];
    const begin = async (...statements: string[]) => {
      const client = new Client({ connectionString: service.database.url });
      clients.push(client);
      await client.connect();
      for (const statement of ['BEGIN', ...statements]) await client.query(statement);
      return client;
    };
    afterEach(() => Promise.all(clients.splice(0).map((client) => client.end())));

    it.each([
      ['it has added an event', INSERTION],
      ['it has drawn the ids of many events first', `SELECT nextval('audit_events_id_seq')`],
    ])('are not told until one ends that may add an event with a lower id: %s', async (_title, statement) => {
      const open = await begin(statement);
      const id = await record();
      expect(await settled.newestId()).toBeUndefined();
      await open.query('COMMIT');
      expect(await newestId()).toBe(id);
    });

    it('are told when those that were open have ended, though others are always open', async () => {
      let [open, next] = [await begin(INSERTION), await begin('COMMIT')];
      const id = await record();
      const over = new AbortController();
      let told: bigint | undefined;
      const telling = until(async () => {
        told = await settled.newestId();
        return told !== undefined && told >= id;
      }).finally(() => over.abort());
      while (!over.signal.aborted) {
        await next.query(`BEGIN; ${INSERTION}`);
        await open.query('COMMIT');
        [open, next] = [next, open];
      }
      await telling;
      expect(told).toBeGreaterThanOrEqual(id);
    });

    it('are not held up by transactions that add none', async () => {
      await begin('SELECT count(*) FROM audit_events', `UPDATE pets SET name = name`);
      const id = await record();
      expect(await newestId()).toBe(id);
    });
  });
});
