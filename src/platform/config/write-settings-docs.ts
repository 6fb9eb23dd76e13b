import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderEnvExample, renderSettingsTable } from './settings-docs';

const BEGIN = '<!-- settings:begin -->';
const END = '<!-- settings:end -->';

/**
 * Names the files in `root` that differ from the declaration of the settings: `.env.example`, and in `README.md` what
 * stands between the two settings markers. With `write`, brings them up to date.
 *
 * @throws {Error} when there is a README.md without the markers
 */
export function syncSettingsDocs(root: string, write: boolean): string[] {
  const expected = new Map([
    ['.env.example', renderEnvExample()],
    ['README.md', withTable(read(root, 'README.md') ?? `${BEGIN}\n${END}\n`)],
  ]);
  const stale = [...expected].filter(([file, text]) => read(root, file) !== text);
  if (write) {
    for (const [file, text] of stale) {
      writeFileSync(join(root, file), text);
    }
  }
  return stale.map(([file]) => file);
}

function withTable(readme: string): string {
  const begin = readme.indexOf(BEGIN);
  const end = readme.indexOf(END, begin);
  if (begin < 0 || end < 0) {
    throw new Error(
      `README.md lacks the lines ${BEGIN} and ${END}, between which the settings table stands.`,
    );
  }
  return `${readme.slice(0, begin + BEGIN.length)}\n\n${renderSettingsTable()}\n\n${readme.slice(end)}`;
}

function read(root: string, file: string): string | undefined {
  const path = join(root, file);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** The command: with `--check` it writes nothing. Returns what is wrong, if anything, in one sentence. */
export function runSettingsDocs(args: readonly string[], root: string): string | undefined {
  const check = args.includes('--check');
  try {
    const stale = syncSettingsDocs(root, !check);
    return check && stale.length > 0
      ? `Behind the declaration of the settings: ${stale.join(', ')}. Run node dist/src/platform/config/write-settings-docs.js.`
      : undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

if (require.main === module) {
  const complaint = runSettingsDocs(process.argv.slice(2), process.cwd());
  if (complaint !== undefined) {
    process.stderr.write(`${complaint}\n`);
    process.exitCode = 1;
  }
}
