import { isConflict } from './driver-errors';
import { wait } from '../../values/wait';

/** Most attempts at the same work, the first included. */
export const MOST_ATTEMPTS = 5;

/** The longest pause before the second attempt, in milliseconds; twice as long before each further one. */
const FIRST_PAUSE_MS = 10;

/**
 * Resolves to whether failed work may be begun again, as PostgreSQL's manual asks of applications that lost against other
 * transactions ("Serialization Failure Handling"). Pauses before a yes, for a random time: the work that it lost against may be
 * in the same situation.
 *
 * @param attempt number of attempts so far
 */
export async function mayRetry(error: unknown, attempt: number): Promise<boolean> {
  if (!isConflict(error) || attempt >= MOST_ATTEMPTS) return false;
  await wait(Math.random() * FIRST_PAUSE_MS * 2 ** (attempt - 1));
  return true;
}
