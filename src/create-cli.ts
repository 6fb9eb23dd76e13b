import { userInfo } from 'node:os';
import { NestFactory } from '@nestjs/core';
import type { DataSource } from 'typeorm';
import { addAuditCommands } from './admin/audit/audit.command';
import { addDistributeCommand } from './admin/distribution/distribute.command';
import { addDoctorCommand } from './admin/doctor/doctor.command';
import { addJobCommands } from './admin/jobs/jobs.command';
import { addMcpCommand } from './admin/mcp/mcp.command';
import { addOpenapiCommands } from './admin/openapi/openapi.command';
import { addReadOnlyCommands } from './admin/read-only/read-only.command';
import { recordCommands } from './admin/records/commands/records.command';
import { addReportCommands } from './admin/reports/report.command';
import { addRequestCommands } from './admin/requests/requests.command';
import { AppModule } from './app.module';
import { keyCommands } from './auth/keys.command';
import * as features from './features';
import { addSeedCommand } from './pets/seed.command';
import { actingAs } from './platform/audit/actor';
import type { Cli, CommandContext, CommandGroup } from './platform/cli/cli';
import { CommandError } from './platform/cli/command-error';
import { addCompletionCommands } from './platform/cli/completion/completion.command';
import { addConfigCommands } from './platform/cli/config.command';
import { addLoginCommands } from './platform/cli/remote/login.command';
import type { Output } from './platform/cli/output';
import { type CommandRunner, runProgram } from './platform/cli/program';
import { loadEnvironment, loadSettings } from './platform/config/load-settings';
import type { Settings } from './platform/config/settings';
import { engineOf } from './platform/database/column-types';
import { addDatabaseCommands } from './platform/database/db.command';
import { openDatabase } from './platform/database/open';
import { prepareSchema } from './platform/database/prepare-schema';
import { commandsOf, type Features, schemaOf } from './platform/features/feature-modules';
import { createLogger } from './platform/logging/logger';
import { NestLogger } from './platform/logging/nest-logger';

/** The groups of commands, one line each, with those for these features. */
export function commandGroups(listed: Features): CommandGroup[] {
  return [
    recordCommands(listed),
    keyCommands(listed),
    addReportCommands,
    addAuditCommands,
    addRequestCommands,
    addJobCommands,
    addDatabaseCommands,
    addDistributeCommand,
    addReadOnlyCommands,
    addSeedCommand,
    addConfigCommands,
    addOpenapiCommands,
    addMcpCommand,
    addDoctorCommand,
    addLoginCommands,
    ...commandsOf(listed),
    addCompletionCommands,
  ];
}

/** The groups of commands of this build. */
export const COMMAND_GROUPS = commandGroups(features);

/** Runs the commands for these features. */
export function commandRunner(listed: Features): CommandRunner {
  const groups = commandGroups(listed);
  return (cli, args, before) => runProgram(groups, cli, args, before);
}

/** What the commands work with: the modules of the service without HTTP, opened when a command asks for them. */
export function createCli(output: Output): Cli {
  const readSettings = () => loadSettings(loadEnvironment());
  return {
    output,
    loadSettings: readSettings,
    openDatabase: open,
    withDatabase: (work) => withDatabase(readSettings(), work),
    withApp: (work, others = {}) => {
      const settings = { ...readSettings(), ...others };
      return withDatabase(settings, async (dataSource) => {
        await readySchema(dataSource, settings, output);
        return withApp(settings, dataSource, work);
      });
    },
  };
}

function open(settings: Settings): Promise<DataSource> {
  return openDatabase(settings, schemaOf(features));
}

async function withDatabase<T>(settings: Settings, work: (dataSource: DataSource) => Promise<T>): Promise<T> {
  const dataSource = await open(settings);
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

async function withApp<T>(
  settings: Settings,
  dataSource: DataSource,
  work: (app: CommandContext) => T | Promise<T>,
): Promise<T> {
  // What goes wrong reaches the person as one sentence; the log is the server's.
  const logger = createLogger('silent', NOWHERE);
  const app = await NestFactory.createApplicationContext(
    AppModule.forRoot({ settings, logger, dataSource }),
    {
      logger: new NestLogger(logger),
      abortOnError: false,
    },
  );
  try {
    return await actingAs({ name: `cli:${userInfo().username}` }, () => work(app));
  } finally {
    await app.close();
  }
}

const NOWHERE = { write: () => undefined };

/** Migrates the embedded database as the server does, so that a key can be made before the server's first start. */
async function readySchema(dataSource: DataSource, settings: Settings, output: Output): Promise<void> {
  const mayMigrate = engineOf(dataSource) === 'sqlite' && settings.migrateOnStart !== false;
  const { applied, pending, unknown } = await prepareSchema(dataSource, mayMigrate);
  if (applied.length > 0) output.message('The database was migrated.');
  if (unknown.length > 0) output.message('The database was migrated by a newer version of the service.');
  if (pending.length > 0) throw new CommandError('The database is behind: run "petstore db migrate" first.');
}
