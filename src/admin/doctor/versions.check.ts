import { buildName } from '../../platform/config/package-version';
import { type DoctorCheck, fail, ok } from './check';

const OLDEST_NODE = 24;

/** Checks the versions of the program and of Node.js; needs no settings. */
export const VERSIONS: DoctorCheck = {
  name: 'versions',
  limitMs: 1_000,
  run() {
    const { node } = process.versions;
    const origin = process.execPath.includes('node_modules') ? 'brought by the project' : process.execPath;
    const found = `petstore ${buildName()} on Node.js ${node} (${origin}), ${process.platform} ${process.arch}.`;
    if (Number.parseInt(node, 10) < OLDEST_NODE) {
      return [fail(found, `Start it with an npm script, which uses Node.js ${OLDEST_NODE}.`)];
    }
    return [ok(found)];
  },
};
