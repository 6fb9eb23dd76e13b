/**
 * Installs the packages of `package-lock.json` by `npm ci`, unless they are installed. `npm ci` first removes what is there: until it
 * has ended well, that lies beside `node_modules`, and comes back when it fails, as it does without a network. Then those are used.
 */
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { npm, step } from './step.mjs';

const PLACE = 'node_modules';
const ASIDE = 'node_modules.before';
/** What is being removed, of which a run that was killed leaves a part. */
const REMOVED = 'node_modules.removed';

const packagesOf = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;

/** Whether each package of the lock file is there in its version; those of other platforms are not. */
function isInstalled() {
  const record = `${PLACE}/.package-lock.json`;
  if (!existsSync(record)) return false;
  const found = packagesOf(record);
  return Object.entries(packagesOf('package-lock.json'))
    .filter(([path]) => path.startsWith(`${PLACE}/`))
    .every(([path, { version, integrity, optional }]) => {
      const one = found[path];
      if (one === undefined) return optional === true;
      return one.version === version && one.integrity === integrity && existsSync(path);
    });
}

/** Removes a folder, under a name that nothing is restored from. */
function remove(folder) {
  rmSync(REMOVED, { recursive: true, force: true });
  if (!existsSync(folder)) return;
  renameSync(folder, REMOVED);
  rmSync(REMOVED, { recursive: true, force: true });
}

/** Puts what was installed before in the place of what is there. */
function restore() {
  if (!existsSync(ASIDE)) return;
  remove(PLACE);
  renameSync(ASIDE, PLACE);
}

/** Whether what is installed lies beside now. Windows leaves the folder of a running program where it is. */
function putAside() {
  try {
    if (existsSync(PLACE)) renameSync(PLACE, ASIDE);
  } catch (error) {
    if (process.platform !== 'win32') throw error;
  }
}

function install() {
  putAside();
  const code = npm('ci', '--no-audit', '--no-fund');
  if (code === 0) {
    remove(ASIDE);
    return 0;
  }
  const hadPackages = existsSync(ASIDE);
  restore();
  process.stderr.write(
    hadPackages
      ? 'npm ci has not installed the packages. The service runs with those that were installed before.\n'
      : 'npm ci has not installed the packages, and there are no others.\n',
  );
  // A signal that ends npm ends quickstart.
  return hadPackages && code < 128 ? 0 : 1;
}

// Ctrl+C ends npm, and not what puts the packages back.
process.on('SIGINT', () => undefined);
// Of a run that was killed; what is whole may have been installed by hand since.
if (!isInstalled()) restore();
if (isInstalled()) remove(ASIDE);
else process.exitCode = step('Installing the packages by npm ci, which takes a minute or two', install);
