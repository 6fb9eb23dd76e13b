/** A worker that lived this long, in milliseconds, ended for a reason of its own and not for that of the one before. */
const LONG_LIFE_MS = 60_000;
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 30_000;

/** How often in a row a worker's place fell vacant after a short life. */
export function shortLives(before: number, livedMs: number): number {
  return livedMs >= LONG_LIFE_MS ? 0 : before + 1;
}

/** How long a place stays vacant, in milliseconds: twice as long each time, so that a fault that comes back costs little. */
export function restartDelayMs(lives: number): number {
  return lives === 0 ? 0 : Math.min(FIRST_DELAY_MS * 2 ** (lives - 1), LONGEST_DELAY_MS);
}
