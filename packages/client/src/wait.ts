/** Longest time that a timer holds, in milliseconds: 24.8 days. A longer one ends at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Waits, for any time. @throws the signal's reason after an abort */
export async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  let rest = milliseconds;
  for (; rest > LONGEST_TIMER; rest -= LONGEST_TIMER) await waitOnce(LONGEST_TIMER, signal);
  await waitOnce(rest, signal);
}

function waitOnce(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
