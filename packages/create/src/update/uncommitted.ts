import { spawnSync } from 'node:child_process';
import { Refusal } from '../refusal.ts';

/** Start of the path in `M  src/orders/orders.service.ts`: after two letters and a space. */
const PATH_AT = 3;

/**
 * Refuses to change files that differ from the last commit: git could not restore them. Outside a repository there is nothing
 * to compare with.
 *
 * @throws Refusal
 */
export function refuseUncommitted(paths: readonly string[]): void {
  const { status, stdout } = spawnSync(
    'git',
    ['status', '--porcelain', '-z', '--untracked-files=all', '--', ...paths],
    { encoding: 'utf8' },
  );
  const [first] = status === 0 ? stdout.split('\0') : [];
  if (first) {
    throw new Refusal(
      `${first.slice(PATH_AT)} has uncommitted changes: commit or stash them first, so that git can undo the update.`,
    );
  }
}
