import { setTimeout as pause } from 'node:timers/promises';

/** Waits until the condition holds; the test's own time limit bounds it. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) {
    await pause(2);
  }
}
