import { PROGRAM } from '../../platform/config/called-as';
import { buildName } from '../../platform/config/package-version';
import { type Check, ok } from '../../platform/health/check';

/** Tells the versions of the program and of Node.js, on too old a version of which nothing starts; needs no settings. */
export const VERSIONS: Check = {
  name: 'versions',
  needs: 'nothing',
  limitMs: 1_000,
  check() {
    const { node } = process.versions;
    const origin = process.execPath.includes('node_modules') ? 'brought by the project' : process.execPath;
    return [
      ok(`${PROGRAM} ${buildName()} on Node.js ${node} (${origin}), ${process.platform} ${process.arch}.`),
    ];
  },
};
