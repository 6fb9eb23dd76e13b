import { packageVersion } from '../../platform/config/package-version';
import { type DoctorCheck, fail, ok } from './check';

const OLDEST_NODE = 24;

/** Needs no settings. */
export const VERSIONS: DoctorCheck = {
  name: 'versions',
  limitMs: 1_000,
  run() {
    const { node } = process.versions;
    const origin = process.execPath.includes('node_modules') ? 'brought by the project' : process.execPath;
    const found = `petstore ${packageVersion()} on Node.js ${node} (${origin}), ${process.platform} ${process.arch}.`;
    return Number.parseInt(node, 10) >= OLDEST_NODE
      ? [ok(found)]
      : [fail(found, `Start it with an npm script, which brings Node.js ${OLDEST_NODE}.`)];
  },
};
