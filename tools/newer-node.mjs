/**
 * Run by npm after each installation: where the machine has a newer Node.js than the project brings, npm scripts use that one.
 * For npm puts `node_modules/.bin` before everything else on the PATH, so a machine whose Node.js was patched would go on
 * with the project's older one.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

const OWN = join('node_modules', '.bin');
const NAME = process.platform === 'win32' ? 'node.exe' : 'node';

const own = versionOf(process.platform === 'win32' ? join(OWN, 'node.cmd') : join(OWN, 'node'));
const machines = (process.env.PATH ?? '')
  .split(delimiter)
  // npm adds those of the project and of every folder above it.
  .filter(
    (folder) => folder !== '' && !/[\\/]node_modules[\\/]|[\\/]node-gyp-bin$/.test(`${resolve(folder)}/`),
  )
  .map((folder) => versionOf(join(folder, NAME)))
  .find((version) => version !== undefined);

if (own !== undefined && machines !== undefined && isNewer(machines, own)) {
  for (const name of ['node', 'node.cmd', 'node.ps1']) rmSync(join(OWN, name), { force: true });
  process.stdout.write(
    `npm scripts use Node.js ${machines.join('.')} of this machine, which is newer than ${own.join('.')}.\n`,
  );
}

/** @returns the numbers of its version; undefined when there is no such program */
function versionOf(program) {
  if (!existsSync(program)) return undefined;
  const shell = program.endsWith('.cmd');
  const text = execFileSync(program, ['--version'], { encoding: 'utf8', shell });
  return /^v(\d+)\.(\d+)\.(\d+)/.exec(text)?.slice(1).map(Number);
}

function isNewer([major, minor, patch], [otherMajor, otherMinor, otherPatch]) {
  if (major !== otherMajor) return major > otherMajor;
  return minor === otherMinor ? patch > otherPatch : minor > otherMinor;
}
