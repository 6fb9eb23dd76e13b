import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { AuditLog } from '../../../platform/audit/audit-log';
import { SettledEvents } from '../../../platform/audit/settled-events';
import type { Settings } from '../../../platform/config/settings';
import { SETTINGS } from '../../../platform/config/settings.module';
import { Database } from '../../../platform/database/database';
import { LOGGER } from '../../../platform/logging/logging.module';
import { describeEachEngine } from '../../../../test/support/databases/databases';
import { startTestService, type TestService } from '../../../../test/support/service/service';
import { type Anchor, readAnchors } from './anchors';
import { AuditChainRepository } from './audit-chain.repository';
import { AuditRetentionJob } from './audit-retention-job';
import { AuditSealer } from './audit-sealer.service';
import { type ChainReport, AuditVerifier } from './audit-verifier.service';
import { randomTampering, Random } from '../../../../test/support/service/audit-tampering';

const DAY_MS = 86_400_000;

/** Events with gaps between their ids, into which others can be inserted. */
const EVENTS = 60;
const LAST_OLD = 1_000 + EVENTS * 10;

/** Five hundred on each engine: a thousand together. */
const CHANGES = 500;

interface Attack {
  readonly statements: readonly string[];
  readonly anchors?: ReadonlyMap<bigint, Anchor>;
  /** Further forgery after the statements. */
  readonly forge?: () => Promise<void>;
}

class Undone extends Error {}

describeEachEngine('The chain of audit events', (engine) => {
  let service: TestService;
  let database: Database;
  let sealer: AuditSealer;
  let verifier: AuditVerifier;
  const anchorFile = join(mkdtempSync(join(tmpdir(), 'anchors-')), 'anchors.ndjson');

  const sql = <Row>(text: string) => database.dataSource.query<Row[]>(text);
  const record = (action: string) =>
    database.transaction(() =>
      service.app.get(AuditLog).record({ action, subject: { type: 'things', id: 1n }, after: { id: 1n } }),
    );
  const insert = (id: number, at = new Date()) =>
    sql(
      `INSERT INTO audit_events (id, at, actor, action, subject_type, subject_id, "after") VALUES (${id}, '${storedInstant(at)}', 'cli:jo', 'things.create', 'things', '${id}', '{"name":"Ömer \\u2028 \\"x\\""}')`,
    );
  const storedInstant = (at: Date) =>
    at
      .toISOString()
      .replace('T', ' ')
      .replace('Z', engine === 'sqlite' ? '' : '+00');

  /** Attacks as a superuser who has switched the triggers off, and verifies the chain; rolls everything back afterwards. */
  async function tampered({ statements, anchors, forge }: Attack): Promise<ChainReport> {
    let report: ChainReport | undefined;
    const work = database.transaction(async () => {
      const triggers = "SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'audit_%'";
      if (engine === 'postgres') await sql('SET LOCAL session_replication_role = replica');
      else for (const { name } of await sql<{ name: string }>(triggers)) await sql(`DROP TRIGGER "${name}"`);
      for (const statement of statements) await sql(statement);
      await forge?.();
      report = await verifier.verify(anchors ? { anchors } : {});
      throw new Undone();
    });
    await expect(work).rejects.toThrow(Undone);
    return report as ChainReport;
  }

  beforeAll(async () => {
    service = await startTestService(engine, { AUDIT_RETENTION_DAYS: '30', AUDIT_ANCHOR_FILE: anchorFile });
    database = service.app.get(Database);
    sealer = service.app.get(AuditSealer);
    verifier = service.app.get(AuditVerifier);
    const old = new Date(Date.now() - 40 * DAY_MS);
    for (let index = 1; index <= EVENTS; index++) await insert(1_000 + index * 10, old);
    if (engine === 'postgres') await sql("SELECT setval('audit_events_id_seq', 100000)");
    await sealer.seal();
  });
  afterAll(() => service.stop());

  it('is reported whole as it was sealed, with the number of events not yet sealed', async () => {
    expect(await verifier.verify()).toMatchObject({ unsealed: 0, begin: null, fault: null });
    await record('things.touch');
    expect(await verifier.verify()).toMatchObject({ unsealed: 1, fault: null });
    await sealer.seal();
    expect(await verifier.verify({ anchors: await readAnchors(anchorFile) })).toMatchObject({
      unsealed: 0,
      fault: null,
    });
  });

  it('names the first event that a superuser changed with the triggers off, in hundreds of random changes', async () => {
    const random = new Random(20_261_122);
    const anchors = await readAnchors(anchorFile);
    const events = await sql<{ id: bigint }>('SELECT id FROM audit_events ORDER BY id');
    const ids = events.map(({ id }) => Number(id));
    const unnamed: object[] = [];
    for (let change = 0; change < CHANGES; change++) {
      const tampering = randomTampering(random, engine, ids);
      const { fault } = await tampered({ ...tampering, anchors });
      if (!fault || !tampering.places.includes(Number(fault.sequence))) unnamed.push({ ...tampering, fault });
    }
    expect(unnamed).toEqual([]);
  });

  it('is found cut at its end with the help of an anchor', async () => {
    const anchors = await readAnchors(anchorFile);
    const cut = [
      `DELETE FROM audit_seals WHERE event_id > ${LAST_OLD - 50}`,
      `DELETE FROM audit_events WHERE id > ${LAST_OLD - 50}`,
    ];
    expect((await tampered({ statements: cut })).fault).toBeNull();
    const { fault } = await tampered({ statements: cut, anchors });
    expect(fault).toMatchObject({ kind: 'cut', eventId: BigInt(LAST_OLD) });
  });

  it('is found rebuilt as a whole with the help of an anchor', async () => {
    const anchors = await readAnchors(anchorFile);
    const { app } = service;
    const settings = { ...app.get<Settings>(SETTINGS), auditAnchorFile: undefined };
    const forger = new AuditSealer(
      app.get(AuditChainRepository),
      app.get(SettledEvents),
      database,
      settings,
      app.get(LOGGER),
    );
    const statements = [
      'DELETE FROM audit_seals',
      `UPDATE audit_events SET actor = 'x' WHERE id = ${LAST_OLD - 50}`,
    ];
    const forge = () => forger.seal();
    expect((await tampered({ statements, forge })).fault).toBeNull();
    const { fault } = await tampered({ statements, forge, anchors });
    expect(fault).toMatchObject({ kind: 'rewritten', eventId: BigInt(LAST_OLD) });
  });

  it('writes anchors to the log and to a file that only its owner can read, and is verified with either', async () => {
    expect(statSync(anchorFile).mode & 0o777).toBe(0o600);
    const { end } = await verifier.verify();
    const last = JSON.parse(readFileSync(anchorFile, 'utf8').trimEnd().split('\n').at(-1) ?? '') as object;
    expect(last).toMatchObject({
      sequence: Number(end.sequence),
      eventId: Number(end.eventId),
      hash: end.hash,
    });
    const log = join(anchorFile, '..', 'service.log');
    writeFileSync(log, `no JSON\n${service.log()}`);
    expect(await readAnchors(log)).toEqual(await readAnchors(anchorFile));
  });

  it('stays one chain when two processes seal at once', async () => {
    for (let index = 0; index < 20; index++) await record('things.touch');
    await Promise.allSettled([sealer.seal(), sealer.seal(), sealer.seal()]);
    await sealer.seal();
    expect(await verifier.verify()).toMatchObject({ unsealed: 0, fault: null });
  });

  it('is not sealed past an event with a lower id that is still being committed', async () => {
    if (engine === 'sqlite') return;
    const other = await new DataSource({ type: 'postgres', url: service.database.url }).initialize();
    const runner = other.createQueryRunner();
    await runner.startTransaction();
    await runner.query(
      `INSERT INTO audit_events (at, actor, action, subject_type, subject_id) VALUES (now(), 'late', 'things.touch', 'things', '1')`,
    );
    await record('things.touch');
    const before = await verifier.verify();
    await sealer.seal();
    expect(await verifier.verify()).toMatchObject({ end: before.end, unsealed: 1 });
    await runner.commitTransaction();
    await other.destroy();
    await sealer.seal();
    expect(await verifier.verify()).toMatchObject({
      verified: before.verified + 2,
      unsealed: 0,
      fault: null,
    });
  });

  it('cannot be changed or removed while the triggers are on', async () => {
    for (const statement of [
      `UPDATE audit_seals SET hash = 'x'`,
      'DELETE FROM audit_seals',
      'DELETE FROM audit_events',
      ...(engine === 'postgres' ? ['TRUNCATE audit_seals'] : []),
    ]) {
      await expect(sql(statement)).rejects.toThrow(/append-only/);
    }
  });

  it('is verified over many pages', async () => {
    const many = Array.from({ length: 2_345 }, () => ({
      action: 'many.touch',
      subject: { type: 'many', id: 1n },
    }));
    await database.transaction(() => service.app.get(AuditLog).recordMany(many));
    await sealer.seal();
    const report = await verifier.verify();
    expect(report).toMatchObject({ unsealed: 0, fault: null });
    const statement = `UPDATE audit_events SET actor = 'x' WHERE id = (SELECT event_id FROM audit_seals WHERE sequence = 2001)`;
    expect((await tampered({ statements: [statement] })).fault).toMatchObject({
      kind: 'changed',
      sequence: 2001n,
    });
  });

  it('goes on with a sealed event about the removal after events are removed at the end of their retention period', async () => {
    const whole = await verifier.verify();
    await service.app.get(AuditRetentionJob).run();
    const report = await verifier.verify({ anchors: await readAnchors(anchorFile) });
    expect(report).toMatchObject({ begin: { eventId: BigInt(LAST_OLD) }, unsealed: 0, fault: null });
    expect(report.verified).toBe(whole.verified - Number(report.begin?.sequence) + 1);
    expect(await sql(`SELECT id FROM audit_events WHERE id <= ${LAST_OLD}`)).toEqual([]);
    await expect(sql('DELETE FROM audit_events')).rejects.toThrow(/append-only/);
    const [removal] = await sql<{ id: bigint }>(`SELECT id FROM audit_events WHERE action = 'audit.remove'`);
    const begin = String(report.begin?.sequence);
    const lie = `UPDATE audit_events SET "after" = replace("after", '"lastSequence":${begin}', '"lastSequence":${begin}0') WHERE id = ${removal?.id}`;
    expect((await tampered({ statements: [lie] })).fault).toMatchObject({
      kind: 'changed',
      eventId: removal?.id,
    });
  });
});
