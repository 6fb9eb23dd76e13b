import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeOneEngine } from '../../../test/support/databases/databases';
import { makeFolder } from '../../../test/support/folders';
import { startTestService, type TestService } from '../../../test/support/service/service';
import { AuditLog } from '../../platform/audit/audit-log';
import { newKey } from '../../platform/audit/commitment';
import { PersonalKey } from '../../platform/audit/personal-key.entity';
import { Database } from '../../platform/database/database';
import { AuditSealer } from '../audit/chain/audit-sealer.service';
import { AuditVerifier } from '../audit/chain/audit-verifier.service';
import { exportKeys, importKeys } from './personal-keys';

describeOneEngine('The keys of a restored database', (engine) => {
  let service: TestService;
  let database: Database;
  const folder = makeFolder();
  const file = join(folder, 'personal-keys.ndjson');

  beforeAll(async () => {
    service = await startTestService(engine);
    database = service.app.get(Database, { strict: false });
  });
  afterAll(() => service.stop());

  const record = (id: string, name: string) =>
    database.transaction(() =>
      service.app.get(AuditLog, { strict: false }).record({
        action: 'things.name',
        subject: { type: 'things', id },
        after: { name },
        personal: ['name'],
      }),
    );
  const keys = () => database.dataSource.getRepository(PersonalKey);
  const nameOf = async (id: string) =>
    (await service.app.get(AuditLog, { strict: false }).latest({ type: 'things', id }))?.after;

  it('are added from the newest file, but for one that is newer than the values of its subject', async () => {
    await record('1', 'Ana');
    await record('2', 'Ben');
    await service.app.get(AuditSealer, { strict: false }).seal();
    await exportKeys(database.dataSource, file);
    // As if 1 had been erased after the backup, and been named again: the file has another key.
    await keys().delete({ subjectType: 'things' });
    const line = JSON.stringify({ subjectType: 'things', subjectId: '1', key: newKey() });
    const newest = join(folder, 'newest.ndjson');
    writeFileSync(newest, `${line}\n`);
    expect(await importKeys(database.dataSource, newest)).toEqual({ imported: 0, leftOut: 1 });
    const { fault } = await service.app.get(AuditVerifier, { strict: false }).verify();
    expect(fault?.message).toContain('the key of things/1 is missing');

    expect(await importKeys(database.dataSource, file)).toEqual({ imported: 2, leftOut: 0 });
    expect([await nameOf('1'), await nameOf('2')]).toEqual(['{"name":"Ana"}', '{"name":"Ben"}']);
    expect(await service.app.get(AuditVerifier, { strict: false }).verify()).toMatchObject({ fault: null });
  });

  it('fit if the newest value does: what an interrupted erasure left is under an older one', async () => {
    await record('3', 'Cleo');
    await keys().delete({ subjectType: 'things', subjectId: '3' });
    await record('3', 'Dora');
    await exportKeys(database.dataSource, file);
    await keys().delete({ subjectType: 'things', subjectId: '3' });
    expect(await importKeys(database.dataSource, file)).toEqual({ imported: 1, leftOut: 0 });
    expect(await nameOf('3')).toBe('{"name":"Dora"}');
  });

  it('are not all read at the end of a file', async () => {
    await record('4', 'Emil');
    const empty = join(folder, 'empty.ndjson');
    writeFileSync(empty, '');
    const read = jest.spyOn(keys(), 'findBy');
    expect(await importKeys(database.dataSource, empty)).toEqual({ imported: 0, leftOut: 0 });
    expect(await Promise.all(read.mock.results.map(({ value }) => value as Promise<unknown[]>))).toEqual([]);
    read.mockRestore();
  });
});
