/** How long a stop waits for the requests under way, in milliseconds. */
export const STOP_GRACE_MS = 20_000;

/** How long writing what is gathered and closing connections to other servers may take, in milliseconds. */
export const FINISH_MS = 5_000;

/** Within how many milliseconds a service has stopped, whatever hangs; a second is for what it does itself. */
export function stopLimitMs({ drainDelay }: { readonly drainDelay: number }): number {
  return drainDelay + STOP_GRACE_MS + FINISH_MS + 1_000;
}
