import { type Check, type Finding, ok, degraded } from '../../platform/health/check';

/** Fewest open files to allow: each connection of a client or to a database is one. */
const FEW = 4_096;

/** Checks the limit of the command's own process. The service has the same limit if it is started the same way. */
export const OPEN_FILES: Check = {
  name: 'openFiles',
  needs: 'nothing',
  limitMs: 5_000,
  check() {
    // The types of Node.js 24 lack excludeNetwork; without it the names of all network addresses are looked up.
    const report = Object.assign(process.report, { excludeNetwork: true });
    const { userLimits } = report.getReport() as {
      userLimits?: { open_files?: { soft: number | string } };
    };
    const limit = userLimits?.open_files?.soft;
    return limit === undefined ? [] : [checkLimit(limit)];
  },
};

/** @param limit the most files that a process may open: a number, or that there is no limit */
export function checkLimit(limit: number | string): Finding {
  return Number(limit) < FEW
    ? degraded(
        `A process may open only ${limit} files, and each connection is a file.`,
        `Raise the limit to ${FEW} or more: "ulimit -n", LimitNOFILE of systemd, or ulimits of Compose.`,
      )
    : ok(`A process may open ${limit} files.`);
}
