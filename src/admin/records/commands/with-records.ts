import type { Cli, CommandContext } from '../../../platform/cli/cli';
import { InvalidRecordError } from '../records.errors';
import { RecordsService } from '../records.service';
import { flagOf } from './field-options';

/** Runs work on records. Names the option in each message about a field at fault, one line each. */
export async function withRecords<T>(
  cli: Cli,
  work: (records: RecordsService, app: CommandContext) => Promise<T>,
): Promise<T> {
  try {
    return await cli.withApp((app) => work(app.get(RecordsService, { strict: false }), app));
  } catch (error) {
    if (!(error instanceof InvalidRecordError)) throw error;
    const told = error.faults.map(({ field, message }) => ({
      field,
      message: `${flagOf(field)}: ${message}`,
    }));
    throw new InvalidRecordError(told, '\n');
  }
}
