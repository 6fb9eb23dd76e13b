import cluster from 'node:cluster';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { limiterOptions, type RateLimitPolicy } from './rate-limit-policy';

/** How long a worker waits for the primary process to count a request, in milliseconds. */
const REPLY_TIMEOUT_MS = 1_000;

/** The policy's name and requests per minute, who is counted, and how many requests, below 0 to take them back. */
type Question = readonly [policy: string, perMinute: number, client: string, points: number];

/** How many requests have been counted in this window, and how many milliseconds of it are left. */
type Count = readonly [consumed: number, msBeforeNext: number];

/** What a worker asks at once. */
interface Questions {
  /** Their number. */
  readonly rateLimits: number;
  readonly questions: readonly Question[];
}

/** The replies, in the order of the questions. */
interface Counts {
  readonly rateLimits: number;
  readonly counts: readonly Count[];
}

interface Asked {
  readonly question: Question;
  readonly resolve: (count: Count | undefined) => void;
}

/** Whether a message of a worker is about rate limits. */
function isQuestions(message: unknown): message is Questions {
  return isAbout(message) && 'questions' in message;
}

function isAbout(message: unknown): message is object {
  return typeof message === 'object' && message !== null && 'rateLimits' in message;
}

/**
 * Asks the primary process, with one message for all that comes up until the reply to the one before: a message for each
 * request, as the cluster limiter of rate-limiter-flexible sends it, costs about as much as the rest of a list.
 */
class QuestionBatches {
  private waiting: Asked[] = [];
  private asked: Asked[] = [];
  private timer: NodeJS.Timeout | undefined;
  private number = 0;

  constructor() {
    process.on('message', (message: unknown) => {
      if (isAbout(message) && 'counts' in message) this.take(message as Counts);
    });
  }

  /** @returns undefined when there is no reply in time */
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
    this.timer = setTimeout(() => this.take({ rateLimits, counts: [] }), REPLY_TIMEOUT_MS);
    const questions = this.asked.map(({ question }) => question);
    if (process.connected) process.send?.({ rateLimits, questions } satisfies Questions);
    else this.take({ rateLimits, counts: [] });
  }

  private take({ rateLimits, counts }: Counts): void {
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

/**
 * Lets this process, the primary one of a cluster, count for its workers, so that the limits hold for all of them
 * together. Every worker needs a listener for `error`: one that leaves between its question and the reply would end
 * this process otherwise.
 */
export function serveRateLimitsToWorkers(): void {
  const limiters = new Map<string, RateLimiterMemory>();
  const count = async ([name, perMinute, client, points]: Question): Promise<Count> => {
    let limiter = limiters.get(name);
    if (!limiter) limiters.set(name, (limiter = new RateLimiterMemory(limiterOptions({ name, perMinute }))));
    // Counts and judges nothing.
    const { consumedPoints, msBeforeNext } = await limiter.penalty(client, points);
    return [consumedPoints, msBeforeNext];
  };
  const reply = async ({ rateLimits, questions }: Questions): Promise<unknown> => ({
    rateLimits,
    counts: await Promise.all(questions.map((question) => count(question))),
  });
  cluster.on('message', (worker, message: unknown) => {
    if (!isQuestions(message)) return;
    void reply(message).then((counts) => worker.isConnected() && worker.send(counts as object));
  });
}

/** One for all limiters of a worker. */
let questionBatches: QuestionBatches | undefined;

/** The limiter of a policy in a worker: the primary process counts; while it does not reply this one does by itself. */
export class WorkerLimiter extends RateLimiterMemory {
  private readonly questions = (questionBatches ??= new QuestionBatches());

  constructor(private readonly policy: RateLimitPolicy) {
    super(limiterOptions(policy));
  }

  override async consume(client: string | number, points = 1): Promise<RateLimiterRes> {
    const count = await this.count(client, points);
    if (!count) return super.consume(client, points);
    const outcome = this.outcomeOf(count);
    const { promise, resolve, reject } = Promise.withResolvers<RateLimiterRes>();
    if (outcome.consumedPoints > this.policy.perMinute) reject(outcome);
    else resolve(outcome);
    return promise;
  }

  override async reward(client: string | number, points = 1): Promise<RateLimiterRes> {
    const count = await this.count(client, -points);
    return count ? this.outcomeOf(count) : super.reward(client, points);
  }

  private count(client: string | number, points: number): Promise<Count | undefined> {
    const { name, perMinute } = this.policy;
    return this.questions.ask([name, perMinute, String(client), points]);
  }

  private outcomeOf([consumed, msBeforeNext]: Count): RateLimiterRes {
    const remaining = Math.max(0, this.policy.perMinute - consumed);
    return new RateLimiterRes(remaining, msBeforeNext, consumed, consumed === 1);
  }
}
