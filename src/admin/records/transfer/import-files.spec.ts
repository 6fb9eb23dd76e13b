import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { describeEachEngine } from '../../../../test/support/databases/databases';
import { csvOf, PetTransfers } from '../../../../test/admin/support/pet-transfers';
import { startTestService, type TestService } from '../../../../test/support/service/service';
import { PETS_ADMIN } from '../../../pets/pets.admin';
import { ImportFile } from './import-file';
import { ImportFilePart } from './import-file-part.entity';
import { ImportFiles } from './import-files.repository';
import { ImportRetentionJob } from './import-retention-job';
import { ImportService } from './import.service';

const PART = 262_144;

describeEachEngine('The stored file of an import', (engine) => {
  let service: TestService;
  let transfers: PetTransfers;
  let files: ImportFiles;

  beforeAll(async () => {
    service = await startTestService(engine);
    transfers = new PetTransfers(service);
    files = service.app.get(ImportFiles, { strict: false });
  });
  afterAll(() => service.stop());

  const parts = () => service.app.get(DataSource).getRepository(ImportFilePart);
  /** Ends an import after its first batch; the file has a byte order mark and some parts. */
  const begun = async (part: string) => {
    const content = `\ufeff${csvOf(part, 3_000)}x,${'y'.repeat(2 * PART)}\n`;
    const { run = 0n } = await transfers.begun(content, 'csv');
    return { content, run };
  };

  it('is there in parts until the import has ended, or was undone', async () => {
    const { content, run } = await begun('parts');
    const sizes = await transfers.partsOf(run);
    expect(sizes.slice(0, -1)).toEqual([PART, PART]);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(Buffer.byteLength(content));
    expect(await transfers.imported(content, 'csv')).toMatchObject({
      run,
      resumedAt: 1_000,
      imported: 3_000,
    });
    expect(await transfers.partsOf(run)).toEqual([]);
    const other = await begun('undone');
    await transfers.undo(other.run);
    expect(await transfers.partsOf(other.run)).toEqual([]);
  });

  it('is completed when its process died while it was stored', async () => {
    const { content, run } = await begun('half');
    await parts().delete({ runId: run, position: 2 });
    expect(await transfers.imported(content, 'csv')).toMatchObject({ run, done: 3_001 });
  });

  it('is what was read before, or nothing of it is imported', async () => {
    const path = join(transfers.folder, 'changing.csv');
    writeFileSync(path, csvOf('changing', 10));
    const file = await ImportFile.open(path, 'changing.csv', 'csv');
    const store = files.store.bind(files);
    jest.spyOn(files, 'store').mockImplementation((...args) => {
      appendFileSync(path, 'changing 10,1\n');
      return store(...args);
    });
    const importing = service.app.get(ImportService, { strict: false }).import(PETS_ADMIN, file);
    await expect(importing).rejects.toThrow('changing.csv was changed while it was stored');
    jest.restoreAllMocks();
    await file.close();
    expect([await transfers.stored('changing'), await parts().count()]).toEqual([[], 0]);
    expect(await transfers.imported(csvOf('changing', 10), 'csv')).toMatchObject({ imported: 10 });
  });

  it('is kept for seven days where the import was stopped, which can then go on with the file alone', async () => {
    const { content, run } = await begun('old');
    const retention = service.app.get(ImportRetentionJob, { strict: false });
    await retention.run();
    expect(await transfers.partsOf(run)).toHaveLength(3);
    await parts().update({ runId: run }, { at: new Date(Date.now() - 8 * 86_400_000) });
    await retention.run();
    expect(await transfers.partsOf(run)).toEqual([]);
    expect(await transfers.imported(content, 'csv')).toMatchObject({ run, resumedAt: 1_000, done: 3_001 });
  });
});
