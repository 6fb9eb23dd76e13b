let lastMs = 0;
let lastTime = '';

/** Returns the time of a line, ISO 8601 to the millisecond; lines of one millisecond share the text. */
export function lineTime(): string {
  const now = Date.now();
  if (now !== lastMs) {
    lastMs = now;
    lastTime = new Date(now).toISOString();
  }
  return lastTime;
}
