import { setTimeout as pause } from 'node:timers/promises';
import { isConflict } from './driver-errors';

/** How often work is begun at most. */
export const MOST_ATTEMPTS = 5;

/** The longest pause before the second attempt, in milliseconds; twice as long before each further one. */
const FIRST_PAUSE_MS = 10;

/**
 * Whether work that has failed may be begun again, as PostgreSQL's manual asks applications to when it has lost against other
 * transactions ("Serialization Failure Handling"). Pauses before it says so, for a random time: the work that it lost against
 * may be in the same situation.
 *
 * @param attempt how often it was begun
 */
export async function mayRetry(error: unknown, attempt: number): Promise<boolean> {
  if (!isConflict(error) || attempt >= MOST_ATTEMPTS) return false;
  await pause(Math.random() * FIRST_PAUSE_MS * 2 ** (attempt - 1));
  return true;
}
