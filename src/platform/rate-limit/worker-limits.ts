import cluster from 'node:cluster';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { limiterOptions, type RateLimitPolicy } from './rate-limit-policy';
import { type Count, isQuestions, type Question, type Questions, Questionnaire } from './worker-questions';

/**
 * Lets this process, the primary one of a cluster, count for its workers, so that the limits hold for all of them
 * together. Every worker needs a listener for `error`: one that leaves between its question and the answer would end
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
  const answer = async ({ rateLimits, questions }: Questions): Promise<unknown> => ({
    rateLimits,
    counts: await Promise.all(questions.map((question) => count(question))),
  });
  cluster.on('message', (worker, message: unknown) => {
    if (!isQuestions(message)) return;
    void answer(message).then((counts) => worker.isConnected() && worker.send(counts as object));
  });
}

let questionnaire: Questionnaire | undefined;

/** The limiter of a policy in a worker: the primary process counts; while it does not answer this one does by itself. */
export class WorkerLimiter extends RateLimiterMemory {
  private readonly questions = (questionnaire ??= new Questionnaire());

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
