import { setTimeout as pause } from 'node:timers/promises';
import { isConflict } from './driver-errors';

/** How often work is begun at most. */
export const MOST_ATTEMPTS = 5;

/** The longest pause before the second attempt, in milliseconds; twice as long before each further one. */
const FIRST_PAUSE_MS = 10;

/**
 * Runs work that loses against other transactions again, as PostgreSQL's manual asks applications to ("Serialization Failure
 * Handling"). The pauses are random: the work that it lost against may be in the same situation.
 *
 * @throws what the work throws, at the last attempt also the conflict
 */
export async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; attempt < MOST_ATTEMPTS; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isConflict(error)) throw error;
      await pause(Math.random() * FIRST_PAUSE_MS * 2 ** (attempt - 1));
    }
  }
  return work();
}
