import type { INestApplicationContext } from '@nestjs/common';
import type { Cli } from '../../../platform/cli/cli';
import { NotFoundError, RefusedError, UsageError } from '../../../platform/cli/command-error';
import { AppError } from '../../../platform/errors/app-error';
import { InvalidRecord, RecordNotFound, RecordsRefusal } from '../records.errors';
import { RecordsService } from '../records.service';
import { faultsByOption } from './field-options';

/**
 * Runs work on records; what they refuse gets the exit code that says so.
 *
 * @throws UsageError, NotFoundError, RefusedError, or what else the work throws
 */
export async function withRecords<T>(
  cli: Cli,
  work: (records: RecordsService, app: INestApplicationContext) => Promise<T>,
): Promise<T> {
  try {
    return await cli.withApp((app) => work(app.get(RecordsService, { strict: false }), app));
  } catch (error) {
    if (error instanceof InvalidRecord) throw new UsageError(faultsByOption(error.faults));
    if (error instanceof RecordNotFound) throw new NotFoundError(error.message);
    // What a feature refuses is its own business; that the database is away is not.
    if (error instanceof RecordsRefusal || (error instanceof AppError && error.status < 500)) {
      throw new RefusedError(error.message);
    }
    throw error;
  }
}
