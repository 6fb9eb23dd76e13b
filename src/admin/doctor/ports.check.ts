import type { CheckContext } from '../../platform/cli/cli';
import { createServer } from 'node:http';
import { isInUse, type ListenAddress, listen } from '../../platform/http/connections/listen';
import { buildName, nameBuild } from '../../platform/config/package-version';
import { type Check, failed, type Finding, ok, degraded } from '../../platform/health/check';

/** Time limit for the process that listens on a port to identify itself, in milliseconds. */
const RESPONSE_TIMEOUT_MS = 3_000;

/** The response of `/health` on the management port. */
interface Health {
  readonly status: string;
  readonly version: string;
  readonly commit?: string;
  readonly pid: number;
  readonly checks: Readonly<Record<string, { readonly status: string; readonly reason?: string }>>;
}

/** Checks that the public port is free, or served by this service already. */
export const PORT: Check<CheckContext> = {
  name: 'port',
  needs: 'settings',
  limitMs: 2 * RESPONSE_TIMEOUT_MS,
  check({ settings: { host, port } }) {
    const at = { host, port, settings: { host: 'HOST', port: 'PORT' } };
    return checkPort(at, checkPublic);
  },
};

/** Checks the same for the management port, whose health tells how the running service is doing. */
export const MANAGEMENT_PORT: Check<CheckContext> = {
  name: 'managementPort',
  needs: 'settings',
  limitMs: 2 * RESPONSE_TIMEOUT_MS,
  check({ settings: { managementHost: host, managementPort: port } }) {
    const settings = { host: 'MANAGEMENT_HOST', port: 'MANAGEMENT_PORT' };
    return checkPort({ host, port, settings }, checkManagement);
  },
};

async function checkPort(
  at: ListenAddress,
  checkServed: (root: string) => Promise<Finding[] | undefined>,
): Promise<Finding[]> {
  if (at.port === 0) return [ok('Any free port is used.')];
  const server = createServer();
  try {
    await listen(server, at);
    return [ok(`Port ${at.port} on ${at.host} is free: nothing listens there.`)];
  } catch (error) {
    const served = isInUse(error) ? await checkServed(rootOf(at)).catch(() => undefined) : undefined;
    return (
      served ?? [
        failed(
          (error as Error).message,
          `Another program listens there, or this user may not: see "ss -ltnp", or choose another ${at.settings.port}.`,
          'ss -ltnp',
        ),
      ]
    );
  } finally {
    server.close();
  }
}

/** The URL that reaches the process listening at an address. A wildcard address is reached at loopback. */
function rootOf({ host, port }: ListenAddress): string {
  const address = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}

async function checkPublic(root: string): Promise<Finding[] | undefined> {
  const { body } = await ask(`${root}/health/live`);
  if (body.status !== 'ok') return undefined;
  const { status } = await ask(`${root}/health/ready`);
  return status === 200
    ? [ok(`The service runs at ${root} and is ready.`)]
    : [
        failed(
          `The service runs at ${root} and is not ready.`,
          'See the log of the service, and the other lines here.',
        ),
      ];
}

async function checkManagement(root: string): Promise<Finding[] | undefined> {
  const { body } = await ask(`${root}/health`);
  const { status, version, commit, pid, checks } = body as Partial<Health>;
  if (status === undefined || version === undefined || pid === undefined || checks === undefined)
    return undefined;
  const findings: Finding[] = Object.entries(checks)
    .filter(([, check]) => check.status !== 'ok')
    .map(([name, check]) =>
      (status === 'unavailable' ? failed : degraded)(
        `The running service reports about its ${name}: ${check.reason ?? check.status}`,
        'See the log of the service, and the other lines here.',
      ),
    );
  const running = nameBuild(version, commit);
  if (running !== buildName()) {
    findings.push(
      degraded(
        `The running service has version ${running}, this command line ${buildName()}.`,
        'Restart the service, or use the command line of that version.',
      ),
    );
  }
  if (findings.length > 0) return findings;
  return [
    ok(`The service ${running} runs with process id ${pid}; its health at ${root}/health is ${status}.`),
  ];
}

async function ask(address: string): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(address, { signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS) });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
