import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Refusal } from '../refusal.ts';

/** A file that both its team and the templates may have changed. */
export interface Versions {
  /** Present text. */
  readonly ours: string;
  /** Generated text before the team's changes; empty if it was not generated. */
  readonly base: string;
  /** Text that would be generated now. */
  readonly theirs: string;
}

/** A merged file. */
export interface Merged {
  readonly text: string;
  /** Conflicts that are left between markers. */
  readonly conflicts: number;
}

/** Labels that git writes beside the markers of a conflict. */
const LABELS: Readonly<Record<keyof Versions, string>> = {
  ours: 'edited',
  base: 'generated before',
  theirs: 'generated now',
};

/** Highest count of conflicts in the exit code of `git merge-file`. */
const MAX_CONFLICTS = 127;

/**
 * Merges a file as `git merge-file` does. A file with Windows line ends keeps them.
 *
 * @throws Refusal
 */
export function mergeTexts(versions: Versions): Merged {
  const isWindows = versions.ours.includes('\r\n') && !/(?<!\r)\n/.test(versions.ours);
  const ours = isWindows ? unixText(versions.ours) : versions.ours;
  const base = unixText(versions.base);
  const theirs = unixText(versions.theirs);
  const { text, conflicts } = merged({ ours, base, theirs });
  return { text: isWindows ? text.replaceAll('\n', '\r\n') : text, conflicts };
}

/** A text with Unix line ends. */
export function unixText(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

function merged({ ours, base, theirs }: Versions): Merged {
  if (ours === theirs || base === theirs) return { text: ours, conflicts: 0 };
  if (ours === base) return { text: theirs, conflicts: 0 };
  const folder = mkdtempSync(join(tmpdir(), 'merge-'));
  try {
    return mergedByGit(folder, { ours, base, theirs });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function mergedByGit(folder: string, versions: Versions): Merged {
  const names = ['ours', 'base', 'theirs'] as const;
  for (const name of names) writeFileSync(join(folder, name), versions[name]);
  const labels = names.flatMap((name) => ['-L', LABELS[name]]);
  const paths = names.map((name) => join(folder, name));
  const { status, stdout, stderr, error } = spawnSync(
    'git',
    ['merge-file', '--stdout', ...labels, ...paths],
    {
      encoding: 'utf8',
    },
  );
  if (error) throw new Refusal(`Merging edited files needs git, which does not run: ${error.message}.`);
  if (status === null || status > MAX_CONFLICTS) throw new Refusal(`git could not merge: ${stderr.trim()}.`);
  return { text: stdout, conflicts: status };
}
