/** How long a worker waits for the primary process to count a request, in milliseconds. */
const ANSWER_TIMEOUT_MS = 1_000;

/** The policy's name and requests per minute, who is counted, and how many requests, below 0 to take them back. */
export type Question = readonly [policy: string, perMinute: number, client: string, points: number];

/** How many requests have been counted in this window, and how many milliseconds of it are left. */
export type Count = readonly [consumed: number, msBeforeNext: number];

/** What a worker asks at once. */
export interface Questions {
  /** Their number. */
  readonly rateLimits: number;
  readonly questions: readonly Question[];
}

/** The answers, in the order of the questions. */
interface Counts {
  readonly rateLimits: number;
  readonly counts: readonly Count[];
}

interface Asked {
  readonly question: Question;
  readonly resolve: (count: Count | undefined) => void;
}

/** Whether a message of a worker is about rate limits. */
export function isQuestions(message: unknown): message is Questions {
  return isAbout(message) && 'questions' in message;
}

function isAbout(message: unknown): message is object {
  return typeof message === 'object' && message !== null && 'rateLimits' in message;
}

/**
 * Asks the primary process, with one message for all that comes up until the one before is answered: a message for each
 * request, as the cluster limiter of rate-limiter-flexible sends it, costs about as much as the rest of a list.
 */
export class Questionnaire {
  private waiting: Asked[] = [];
  private asked: Asked[] = [];
  private timer: NodeJS.Timeout | undefined;
  private number = 0;

  constructor() {
    process.on('message', (message: unknown) => {
      if (isAbout(message) && 'counts' in message) this.answered(message as Counts);
    });
  }

  /** @returns undefined when there is no answer in time */
  ask(question: Question): Promise<Count | undefined> {
    const { promise, resolve } = Promise.withResolvers<Count | undefined>();
    // Not at once: the other requests that have arrived meanwhile come up first.
    if (this.waiting.push({ question, resolve }) === 1 && this.asked.length === 0) {
      setImmediate(() => this.send());
    }
    return promise;
  }

  private send(): void {
    if (this.asked.length > 0 || this.waiting.length === 0) return;
    this.asked = this.waiting;
    this.waiting = [];
    this.number += 1;
    const rateLimits = this.number;
    this.timer = setTimeout(() => this.answered({ rateLimits, counts: [] }), ANSWER_TIMEOUT_MS);
    const questions = this.asked.map(({ question }) => question);
    if (process.connected) process.send?.({ rateLimits, questions } satisfies Questions);
    else this.answered({ rateLimits, counts: [] });
  }

  private answered({ rateLimits, counts }: Counts): void {
    // Too late: those requests have been counted otherwise.
    if (rateLimits !== this.number) return;
    clearTimeout(this.timer);
    const { asked } = this;
    this.asked = [];
    this.number += 1;
    asked.forEach(({ resolve }, i) => resolve(counts[i]));
    this.send();
  }
}
