import { Get } from '@nestjs/common';
import { packageVersion } from '../../../platform/config/package-version';
import { byteSize } from '../../../platform/values/byte-size';
import { duration, milliseconds } from '../charts/number-text';
import { ConsoleController } from '../console-controller.decorator';
import { NodesSummary } from '../overview/nodes-summary';
import { type Page, page } from '../page';
import { type System, SystemService } from './system.service';

/** What runs, on what, and how it is set. */
@ConsoleController('system')
export class SystemController {
  constructor(private readonly system: SystemService) {}

  @Get()
  async show(): Promise<Page> {
    const { nodes, database, schema, settings } = await this.system.read();
    return page('/system/system', {
      title: 'System',
      data: {
        nodes: nodes.value ? nodesOf(nodes.value) : nodes,
        database: database.value ? databaseOf(database.value) : database,
        schema: schema.value ? migrationsOf(schema.value) : schema,
        settings,
        process: {
          version: packageVersion(),
          node: process.version.slice(1),
          platform: `${process.platform} ${process.arch}`,
          pid: process.pid,
          uptime: duration(process.uptime() * 1_000),
          memory: byteSize(process.memoryUsage.rss()),
        },
      },
    });
  }
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
  const { version, sizeBytes, latencyMs, location, server } = database;
  return { version, location, size: byteSize(sizeBytes), latency: milliseconds(latencyMs), server };
}

/** Newest first, with what their names say. */
function migrationsOf({ applied, pending, unknown }: NonNullable<System['schema']['value']>) {
  const rowOf = (state: 'pending' | 'applied' | 'unknown') => (name: string) => {
    const [, words = name, time] = /^(.*?)(\d{13})$/.exec(name) ?? [];
    return {
      name: words.replace(/(?<=[a-z\d])(?=[A-Z])/g, ' '),
      id: name,
      writtenAt: time === undefined ? null : new Date(Number(time)),
      state,
    };
  };
  const known = applied.filter((name) => !unknown.includes(name));
  return {
    pending: pending.length,
    unknown: unknown.length,
    rows: [
      ...pending.map(rowOf('pending')),
      ...unknown.map(rowOf('unknown')),
      ...known.map(rowOf('applied')).reverse(),
    ],
  };
}
