import type { CheckContext } from '../../platform/cli/cli';
import { statSync } from 'node:fs';
import { readServerFacts } from './server-facts';
import { type Check, degraded, type Finding, ok } from '../../platform/health/check';
import { isServer, sqliteFile } from './database.check';

/** Tolerance for rounding by file systems and for the network, in milliseconds. */
const TOLERATED_MS = 2_000;

const ADVICE =
  'Synchronize the clock of the machine by NTP: expiries and audit times follow the clock. The time zone does not matter.';

/** Compares this machine's clock with the database server's; without a server, with the times of files. */
export const CLOCK: Check<CheckContext> = {
  name: 'clock',
  needs: 'settings',
  limitMs: 10_000,
  async check(context) {
    const now = Date.now();
    const latest = latestTime(context.settings.databaseUrl);
    if (latest > now + TOLERATED_MS) {
      return [
        degraded(`A file was written ${inSeconds(latest - now)} from now: the clock was set back.`, ADVICE),
      ];
    }
    const file = sqliteFile(context.settings.databaseUrl);
    const dataSource = file === undefined ? await context.database() : undefined;
    const { server } = dataSource && isServer(dataSource) ? await readServerFacts(dataSource) : {};
    if (!server) return [ok(`${new Date(now).toISOString()}; no file is newer.`)];
    return [checkClock(server.clockMs, server.askedMs)];
  },
};

/**
 * @param clockMs the server's clock
 * @param askedMs this machine's clock just before and just after
 */
export function checkClock(clockMs: number, [before, after]: readonly [number, number]): Finding {
  const skew = clockMs < before ? clockMs - before : Math.max(0, clockMs - after);
  return Math.abs(skew) <= TOLERATED_MS
    ? ok(`${new Date(after).toISOString()}; the clock of the database server agrees.`)
    : degraded(
        `The database server's clock is ${inSeconds(Math.abs(skew))} ${skew > 0 ? 'ahead' : 'behind'}.`,
        ADVICE,
      );
}

/** The newest modification of the build and the database file, which must lie in the past. */
function latestTime(databaseUrl: string): number {
  const file = sqliteFile(databaseUrl);
  const files = file === undefined ? [__filename] : [__filename, file, `${file}-wal`];
  return Math.max(...files.map((each) => statSync(each, { throwIfNoEntry: false })?.mtimeMs ?? 0));
}

function inSeconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toLocaleString('en', { maximumFractionDigits: 1 })} s`;
}
