import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { CliInProcess } from '../../../test/cli/support/cli-in-process';
import { codeBlocksOf } from '../../../test/modules/support/guide-blocks';
import { describeOneEngine } from '../../../test/support/databases/databases';
import { startTestService, type TestService } from '../../../test/support/service/service';
import { until } from '../../../test/support/until';
import { AuditEventsRepository } from '../../platform/audit/audit-events.repository';
import { AuditLog } from '../../platform/audit/audit-log';
import { Database } from '../../platform/database/database';
import { EventDeliverer } from '../../platform/events/event-deliverer.service';
import { Events } from '../../platform/events/events';
import { createLogger } from '../../platform/logging/logger';
import { LogOutput } from '../../platform/logging/log-output';
import { AuditLines } from './audit-lines';

const AUDIT_LOG = { AUDIT_LOG: 'true' };

const PAGE = readFileSync(join(__dirname, '../../../docs/operations/audit.md'), 'utf8');

const blocksOf = (language: string) =>
  codeBlocksOf(PAGE)
    .filter((block) => block.language === language)
    .map(({ text }) => text);

interface VectorConfiguration {
  readonly transforms: { readonly petstore_audit: { readonly source: string } };
  readonly sinks: { readonly audit_archive: object };
}

/** More than a logger writes of an array by itself. */
const TAGS = Array.from({ length: 150 }, (_, index) => index);

interface Line {
  readonly audit: {
    readonly id: number;
    readonly action: string;
    readonly subjectId: string;
    readonly after: unknown;
  };
}

describeOneEngine('The lines of the audit log', (engine) => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService(engine, AUDIT_LOG);
    service.app.get(EventDeliverer).begin();
  });
  afterAll(() => service.stop());

  const record = (action: string, count = 1) =>
    service.app.get(Database).transaction(() => {
      const ids = Array.from({ length: count }, (_, index) => index);
      const changes = ids.map((id) => ({
        action,
        subject: { type: 'things', id: String(id) },
        after: { tags: TAGS },
      }));
      return service.app.get(AuditLog).recordMany(changes);
    });
  const lines = (action: string) =>
    service
      .log()
      .split('\n')
      .filter((line) => line.includes(`"action":"${action}"`))
      .map((line) => JSON.parse(line) as Line);

  it('have what an export has of each event, in order', async () => {
    const ids = await record('things.many', 600);
    await until(() => lines('things.many').length === ids.length);
    const [first] = lines('things.many');
    expect(Object.keys(first?.audit ?? {})).toEqual(
      'id at actor action subjectType subjectId before after requestId address actorName whole'.split(' '),
    );
    expect(first?.audit.after).toEqual({ tags: TAGS });
    const [shown = ''] = blocksOf('json');
    const members = (line: Line) => [Object.keys(line), Object.keys(line.audit)];
    expect(members(JSON.parse(shown) as Line)).toEqual(members(first as Line));
    expect(lines('things.many').map(({ audit }) => audit.id)).toEqual(ids.map(Number));
  });

  it('are found by the member that the agent of the page asks for', () => {
    const [agent = ''] = blocksOf('yaml');
    const { transforms, sinks } = parse(agent) as VectorConfiguration;
    expect(transforms.petstore_audit.source).toContain('exists(line.audit)');
    expect(sinks.audit_archive).toMatchObject({
      inputs: ['petstore_audit'],
      acknowledgements: { enabled: true },
    });
  });

  it('are written after the commit alone', async () => {
    const undone = service.app.get(Database).transaction(async () => {
      await record('things.undone');
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await record('things.done');
    await until(() => lines('things.done').length === 1);
    expect(lines('things.undone')).toEqual([]);
  });

  it('are written by a process that serves, of what a process has recorded that is gone', async () => {
    const environment = { DATABASE_URL: service.database.url, ...AUDIT_LOG };
    const create = ['keys', 'create', '--name', 'shop', '--scopes', 'pets:read'];
    const { id } = await new CliInProcess(environment).json<{ id: string }>(...create);
    const isWritten = () => lines('keys.create').some(({ audit }) => audit.subjectId === id);
    await until(isWritten);
    expect(isWritten()).toBe(true);
  });

  it('are written again if the reader of the log may have missed them', async () => {
    const isBehind = jest.spyOn(LogOutput.prototype, 'isBehind', 'get').mockReturnValueOnce(true);
    await record('things.again');
    await until(() => lines('things.again').length > 1);
    expect(lines('things.again')).toHaveLength(2);
    isBehind.mockRestore();
  });

  it('are written whatever the level of the log is', async () => {
    const written: string[] = [];
    const logger = createLogger('error', { write: (line) => void written.push(line) });
    const get = service.app.get.bind(service.app);
    const ids = await record('things.quiet');
    await new AuditLines(get(AuditLog), get(Events), get(AuditEventsRepository), logger).write({
      subject: 'audit',
      ids,
    });
    expect(written.map((line) => (JSON.parse(line) as Line).audit.action)).toEqual(['things.quiet']);
  });
});

describeOneEngine('Without AUDIT_LOG', (engine) => {
  it('no audit event waits for its line', async () => {
    const service = await startTestService(engine);
    const stored = await service.app.get(Database).dataSource.query<unknown[]>('SELECT 1 FROM stored_events');
    expect(stored).toEqual([]);
    await service.stop();
  });
});
