import { statSync } from 'node:fs';
import { redactedSettings, SettingsError } from './load-settings';
import { misspeltInWords, misspeltNames } from './misspelt-names';
import type { Settings } from './settings';
import { type Check, degraded, failed, type Finding, ok } from '../health/check';

/** Checks that the settings are valid, and that the operator would not regret their combination. */
export const SETTINGS_CHECK: Check<{ readonly settings: Settings }> = {
  name: 'settings',
  needs: 'settings',
  limitMs: 1_000,
  check({ settings }) {
    const given = redactedSettings(settings).filter(({ source }) => source !== 'default');
    const doubts = [...doubtsAbout(settings), ...doubtsAboutFile('.env')];
    const fine =
      given.length === 0
        ? 'The settings are valid, and all have their defaults.'
        : `The settings are valid. Set: ${given.map(({ name }) => name).join(', ')}.`;
    return doubts.length > 0 ? doubts : ok(fine);
  },
};

/** Findings for all faults of settings that cannot be used. */
export function faultsOfSettings(error: unknown): Finding[] {
  const faults = error instanceof SettingsError ? error.faults : [(error as Error).message];
  return faults.map((fault) =>
    failed(fault, 'Correct the setting, then run doctor again for the other checks.'),
  );
}

/** Reports only what is wrong for certain, whatever surrounds the service. */
export function doubtsAbout(settings: Settings): Finding[] {
  const isSqlite = settings.databaseUrl.startsWith('sqlite:');
  const isProduction = settings.nodeEnv === 'production';
  const trustsNobody = Array.isArray(settings.trustProxy) && settings.trustProxy.length === 0;
  const doubts = misspeltNames(settings).map((each) =>
    degraded(misspeltInWords(each), `Write ${each.meant}, or remove ${each.name}.`),
  );
  if (!isLoopback(settings.managementHost)) {
    doubts.push(
      degraded(
        `The management port listens on ${settings.managementHost}, and shows metrics and health to every client that reaches it.`,
        'Set MANAGEMENT_HOST to a private address, or let only the monitoring and the operators reach the port.',
      ),
    );
  }
  if (!isLoopback(settings.host) && !isProduction && isSqlite) {
    doubts.push(
      degraded(
        `The service listens on ${settings.host}, and NODE_ENV is ${settings.nodeEnv}: on a new database the service prints a key with every scope.`,
        'Set NODE_ENV=production.',
      ),
    );
  }
  if (settings.rateLimitPerMinute === 0) {
    doubts.push(
      degraded(
        'RATE_LIMIT_PER_MINUTE is 0: nothing is limited, not even how often keys may be guessed.',
        'Set the limit to what a client may need, or unset RATE_LIMIT_PER_MINUTE for the default.',
      ),
    );
  }
  if (settings.publicBaseUrl?.startsWith('https:') && trustsNobody) {
    doubts.push(
      degraded(
        'PUBLIC_BASE_URL is https, so clients come through a proxy, and TRUST_PROXY is empty: all refused keys are counted for the proxy.',
        "Set TRUST_PROXY to the proxy's addresses.",
      ),
    );
  }
  if (settings.publicBaseUrl === undefined && !trustsNobody) {
    doubts.push(
      degraded(
        'TRUST_PROXY names a proxy, and PUBLIC_BASE_URL is not set: links are made of what the proxy forwards, and begin with http:// unless the proxy sends X-Forwarded-Proto.',
        'Set PUBLIC_BASE_URL to the address that clients use.',
      ),
    );
  }
  if (settings.databaseUrl === 'sqlite::memory:') {
    doubts.push(
      degraded('The database is in memory, and lost when the process ends.', 'Set DATABASE_URL to a file.'),
    );
  }
  if (settings.logLevel === 'silent') {
    doubts.push(
      degraded(
        'LOG_LEVEL is silent: the reasons of failed requests are not logged.',
        'Set LOG_LEVEL to info or warn.',
      ),
    );
  }
  return doubts;
}

function doubtsAboutFile(file: string): Finding[] {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
  if (process.platform === 'win32' || (mode & 0o007) === 0) return [];
  return [
    degraded(
      `The file ${file} may hold secrets, and every user of this machine can open it.`,
      `Run "chmod 600 ${file}".`,
      `chmod 600 ${file}`,
    ),
  ];
}

/** True if only this machine reaches a server that listens on this host. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}
