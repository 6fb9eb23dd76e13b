import cluster from 'node:cluster';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { limiterOptions, type RateLimitPolicy } from './rate-limit-policy';

/** Milliseconds that a worker waits for the primary process to count a request. */
const REPLY_TIMEOUT_MS = 1_000;

/** The policy's name and requests per minute, the client, and the number of requests, below 0 to take them back. */
type Question = readonly [policy: string, perMinute: number, client: string, points: number];

/** Number of requests counted in this window, and the milliseconds left of it. */
type Count = readonly [consumed: number, msBeforeNext: number];

/** Questions that a worker asks in one message. */
interface Questions {
  /** Number of the message. */
  readonly rateLimits: number;
  readonly questions: readonly Question[];
}

/** Replies, in the order of the questions. */
interface Counts {
  readonly rateLimits: number;
  readonly counts: readonly Count[];
}

interface OpenQuestion {
  readonly question: Question;
  readonly resolve: (count: Count | undefined) => void;
}

/** Tells whether a message holds a worker's questions about rate limits. */
function isQuestions(message: unknown): message is Questions {
  return isAbout(message) && 'questions' in message;
}

function isAbout(message: unknown): message is object {
  return typeof message === 'object' && message !== null && 'rateLimits' in message;
}

/**
 * Asks the primary process, with one message for all requests that arrive before the reply to the last message: a message for
 * each request, as the cluster limiter of rate-limiter-flexible sends it, costs about as much as the rest of a list.
 */
class QuestionBatches {
  private waiting: OpenQuestion[] = [];
  private asked: OpenQuestion[] = [];
  private timer: NodeJS.Timeout | undefined;
  private number = 0;

  constructor() {
    process.on('message', (message: unknown) => {
      if (isAbout(message) && 'counts' in message) this.take(message as Counts);
    });
  }

  /**
   * Asks for the count of a request.
   *
   * @returns undefined when there is no reply in time
   */
  ask(question: Question): Promise<Count | undefined> {
    const { promise, resolve } = Promise.withResolvers<Count | undefined>();
    // Sent later, so that the other requests that have arrived meanwhile join the message.
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
    // The reply is too late: those requests have been counted otherwise.
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
 * Makes this process, the primary one of a cluster, count for its workers, so that the limits hold for all of them together.
 * Every worker needs a listener for `error`: otherwise a worker that leaves between its question and the reply would end this
 * process.
 */
export function serveRateLimitsToWorkers(): void {
  const limiters = new Map<string, RateLimiterMemory>();
  const count = async ([name, perMinute, client, points]: Question): Promise<Count> => {
    let limiter = limiters.get(name);
    if (!limiter) limiters.set(name, (limiter = new RateLimiterMemory(limiterOptions({ name, perMinute }))));
    // A penalty counts and refuses nothing.
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

/** One instance for all limiters of a worker. */
let questionBatches: QuestionBatches | undefined;

/** The limiter of a policy in a worker: the primary process counts; while it does not reply, this process does. */
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
