import 'reflect-metadata';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listedFeatures } from '../own-service';
import type { FeatureSettings } from '../platform/config/setting';
import { renderEnvExample, renderSettingsPage } from '../platform/config/settings-docs';
import { settingsOf } from '../platform/features/feature-modules';

/**
 * Names the files in `root` that differ from the declared settings: `.env.example` and `docs/settings.md`. With `write`, brings
 * them up to date.
 *
 * @param declared settings of features; of those in `features.ts` unless given
 */
export function syncSettingsDocs(
  root: string,
  write: boolean,
  declared: readonly FeatureSettings[] = settingsOf(listedFeatures()),
): string[] {
  const expected = new Map([
    ['.env.example', renderEnvExample(declared)],
    ['docs/settings.md', renderSettingsPage(declared)],
  ]);
  const stale = [...expected].filter(([file, text]) => read(root, file) !== text);
  if (write) {
    for (const [file, text] of stale) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), text);
    }
  }
  return stale.map(([file]) => file);
}

function read(root: string, file: string): string | undefined {
  const path = join(root, file);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** Runs the command; with `--check` it writes nothing. Returns the fault, if any, in one sentence. */
export function runSettingsDocs(args: readonly string[], root: string): string | undefined {
  const check = args.includes('--check');
  const stale = syncSettingsDocs(root, !check);
  return check && stale.length > 0
    ? `Behind the declaration of the settings: ${stale.join(', ')}. Run npm run artefacts.`
    : undefined;
}

if (require.main === module) {
  const complaint = runSettingsDocs(process.argv.slice(2), process.cwd());
  if (complaint !== undefined) {
    process.stderr.write(`${complaint}\n`);
    process.exitCode = 1;
  }
}
