import { packageVersion } from '../../platform/config/package-version';
import { type DoctorCheck, fail, type Finding, ok, warn } from './check';
import { holesOf, NODE_HOLES_KNOWN_UNTIL } from './node-holes';

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
      ? [ok(found), ...checkHoles(node)]
      : [fail(found, `Start it with an npm script, which brings Node.js ${OLDEST_NODE}.`)];
  },
};

/** @param node a version of Node.js */
export function checkHoles(node: string): Finding[] {
  const holes = holesOf(node);
  if (holes.length === 0) return [];
  return [
    warn(
      `Node.js ${node} has known holes: ${holes.join(', ')}.`,
      `Install the newest release of its line on this machine, and the project anew with npm ci: a newer Node.js than its own is used then. Holes are known here until ${NODE_HOLES_KNOWN_UNTIL}.`,
    ),
  ];
}
