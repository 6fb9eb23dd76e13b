import { PetstoreError } from './petstore-error.ts';
import { wait } from './wait.ts';

/** Milliseconds that the first pause between two attempts may last; each next one may last twice as long. */
const FIRST_PAUSE = 200;

/** Milliseconds that a pause may last if the service did not ask for one. */
const LONGEST_PAUSE = 5_000;

/** Statuses after which the operation was certainly not done. */
const REFUSED_FOR_NOW: readonly (number | undefined)[] = [408, 429];

/** Statuses of a service or proxy that cannot serve at the moment; the operation may have been done. */
const AWAY: readonly (number | undefined)[] = [502, 503, 504];

/** Limits on the attempts of a call. */
export interface Attempts {
  /** True if doing it twice has the same effect as doing it once. */
  readonly isRepeatable: boolean;
  /** Milliseconds for all attempts and pauses. */
  readonly budget: number;
  /** Milliseconds for one attempt. */
  readonly timeout: number;
  readonly signal: AbortSignal | undefined;
  /** True if a pause that the service asks for with 429 does not count. */
  readonly waitsAsTold: boolean;
  /** Called before each pause. */
  readonly onWait: (milliseconds: number, error: PetstoreError) => void;
}

/**
 * Attempts something until it succeeds, fails for good, or the budget does not last for another attempt.
 *
 * @throws PetstoreError of the last attempt; the signal's reason after an abort
 */
export async function attemptWithin<T>(
  { isRepeatable, budget, timeout, signal, waitsAsTold, onWait }: Attempts,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  let end = performance.now() + budget;
  for (let longest = FIRST_PAUSE; ; longest = Math.min(2 * longest, LONGEST_PAUSE)) {
    try {
      return await limited(Math.min(timeout, Math.max(0, end - performance.now())), signal, work);
    } catch (error) {
      if (signal?.aborted || !(error instanceof PetstoreError) || !isWorthAnother(error, isRepeatable))
        throw error;
      // At random, so that clients that failed together do not come back together.
      const pause = (error.retryAfter ?? 0) * 1_000 + Math.random() * longest;
      if (waitsAsTold && error.status === 429 && error.retryAfter !== undefined) end += pause;
      if (performance.now() + pause >= end) throw error;
      onWait(pause, error);
      await wait(pause, signal);
    }
  }
}

function isWorthAnother({ code, status }: PetstoreError, isRepeatable: boolean): boolean {
  if (REFUSED_FOR_NOW.includes(status)) return true;
  if (!isRepeatable) return false;
  // Without a status the response was incomplete or missing.
  return status === undefined || AWAY.includes(status) || code === 'idempotency_in_progress';
}

/**
 * Runs the work with a signal that is aborted with the caller's, or after a time with a `timeout` error. Once it is aborted, an
 * error of the work is replaced by the reason of the signal.
 */
async function limited<T>(
  milliseconds: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  signal?.addEventListener('abort', abort);
  const worked = new AbortController();
  wait(milliseconds, worked.signal).then(
    () => controller.abort(new PetstoreError('The service did not respond in time.', { code: 'timeout' })),
    () => undefined,
  );
  try {
    return await work(controller.signal);
  } catch (error) {
    if (controller.signal.aborted) throw controller.signal.reason;
    throw error;
  } finally {
    worked.abort();
    signal?.removeEventListener('abort', abort);
  }
}
