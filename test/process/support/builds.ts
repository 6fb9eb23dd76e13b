import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../support/folders';
import { copyBuild } from '../../support/processes/copied-build';

/** A build of its own, with or without a commit. */
export function makeBuild(commit?: string): string {
  const folder = makeFolder();
  copyBuild(folder);
  rmSync(join(folder, 'dist', 'commit.json'), { force: true });
  if (commit) writeFileSync(join(folder, 'dist', 'commit.json'), JSON.stringify({ commit }));
  return folder;
}

/** Runs a command of a build in its folder; returns what it prints. */
export function runBuild(project: string, ...words: string[]): string {
  return execFileSync(process.execPath, [join(project, 'dist', 'src', 'cli.js'), ...words], {
    cwd: project,
    env: { PATH: process.env.PATH, PORT: '0', MANAGEMENT_PORT: '0' },
    encoding: 'utf8',
  });
}
