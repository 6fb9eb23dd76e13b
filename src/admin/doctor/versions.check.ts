import { satisfies } from 'semver';
import { buildName } from '../../platform/config/package-version';
import { type DoctorCheck, fail, type Finding, ok, warn } from './check';

const OLDEST_NODE = 24;

/** Day up to which {@link CLOSED} has been compared with what Node.js has published. */
const NODE_HOLES_KNOWN_UNTIL = '2026-11-04';

/** Days after which the list counts as too old: Node.js has a security release about every two months. */
const LONGEST_AGE_DAYS = 60;

const DAY_MS = 86_400_000;

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
    const known = `Vulnerabilities of Node.js are known here until ${NODE_HOLES_KNOWN_UNTIL}.`;
    return [ok(`${found} ${known}`), ...checkHoles(node), ...checkAge(new Date())];
  },
};

/** @param node a version of Node.js */
export function checkHoles(node: string): Finding[] {
  const holes = holesOf(node);
  if (holes.length === 0) return [];
  return [
    warn(
      `Node.js ${node} has known vulnerabilities: ${holes.join(', ')}.`,
      'Install the newest release of its line on this machine, then run npm ci again: the project uses it when it is newer than its own.',
    ),
  ];
}

/** Warns if the list of holes is too old to say that there are no others. */
export function checkAge(now: Date): Finding[] {
  const days = Math.floor((now.getTime() - Date.parse(NODE_HOLES_KNOWN_UNTIL)) / DAY_MS);
  if (days <= LONGEST_AGE_DAYS) return [];
  return [
    warn(
      `Vulnerabilities of Node.js are known here until ${NODE_HOLES_KNOWN_UNTIL}, ${days} days ago: newer ones are not checked.`,
      'See https://nodejs.org/en/blog/vulnerability for this Node.js, and install a newer petstore.',
    ),
  ];
}

/** Holes that one security release of Node.js has closed. */
interface ClosedHoles {
  readonly vulnerable: string;
  readonly cves: readonly string[];
}

/**
 * Holes listed by nodejs.org/en/blog/vulnerability and the list of its security working group, newest first; from version 24
 * on, except those of the permission model, which the service does not use. Releases in between are not listed by number: their
 * ranges are within that of a newer one.
 */
const CLOSED: readonly ClosedHoles[] = [
  {
    vulnerable: '24.x <24.22.1 || 25.x || 26.x <26.12.1',
    cves: [
      'CVE-2026-105481',
      'CVE-2026-105482',
      'CVE-2026-105483',
      'CVE-2026-106069',
      'CVE-2026-106072',
      'CVE-2026-106074',
      'CVE-2026-111497',
    ],
  },
  {
    vulnerable: '24.x <24.18.1 || 25.x',
    cves: ['CVE-2026-56846', 'CVE-2026-56847', 'CVE-2026-56848', 'CVE-2026-58039', 'CVE-2026-58040'],
  },
  {
    vulnerable: '24.x <24.17.0 || 25.x',
    cves: ['CVE-2026-48618', 'CVE-2026-48619', 'CVE-2026-48928', 'CVE-2026-48933', 'CVE-2026-48934'],
  },
  {
    vulnerable: '24.x <24.14.1 || 25.x <25.8.2',
    cves: [
      'CVE-2026-21637',
      'CVE-2026-21710',
      'CVE-2026-21712',
      'CVE-2026-21713',
      'CVE-2026-21714',
      'CVE-2026-21717',
    ],
  },
  {
    vulnerable: '24.x <24.13.0 || 25.x <25.3.0',
    cves: ['CVE-2025-55131', 'CVE-2025-59464', 'CVE-2025-59465', 'CVE-2025-59466'],
  },
  { vulnerable: '24.x <24.4.1', cves: ['CVE-2025-27209', 'CVE-2025-27210'] },
  { vulnerable: '24.x <24.0.2', cves: ['CVE-2025-23166'] },
];

/** The CVE numbers of the known holes of a version of Node.js. */
function holesOf(version: string): string[] {
  return CLOSED.filter(({ vulnerable }) => satisfies(version, vulnerable)).flatMap(({ cves }) => cves);
}
