import type { INestApplicationContext } from '@nestjs/common';
import { ApiKeyNotFound } from '../../auth/api-keys.errors';
import type { Cli } from '../../platform/cli/cli';
import { NotFoundError, UsageError } from '../../platform/cli/command-error';
import { NotDeprecated, UnfitPlan, UnknownOperation } from './reports.errors';

const NOT_FOUND = [ApiKeyNotFound, NotDeprecated, UnknownOperation];

/** Runs a command's work on the reports; what cannot be told becomes an exit code. */
export async function withReports<T>(
  cli: Cli,
  work: (app: INestApplicationContext) => T | Promise<T>,
): Promise<T> {
  try {
    return await cli.withApp(async (app) => work(app));
  } catch (error) {
    if (error instanceof UnfitPlan) throw new UsageError(error.message);
    if (error instanceof Error && NOT_FOUND.some((kind) => error instanceof kind)) {
      throw new NotFoundError(error.message);
    }
    throw error;
  }
}
