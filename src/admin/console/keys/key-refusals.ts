import { ApiKeyNotFound, ApiKeyRefusal } from '../../../auth/api-keys.errors';
import { ConsoleRefusal } from '../console-refusal';

/** Does something with keys; what is refused becomes a page that says so. @throws ConsoleRefusal */
export async function asRefusal<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiKeyNotFound) throw new ConsoleRefusal(404, error.message);
    if (error instanceof ApiKeyRefusal) throw new ConsoleRefusal(409, error.message);
    throw error;
  }
}
