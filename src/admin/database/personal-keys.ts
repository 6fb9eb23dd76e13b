import { createReadStream, renameSync, rmSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { DataSource } from 'typeorm';
import { subjectText } from '../../platform/audit/committed-event';
import { isSealedWith } from '../../platform/audit/commitment';
import { PersonalKey } from '../../platform/audit/personal-key.entity';
import { PersonalValue } from '../../platform/audit/personal-value.entity';
import { CommandError } from '../../platform/cli/command-error';
import { makePrivateFile } from '../../platform/database/driver/sqlite-file';

/** Name of the file beside backups, which each of them replaces. */
export const KEYS_FILE = 'personal-keys.ndjson';

/** Keys in memory at a time. */
const BATCH = 200;

/** Subject of a key or a value. */
type KeySubject = Pick<PersonalKey, 'subjectType' | 'subjectId'>;

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

/** The result of an import of keys. The members are stable: scripts read them. */
export interface ImportedKeys {
  /** Keys that were added. */
  readonly imported: number;
  /** Keys that are newer than the values of their subjects: these were erased since the backup. */
  readonly leftOut: number;
}

/**
 * Adds keys of a file of {@link exportKeys} to a restored database: those of subjects that have values and no key, unless the
 * newest of these values is encrypted with another.
 *
 * @throws CommandError if the file cannot be read
 */
export async function importKeys(dataSource: DataSource, file: string): Promise<ImportedKeys> {
  const total = { imported: 0, leftOut: 0 };
  let batch: PersonalKey[] = [];
  const addBatch = async () => {
    const { imported, leftOut } = await addFitting(dataSource, batch);
    total.imported += imported;
    total.leftOut += leftOut;
    batch = [];
  };
  try {
    for await (const line of createInterface({ input: createReadStream(file) })) {
      if (line !== '') batch.push(JSON.parse(line) as PersonalKey);
      if (batch.length === BATCH) await addBatch();
    }
    await addBatch();
    return total;
  } catch (error) {
    throw new CommandError({ message: `${file} cannot be read: ${(error as Error).message}.`, cause: error });
  }
}

async function addFitting(dataSource: DataSource, keys: readonly PersonalKey[]): Promise<ImportedKeys> {
  // Without a condition the statements below read all rows.
  if (keys.length === 0) return { imported: 0, leftOut: 0 };
  const present = await dataSource.getRepository(PersonalKey).findBy(keys.map(subjectOfKey));
  const names = new Set(present.map(nameOf));
  const missing = keys.filter((key) => !names.has(nameOf(key)));
  const newest = await newestValues(dataSource, missing);
  const used = missing.filter((key) => newest.has(nameOf(key)));
  const fitting = used.filter((key) => isSealedWith(newest.get(nameOf(key)) as string, key.key));
  if (fitting.length > 0) await dataSource.getRepository(PersonalKey).insert(fitting);
  return { imported: fitting.length, leftOut: used.length - fitting.length };
}

/** Returns the newest value of each subject that has one, as it is stored, by {@link nameOf} the subject. */
async function newestValues(
  dataSource: DataSource,
  subjects: readonly KeySubject[],
): Promise<Map<string, string>> {
  if (subjects.length === 0) return new Map();
  const values = dataSource.getRepository(PersonalValue);
  const newest = await values
    .createQueryBuilder('stored')
    .select('stored.subjectType', 'subjectType')
    .addSelect('stored.subjectId', 'subjectId')
    .addSelect('MAX(stored.eventId)', 'eventId')
    .where(subjects.map(subjectOfKey))
    .groupBy('stored.subjectType')
    .addGroupBy('stored.subjectId')
    .getRawMany<KeySubject & { readonly eventId: bigint }>();
  const found = newest.length > 0 ? await values.findBy(newest) : [];
  return new Map(found.map((value) => [nameOf(value), value.sealed]));
}

function subjectOfKey({ subjectType, subjectId }: KeySubject): KeySubject {
  return { subjectType, subjectId };
}

function nameOf({ subjectType, subjectId }: KeySubject): string {
  return subjectText({ type: subjectType, id: subjectId });
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
