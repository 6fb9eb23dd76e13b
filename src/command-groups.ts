import { addAuditCommands } from './admin/audit/audit.command';
import { addDoctorCommand } from './admin/doctor/doctor.command';
import { addOpenapiCommands } from './admin/openapi/openapi.command';
import { recordCommands } from './admin/record-commands/records.command';
import { addReportCommands } from './admin/reports/report.command';
import { addKeyCommands } from './auth/keys.command';
import * as features from './features';
import { addSeedCommand } from './pets/seed.command';
import { addCompletionCommands } from './platform/cli/completion/completion.command';
import { addConfigCommands } from './platform/config/config.command';
import { addDatabaseCommands } from './platform/database/db.command';

/** The groups of commands, one line each. */
export const COMMAND_GROUPS = [
  recordCommands(features),
  addKeyCommands,
  addReportCommands,
  addAuditCommands,
  addDatabaseCommands,
  addSeedCommand,
  addConfigCommands,
  addOpenapiCommands,
  addDoctorCommand,
  addCompletionCommands,
];
