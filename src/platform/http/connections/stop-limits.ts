/** Longest time that a stop waits for the requests under way, in milliseconds. */
export const STOP_GRACE_MS = 20_000;

/** Longest time for writing what is gathered and closing connections to other servers, in milliseconds. */
export const FINISH_MS = 5_000;

/** Returns the milliseconds within which a service has stopped, whatever hangs; one second is for its own work. */
export function stopLimitMs({ drainDelay }: { readonly drainDelay: number }): number {
  return drainDelay + STOP_GRACE_MS + FINISH_MS + 1_000;
}
