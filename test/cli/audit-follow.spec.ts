import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { AuditRetentionJob } from '../../src/admin/audit/chain/audit-retention-job';
import { AuditSealer } from '../../src/admin/audit/chain/audit-sealer.service';
import { AuditLog } from '../../src/platform/audit/audit-log';
import { Database } from '../../src/platform/database/database';
import { describeOneEngine } from '../support/databases/databases';
import { makeFolder } from '../support/folders';
import { startTestService, type TestService } from '../support/service/service';
import { until } from '../support/until';
import { CliInProcess } from './support/cli-in-process';

interface Line {
  readonly id: number;
  readonly subjectId: string;
}

interface OcsfLine {
  readonly metadata: { readonly uid: string };
}

/** More than are in memory at a time. */
const MANY = 1_100;

const DAY_MS = 86_400_000;

describeOneEngine('petstore audit follow', (engine) => {
  let service: TestService;
  let cli: CliInProcess;

  beforeAll(async () => {
    service = await startTestService(engine, { AUDIT_RETENTION_DAYS: '30' });
    cli = new CliInProcess({ DATABASE_URL: service.database.url });
    const changes = Array.from({ length: MANY }, (_, index) => change(index));
    await service.app.get(Database).transaction(() => service.app.get(AuditLog).recordMany(changes));
  });
  afterAll(() => service.stop());

  const change = (index: number) => ({
    action: 'things.touch',
    subject: { type: 'things', id: String(index) },
  });
  const record = (index: number) =>
    service.app.get(Database).transaction(() => service.app.get(AuditLog).record(change(index)));
  const parse = <T = Line>(text: string) =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as T);
  const follow = async (...words: string[]) => {
    const { code, stdout, stderr } = await cli.run('audit', 'follow', '--once', ...words);
    expect([code, stderr]).toEqual([0, '']);
    return stdout;
  };

  it('writes all events oldest first, in the lines of an export', async () => {
    const exported = (await cli.run('audit', 'export')).stdout.split('\n').slice(0, -1).reverse();
    expect(exported.length).toBeGreaterThan(MANY);
    expect(await follow()).toBe(exported.map((line) => `${line}\n`).join(''));
  });

  it('writes OCSF events, whose uid is where to continue', async () => {
    const events = parse<OcsfLine>(await follow('--format', 'ocsf'));
    const { uid } = (events.at(-3) as OcsfLine).metadata;
    const rest = parse(await follow('--after', uid));
    expect(rest.map(({ id }) => String(id))).toEqual(events.slice(-2).map(({ metadata }) => metadata.uid));
  });

  it('writes nothing after the last event, and waits for the next ones until Ctrl+C', async () => {
    const last = await record(MANY);
    expect(await follow('--after', String(last))).toBe('');
    const child = cli.process.start('audit', 'follow', '--after', String(last));
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
    for (const index of [MANY + 1, MANY + 2]) {
      await record(index);
      await until(() => parse(text).at(-1)?.subjectId === String(index));
    }
    child.kill('SIGINT');
    await once(child, 'close');
    expect(child.exitCode).toBe(0);
    expect(parse(text).map(({ subjectId }) => subjectId)).toEqual([String(MANY + 1), String(MANY + 2)]);
  });

  it.each(['ndjson', 'ocsf'])('continues a file after its last whole line: %s', async (format) => {
    const file = join(makeFolder(), 'audit.log');
    const append = ['--append', file, '--format', format];
    expect(await follow(...append)).toBe('');
    const whole = readFileSync(file, 'utf8');
    const lines = whole.split('\n');
    // As a process leaves it that was killed in the middle of a line.
    writeFileSync(file, lines.slice(0, -3).join('\n') + '\n' + lines.at(-3)?.slice(0, 20));
    await follow(...append);
    expect(readFileSync(file, 'utf8')).toBe(whole);
    const other = format === 'ocsf' ? 'ndjson' : 'ocsf';
    const result = await cli.run('audit', 'follow', '--append', file, '--format', other);
    expect(result).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`The last line of ${file} is not a change in the format ${other}.\n`),
    });
  });

  it('refuses to continue after an event that the log does not have', async () => {
    const result = await cli.run('audit', 'follow', '--after', '999999999');
    expect([result.code, result.stdout]).toEqual([3, '']);
    expect(result.stderr).toContain(
      'The log has no change 999999999: it is another log, or was restored to an earlier state.\n',
    );
  });

  it('says which events were removed before they were read, and continues behind them', async () => {
    const at = new Date(Date.now() - 40 * DAY_MS).toISOString();
    const values = ['1', '2', '3'].map(
      (id) => `('${at}', 'cli:${userInfo().username}', 'old', 'old', '${id}')`,
    );
    const { dataSource } = service.app.get(Database);
    await dataSource.query(
      `INSERT INTO audit_events (at, actor, action, subject_type, subject_id) VALUES ${values.join()}`,
    );
    const old = parse(await follow()).slice(-3);
    await service.app.get(AuditSealer).seal();
    await service.app.get(AuditRetentionJob).run();

    const [first, , last] = old.map(({ id }) => id);
    const result = await cli.run('audit', 'follow', '--after', String(first));
    expect([result.code, result.stdout]).toEqual([4, '']);
    expect(result.stderr).toContain(
      `Changes after ${first} up to ${last} have been removed at the end of their retention period. To continue with those that are kept, begin after ${last}.\n`,
    );
    const kept = parse(await follow('--after', String(last)));
    expect(kept).toEqual([expect.objectContaining({ action: 'audit.remove' })]);
    expect(parse(await follow())).toEqual(kept);
  });
});
