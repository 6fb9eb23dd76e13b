import { userInfo } from 'node:os';

/** Returns the name of the user who runs this process, or the number where the system knows no name, as in many containers. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}
