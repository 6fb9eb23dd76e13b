import type { Database } from './database';
import { wait } from '../values/wait';

/**
 * Lets other writers of SQLite's file in, between the batches of long work. A process that waits for the write lock sleeps, a
 * server with all its requests, and looks again after 1, 2, 5, 10, 15, 20 and 25 ms: never later than 2 ms more than it has
 * waited already. So a pause 3 ms longer than the batch meets a look; without one it can be missed batch after batch.
 *
 * @param begun when the batch that has just ended began, as `performance.now()` told it
 */
export async function yieldToWriters({ engine }: Pick<Database, 'engine'>, begun: number): Promise<void> {
  if (engine === 'sqlite') await wait(Math.ceil(performance.now() - begun) + 3);
}
