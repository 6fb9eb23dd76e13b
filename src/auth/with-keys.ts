import type { Cli, CommandContext } from '../platform/cli/cli';
import { RefusedError } from '../platform/cli/command-error';
import { LastManagingKeyError } from './api-keys.errors';
import { ApiKeysService } from './api-keys.service';

/** Runs work on the keys; a refusal that the operator can confirm says how. */
export async function withKeys<T>(
  cli: Cli,
  work: (keys: ApiKeysService, app: CommandContext) => Promise<T>,
): Promise<T> {
  try {
    return await cli.withApp((app) => work(app.get(ApiKeysService), app));
  } catch (error) {
    if (!(error instanceof LastManagingKeyError)) throw error;
    throw new RefusedError(`${error.message} Confirm with --yes.`);
  }
}
