import { execFile } from 'node:child_process';
import { chmodSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { codeBlocksOf } from '../modules/support/guide-blocks';
import { makeFolder } from '../support/folders';
import { type PostgresServer, startPostgresServer } from '../support/databases/postgres-server';
import { RedisServer } from '../support/databases/redis-server';
import { endServiceProcesses, runCli, ServiceProcess } from '../support/processes/service-process';
import { PROJECT } from './support/dockerfile';

interface RuleFile {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly labels: { readonly severity: string } }[];
  }[];
}

const FOLDER = join(PROJECT, 'docs', 'alerts');

const rules = (
  parse(readFileSync(join(PROJECT, 'deploy', 'prometheus', 'alerts.yaml'), 'utf8')) as RuleFile
).groups.flatMap((group) => group.rules);
const pages = rules.map(({ alert }) => alert);

function pageOf(alert: string): string {
  return readFileSync(join(FOLDER, `${alert}.md`), 'utf8');
}

describe('The pages of the alerts', () => {
  it('exist for each alert, and are all in the list', () => {
    const files = globSync('*.md', { cwd: FOLDER }).filter((file) => file !== 'README.md');
    expect(files.sort()).toEqual(pages.map((alert) => `${alert}.md`).sort());
    const list = readFileSync(join(FOLDER, 'README.md'), 'utf8');
    const rows = [...list.matchAll(/^\| \[(\w+)\]\((\w+)\.md\) +\| (\w+) /gm)].map(([, ...row]) => row);
    expect(rows).toEqual(rules.map(({ alert, labels }) => [alert, alert, labels.severity]));
  });

  it.each(rules.map(({ alert, labels }) => [alert, labels.severity] as const))(
    'say how urgent the alert is, where to look, what to do, and when it is over: %s',
    (alert, severity) => {
      const urgency = severity === 'page' ? 'Page' : 'Ticket';
      expect(pageOf(alert)).toMatch(new RegExp(`^# ${alert}\n\n\\*\\*${urgency}\\b`));
      expect(pageOf(alert).match(/^## .*$/gm)).toEqual(['## Look', '## Fix', '## Done when']);
    },
  );

  // It finds what none of the figures shows, a dropped column for instance.
  it.each([
    'PetstoreErrorBudgetFastBurn',
    'PetstoreErrorBudgetSlowBurn',
    'PetstoreGoodputLow',
    'PetstoreNoneReady',
    'PetstoreNotReady',
  ])('begin with petstore doctor where requests fail: %s', (alert) => {
    const [first] = codeBlocksOf(pageOf(alert));
    expect(first?.text).toMatch(/^petstore doctor$/m);
    expect(pageOf(alert)).toMatch(/PetstoreNoneReady|are gone/);
  });

  it('contain only code that a test runs', () => {
    const blocks = [...pages, 'README'].flatMap((page) => codeBlocksOf(pageOf(page)));
    const kinds = new Set(blocks.map(({ language, note }) => `${language} ${note}`.trim()));
    expect([...kinds].sort()).toEqual(['promql', 'sh', 'sh citus', 'sh kubernetes']);
  });
});

describe('The commands of an alert', () => {
  const folder = makeFolder();
  let postgres: PostgresServer;
  let redis: RedisServer;
  let service: ServiceProcess;
  let keyId: string;

  beforeAll(async () => {
    [postgres, redis] = await Promise.all([startPostgresServer(), RedisServer.run()]);
    const settings = { DATABASE_URL: postgres.url, REDIS_URL: redis.url };
    service = await ServiceProcess.start({ ...settings, MIGRATE_ON_START: 'true' }, { cwd: folder });
    const words = ['keys', 'create', '--name', 'shop', '--scopes', 'pets:read', '--json'];
    ({ id: keyId } = JSON.parse(await runCli(settings, folder, ...words)) as { id: string });
    const petstore = join(folder, 'petstore');
    writeFileSync(petstore, `#!/bin/sh\nexec "${process.execPath}" "${PROJECT}/dist/src/cli.js" "$@"\n`);
    chmodSync(petstore, 0o755);
  });

  afterAll(async () => {
    await endServiceProcesses();
    await Promise.all([postgres.stop(), redis.kill()]);
  });

  /** Runs a command as the operator pastes it, and gives all that it says. */
  async function paste(command: string): Promise<string> {
    const script = command
      .replaceAll('<id>', keyId)
      .replaceAll('4711', `${service.pid}`)
      .replaceAll('http://127.0.0.1:3001', service.managementUrl)
      .replaceAll('http://127.0.0.1:3000', service.url)
      .replaceAll(':3000', `:${service.port}`);
    const { stdout, stderr } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: folder,
      env: { PATH: `${folder}:${process.env.PATH}`, DATABASE_URL: postgres.url, REDIS_URL: redis.url },
    });
    return stdout + stderr;
  }

  const commands = pages.flatMap((alert) => commandsOf(alert).map((command) => [alert, command] as const));
  const first = commands.filter(
    ([, command], at) => commands.findIndex(([, other]) => other === command) === at,
  );

  it.each(first)('work as they are written: %s, %s', async (_alert, command) => {
    // A client stays connected, for the command that counts connections.
    await service.fetch('/v1/pets', 'unknown');
    expect(await paste(command)).not.toBe('');
  });

  it('are distinguished from commands that fail', async () => {
    await expect(paste('petstore docter')).rejects.toThrow('docter');
  });
});

/** The lines to paste on a machine of the service; those for a cluster, of Kubernetes or of Citus, have a note. */
function commandsOf(alert: string): string[] {
  return codeBlocksOf(pageOf(alert))
    .filter(({ language, note }) => language === 'sh' && note === '')
    .flatMap(({ text }) => text.trimEnd().split('\n'));
}
