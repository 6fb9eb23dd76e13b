#!/usr/bin/env node
import './require-node';
import './compile-cache';
import 'reflect-metadata';
import { addAuditCommands } from './admin/audit/audit.command';
import { addDoctorCommand } from './admin/doctor/doctor.command';
import { addOpenapiCommands } from './admin/openapi/openapi.command';
import { addRecordCommands } from './admin/record-commands/records.command';
import { addReportCommands } from './admin/reports/report.command';
import { addKeyCommands } from './auth/keys.command';
import { createCli } from './create-cli';
import { addSeedCommand } from './pets/seed.command';
import { Output } from './platform/cli/output';
import { runProgram } from './platform/cli/program';
import { addConfigCommands } from './platform/config/config.command';
import { addDatabaseCommands } from './platform/database/db.command';

/** The groups of commands, one line each. */
export const COMMAND_GROUPS = [
  addRecordCommands,
  addKeyCommands,
  addReportCommands,
  addAuditCommands,
  addDatabaseCommands,
  addSeedCommand,
  addConfigCommands,
  addOpenapiCommands,
  addDoctorCommand,
];

async function main(): Promise<void> {
  const cli = createCli(new Output(process.stdout, process.stderr));
  process.exitCode = await runProgram(COMMAND_GROUPS, cli, process.argv.slice(2));
}

if (require.main === module) void main();
