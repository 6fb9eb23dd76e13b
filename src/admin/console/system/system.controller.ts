import { Get } from '@nestjs/common';
import { packageVersion } from '../../../platform/config/package-version';
import { byteSize } from '../../../platform/values/byte-size';
import { duration, milliseconds } from '../ui/number-text';
import { ConsoleController } from '../../../platform/features/console-controller.decorator';
import { NodesSummary } from '../overview/nodes-summary';
import { type ConsolePage, page } from '../../../platform/features/console-page';
import { type Migrations, type System, SystemService } from './system.service';

/** The page of the service, which is the page above that of its mode. */
export const SYSTEM = { title: 'System', path: '/admin/system' } as const;

const TABS = [
  { title: 'Status', path: SYSTEM.path },
  { title: 'Settings', path: '/admin/system/settings' },
  { title: 'Migrations', path: '/admin/system/migrations' },
];

/** The pages of the running processes, the database, the settings and the migrations. */
@ConsoleController('system')
export class SystemController {
  constructor(private readonly system: SystemService) {}

  @Get()
  async show(): Promise<ConsolePage> {
    const { nodes, database } = await this.system.read();
    return systemPage('/system/system', SYSTEM.path, {
      nodes: nodes.value ? nodesOf(nodes.value) : nodes,
      database: database.value ? databaseOf(database.value) : database,
      process: {
        version: packageVersion(),
        node: process.version.slice(1),
        platform: `${process.platform} ${process.arch}`,
        pid: process.pid,
        uptime: duration(process.uptime() * 1_000),
        memory: byteSize(process.memoryUsage.rss()),
      },
    });
  }

  /** Lists changed settings first: they are what is special about an installation. */
  @Get('settings')
  settings(): ConsolePage {
    const { settings } = this.system;
    return systemPage('/system/settings', '/admin/system/settings', {
      changed: settings.filter(({ source }) => source !== 'default'),
      defaults: settings.filter(({ source }) => source === 'default'),
    });
  }

  @Get('migrations')
  async migrations(): Promise<ConsolePage> {
    const migrations = await this.system.migrations();
    return systemPage('/system/migrations', '/admin/system/migrations', {
      schema: migrations.value ? migrationsOf(migrations.value) : migrations,
    });
  }
}

function systemPage(template: string, path: string, data: object): ConsolePage {
  const tabs = TABS.map((tab) => ({ ...tab, isCurrent: tab.path === path }));
  return page(template, { title: SYSTEM.title, data: { ...data, tabs } });
}

function nodesOf(processes: NonNullable<System['nodes']['value']>) {
  const now = Date.now();
  const { nodes, serving, lost } = new NodesSummary(processes);
  return {
    hosts: nodes.length,
    serving,
    lost,
    processes: processes.map((each) => ({
      ...each,
      servedFor: duration((each.leftAt ?? each.seenAt).getTime() - each.startedAt.getTime()),
      seen: `${duration(now - each.seenAt.getTime())} ago`,
    })),
  };
}

function databaseOf(database: NonNullable<System['database']['value']>) {
  const { version, sizeBytes, latencyMs, location, server, restoredAt } = database;
  const facts = { version, location, size: byteSize(sizeBytes), latency: milliseconds(latencyMs) };
  return { ...facts, server, restoredAt };
}

/** Lists migrations with the words and the time in their names; applied ones newest first. */
function migrationsOf({ state: { applied, pending, unknown }, findings }: Migrations) {
  const rowOf = (state: 'pending' | 'applied' | 'unknown') => (name: string) => {
    const [, words = name, time] = /^(.*?)(\d{13})$/.exec(name) ?? [];
    return {
      name: words.replace(/(?<=[a-z\d])(?=[A-Z])/g, ' '),
      id: name,
      writtenAt: time === undefined ? null : new Date(Number(time)),
      state,
    };
  };
  return {
    findings,
    pending: pending.map(rowOf('pending')),
    unknown: unknown.map(rowOf('unknown')),
    applied: applied
      .filter((name) => !unknown.includes(name))
      .map(rowOf('applied'))
      .reverse(),
  };
}
