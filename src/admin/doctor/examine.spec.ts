import type { CheckContext } from '../../platform/cli/cli';
import { type Check, type Finding, type Need, ok, skipped } from '../../platform/health/check';
import { begin, linesOf } from './examine';

const CONTEXT = {} as CheckContext;

/** A check that ends when a test says so. */
class SteeredCheck implements Check<CheckContext> {
  hasBegun = false;
  private readonly ended = Promise.withResolvers<void>();

  constructor(
    readonly name: string,
    readonly needs: Need,
    readonly limitMs?: number,
  ) {}

  async check(): Promise<Finding> {
    this.hasBegun = true;
    await this.ended.promise;
    return ok(`${this.name} ended.`);
  }

  end(): void {
    this.ended.resolve();
  }
}

describe('The checks of doctor', () => {
  it('are made side by side, those of the service once those with a time limit have ended', async () => {
    const service = new SteeredCheck('service', 'service', 9_000);
    const timed = [new SteeredCheck('one', 'settings', 9_000), new SteeredCheck('two', 'database', 9_000)];
    const process = new SteeredCheck('process', 'database');
    const lines = begin([service, ...timed, process], CONTEXT);
    await Promise.resolve();
    expect([service, ...timed, process].map(({ hasBegun }) => hasBegun)).toEqual([false, true, true, true]);
    for (const each of [...timed, service]) each.end();
    expect(await lines[0]?.findings).toEqual([ok('service ended.')]);
    process.end();
    expect(await lines[3]?.findings).toEqual([ok('process ended.')]);
  });

  it('go on when one of them throws', async () => {
    const check = () => Promise.reject(new Error('It broke.'));
    const [line] = begin([{ name: 'broken', needs: 'nothing', check }], CONTEXT);
    expect(await line?.findings).toEqual([
      { status: 'failed', reason: 'It broke.', advice: 'See the lines above.' },
    ]);
  });
});

describe('The lines of doctor', () => {
  it.each<[Finding, string]>([
    [ok('It works.'), 'ok'],
    [{ ...ok('It is off.'), advice: 'Switch it on.' }, 'warn'],
    [skipped('It was not looked at.'), 'warn'],
    [{ status: 'saturated', reason: 'It is late.' }, 'warn'],
    [{ status: 'degraded' }, 'warn'],
    [{ status: 'failed' }, 'fail'],
  ])('say of %j: %s', (finding, status) => {
    expect(linesOf('one', [finding]).map(({ line }) => line.status)).toEqual([status]);
  });
});
