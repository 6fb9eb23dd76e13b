import { createReadStream, renameSync, rmSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { DataSource } from 'typeorm';
import { PersonalKey } from '../../platform/audit/personal-key.entity';
import { PersonalValue } from '../../platform/audit/personal-value.entity';
import { CommandError } from '../../platform/cli/command-error';
import { makePrivateFile } from '../../platform/database/driver/sqlite-file';

/** Name of the file beside backups, which each of them replaces. */
export const KEYS_FILE = 'personal-keys.ndjson';

/** Keys in memory at a time. */
const BATCH = 200;

/**
 * Writes the keys of personal values to a file, in place of the one before: so a key that was erased is in no file.
 *
 * @returns the number of keys
 * @throws CommandError if the file cannot be written
 */
export async function exportKeys(dataSource: DataSource, file: string): Promise<number> {
  const unfinished = `${file}.unfinished`;
  let count = 0;
  try {
    rmSync(unfinished, { force: true });
    makePrivateFile(unfinished);
    for await (const keys of pagesOfKeys(dataSource)) {
      const lines = keys.map(({ subjectType, subjectId, key }) =>
        JSON.stringify({ subjectType, subjectId, key }),
      );
      await appendFile(unfinished, `${lines.join('\n')}\n`, { flush: true });
      count += keys.length;
    }
    renameSync(unfinished, file);
    return count;
  } catch (error) {
    throw new CommandError({
      message: `${file} cannot be written: ${(error as Error).message}.`,
      cause: error,
    });
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/**
 * Adds keys of a file of {@link exportKeys} to a restored database: those of subjects that have values and no key.
 *
 * @returns the number of keys added
 * @throws CommandError if the file cannot be read
 */
export async function importKeys(dataSource: DataSource, file: string): Promise<number> {
  let added = 0;
  let batch: PersonalKey[] = [];
  try {
    for await (const line of createInterface({ input: createReadStream(file) })) {
      if (line !== '') batch.push(JSON.parse(line) as PersonalKey);
      if (batch.length < BATCH) continue;
      added += await addMissing(dataSource, batch);
      batch = [];
    }
    return added + (await addMissing(dataSource, batch));
  } catch (error) {
    throw new CommandError({ message: `${file} cannot be read: ${(error as Error).message}.`, cause: error });
  }
}

async function addMissing(dataSource: DataSource, keys: readonly PersonalKey[]): Promise<number> {
  if (keys.length === 0) return 0;
  const subjects = keys.map(({ subjectType, subjectId }) => ({ subjectType, subjectId }));
  const used = await dataSource
    .getRepository(PersonalValue)
    .createQueryBuilder('stored')
    .select('stored.subjectType', 'subjectType')
    .addSelect('stored.subjectId', 'subjectId')
    .distinct()
    .where(subjects)
    .getRawMany<Pick<PersonalKey, 'subjectType' | 'subjectId'>>();
  const present = await dataSource.getRepository(PersonalKey).findBy(subjects);
  const nameOf = ({ subjectType, subjectId }: Pick<PersonalKey, 'subjectType' | 'subjectId'>) =>
    `${subjectType}/${subjectId}`;
  const [withValues, withKey] = [new Set(used.map(nameOf)), new Set(present.map(nameOf))];
  const missing = keys.filter((key) => withValues.has(nameOf(key)) && !withKey.has(nameOf(key)));
  if (missing.length > 0) await dataSource.getRepository(PersonalKey).insert(missing);
  return missing.length;
}

async function* pagesOfKeys(dataSource: DataSource): AsyncGenerator<PersonalKey[]> {
  for (let last: PersonalKey | undefined; ;) {
    const query = dataSource
      .getRepository(PersonalKey)
      .createQueryBuilder('held')
      .orderBy('held.subjectType')
      .addOrderBy('held.subjectId')
      .limit(BATCH);
    if (last) {
      const { subjectType, subjectId } = last;
      query.where('(held.subjectType, held.subjectId) > (:subjectType, :subjectId)', {
        subjectType,
        subjectId,
      });
    }
    const keys: PersonalKey[] = await query.getMany();
    if (keys.length > 0) yield keys;
    last = keys.at(-1);
    if (keys.length < BATCH) return;
  }
}
