import type { DynamicModule } from '@nestjs/common';
import type { Settings } from '../platform/config/settings';
import type { Tooling } from '../platform/features/tooling';

/** The admin tooling: commands and console. Each part is loaded when it is needed. */
export const ADMIN_TOOLING: Tooling = {
  commandModule: adminModule,
  async serverModule(settings) {
    const [admin, { ConsolePagesModule }] = await Promise.all([
      adminModule(settings),
      import('./console/console-pages.module.js'),
    ]);
    return { ...admin, imports: [...(admin.imports ?? []), ConsolePagesModule] };
  },
  async begin(app) {
    app.get((await import('./statistics/traffic-recorder.service.js')).TrafficRecorder).begin();
  },
  commands: [
    {
      words: ['report'],
      load: async () => (await import('./requests/reports/report.command.js')).addReportCommands,
    },
    {
      words: ['audit'],
      load: async () => [
        (await import('./audit/audit.command.js')).addAuditCommands,
        (await import('./records/erasure/erasure.command.js')).addErasureCommands,
      ],
    },
    {
      words: ['requests'],
      load: async () => (await import('./requests/requests.command.js')).addRequestCommands,
    },
    { words: ['find'], load: async () => (await import('./find/find.command.js')).addFindCommand },
    { words: ['jobs'], load: async () => (await import('./jobs/jobs.command.js')).addJobCommands },
    {
      words: ['db'],
      load: async () => [
        (await import('./database/db.command.js')).addDatabaseCommands,
        (await import('./database/drill.command.js')).addDrillCommand,
        (await import('./database/distribution/distribute.command.js')).addDistributeCommand,
      ],
    },
    {
      words: ['read-only'],
      load: async () => (await import('./read-only/read-only.command.js')).addReadOnlyCommands,
    },
    {
      words: ['doctor'],
      load: async ({ settings }) => (await import('./doctor/doctor.command.js')).doctorCommand(settings),
    },
  ],
  recordCommands: async (features) =>
    (await import('./records/commands/records.command.js')).recordCommands(features),
};

async function adminModule({ auditLog }: Settings): Promise<DynamicModule> {
  const [{ AdminModule }, { AuditLinesModule }] = await Promise.all([
    import('./admin.module.js'),
    import('./audit/audit-lines.module.js'),
  ]);
  return { module: AdminModule, imports: auditLog ? [AuditLinesModule] : [] };
}
