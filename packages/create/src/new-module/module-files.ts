import type { FeatureNames } from '../feature/names.ts';
import { recordJson, recordPath, readRecordText } from '../feature/record.ts';
import { asOwnModule } from '../module/generated-module.ts';
import { contractSpec, indexOf, migrationSpec } from '../module/shared-files.ts';
import { posix } from 'node:path';

/**
 * The files of a generated feature as those of a repository, with the record of them and what the repository has once.
 *
 * @throws Refusal when a part is missing
 */
export async function asModule(
  root: string,
  generated: ReadonlyMap<string, string>,
  names: FeatureNames,
): Promise<Map<string, string>> {
  const folder = `src/${names.plural.kebab}`;
  const record = recordPath(folder);
  const own = new Map([...generated].filter(([path]) => path !== record));
  const files = await asOwnModule(root, own, names, []);
  const texts = new Map([...files].map(([path, text]) => [posix.relative(folder, path), text]));
  const { options } = readRecordText(record, generated.get(record) ?? '');
  return new Map([
    ...files,
    [record, recordJson({ options, files: texts })],
    ['src/index.ts', indexOf(files)],
    ['src/every-operation.spec.ts', contractSpec(files, names)],
    ['src/every-migration.spec.ts', migrationSpec(names)],
  ]);
}
