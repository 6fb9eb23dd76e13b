import type { DiscoveryService } from '@nestjs/core';
import { fakeOnly } from '../../test/support/fake-only';
import { ServiceUnavailableError } from '../platform/errors/http-errors';
import { HealthCheck, type HealthDetails, type HealthResult } from '../platform/health/health-check';
import { ServiceState } from '../platform/http/service-state';
import { createLogger } from '../platform/logging/logger';
import { Metrics } from '../platform/telemetry/metrics';
import { HealthService } from './health.service';

/** A check that behaves as a test sets it. */
class TestCheck extends HealthCheck {
  asked = 0;

  constructor(
    readonly name: string,
    readonly isRequired: boolean,
    private readonly answer: () => Promise<HealthResult> | HealthResult | undefined,
  ) {
    super();
  }

  override get facts(): HealthDetails {
    return { asked: this.asked };
  }

  check() {
    this.asked += 1;
    return this.answer();
  }
}

describe('The health of the service', () => {
  let log = '';
  afterEach(() => jest.useRealTimers());

  function healthOf(...checks: HealthCheck[]): HealthService {
    const providers = [...checks, undefined, {}, checks[0]].map((instance) => ({ instance }));
    const discovery = { getProviders: () => providers } as unknown as DiscoveryService;
    const logger = createLogger('info', { write: (line) => void (log += line) });
    const health = new HealthService(discovery, new ServiceState(), new Metrics(), logger);
    health.onModuleInit();
    return health;
  }

  const fine = () => new TestCheck('fine', true, () => ({ status: 'ok', details: { size: 1 } }));

  it('reports the status and details of each check', async () => {
    expect(await healthOf(fine()).report()).toEqual({
      status: 'ok',
      lifecycle: 'serving',
      checks: { fine: { status: 'ok', asked: 0, size: 1 } },
    });
  });

  it('leaves out a check that does not apply', async () => {
    const { checks } = await healthOf(fine(), new TestCheck('none', true, () => undefined)).report();
    expect(Object.keys(checks)).toEqual(['fine']);
  });

  it('is degraded when an optional check fails', async () => {
    const health = healthOf(
      fine(),
      new TestCheck('extra', false, () => ({ status: 'failed', reason: 'No.' })),
    );
    expect(await health.report()).toMatchObject({
      status: 'degraded',
      checks: { extra: { status: 'failed', reason: 'No.', asked: 0 } },
    });
    expect((await health.readiness()).checks).not.toHaveProperty('extra');
    expect(await health.isReady()).toBe(true);
  });

  it('is ok when a check could not be made, whose advice only commands and pages show', async () => {
    const skipped = { status: 'skipped', reason: 'Not now.', advice: 'Wait.', commands: ['wait'] } as const;
    const health = healthOf(fine(), new TestCheck('part', true, () => skipped));
    expect(await health.report()).toMatchObject({
      status: 'ok',
      checks: { part: { status: 'skipped', reason: 'Not now.', asked: 0 } },
    });
    expect(JSON.stringify(await health.report())).not.toContain('ait.');
  });

  it('is degraded and ready when a required check is degraded', async () => {
    const health = healthOf(
      fine(),
      new TestCheck('part', true, () => ({ status: 'degraded', reason: 'Half.' })),
    );
    for (const report of [await health.report(), await health.readiness()]) {
      expect(report).toMatchObject({
        status: 'degraded',
        checks: { fine: { status: 'ok' }, part: { status: 'degraded', reason: 'Half.' } },
      });
    }
    expect(await health.isReady()).toBe(true);
  });

  it('is saturated and ready when a required check is saturated, whatever else is degraded', async () => {
    const health = healthOf(
      new TestCheck('busy', true, () => ({ status: 'saturated', reason: 'Late.' })),
      new TestCheck('part', true, () => ({ status: 'degraded', reason: 'Half.' })),
    );
    expect(await health.readiness()).toMatchObject({
      status: 'saturated',
      checks: { busy: { status: 'saturated', reason: 'Late.' } },
    });
    expect(await health.isReady()).toBe(true);
  });

  it('is saturated and ready when the process itself is too busy to finish a check in time', async () => {
    const health = healthOf(new TestCheck('late', true, () => new Promise<never>(() => undefined)));
    fakeOnly(['setTimeout', 'clearTimeout']);
    const asked = health.readiness();
    const late = performance.now() + 1_300;
    jest.spyOn(performance, 'now').mockReturnValue(late);
    jest.advanceTimersByTime(1_000);
    jest.restoreAllMocks();
    expect(await asked).toMatchObject({ status: 'saturated', checks: { late: { status: 'saturated' } } });
  });

  it('is not ready when one required check is saturated and another fails', async () => {
    const health = healthOf(
      new TestCheck('busy', true, () => ({ status: 'saturated', reason: 'Late.' })),
      new TestCheck('gone', true, () => ({ status: 'failed', reason: 'Away.' })),
    );
    expect((await health.readiness()).status).toBe('unavailable');
  });

  it('gives the sentence of a known error as the reason, and hides its cause', async () => {
    const cause = new Error('password authentication failed for secret');
    const check = new TestCheck('down', true, () => {
      throw new ServiceUnavailableError({ message: 'It is away.', cause });
    });
    const health = healthOf(check);
    expect((await health.report()).checks.down).toEqual({
      status: 'failed',
      reason: 'It is away.',
      asked: 0,
    });
    expect(await health.isReady()).toBe(false);
    expect(log).toBe('');
  });

  it('logs an unexpected error and hides it from the report', async () => {
    const check = new TestCheck('broken', true, () => Promise.reject(new Error('classified')));
    const report = await healthOf(check).report();
    expect(report).toMatchObject({
      status: 'unavailable',
      checks: { broken: { status: 'failed', reason: 'It failed unexpectedly; see the log.' } },
    });
    expect(JSON.stringify(report)).not.toContain('classified');
    expect(log).toContain('classified');
  });

  it('waits a second for a check that hangs, and runs it once for all who ask meanwhile', async () => {
    const hanging = new TestCheck('hanging', true, () => new Promise<never>(() => undefined));
    const health = healthOf(hanging, fine());
    fakeOnly(['setTimeout', 'clearTimeout', 'performance']);
    const asked = Array.from({ length: 50 }, () => health.report());
    await jest.advanceTimersByTimeAsync(1_000);
    const reports = await Promise.all(asked);
    for (const { checks } of reports) {
      expect(checks).toEqual({
        hanging: { status: 'failed', reason: 'It did not answer within 1 s.', asked: 0 },
        fine: { status: 'ok', asked: 0, size: 1 },
      });
    }
    expect(hanging.asked).toBe(1);
    const again = health.isReady();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await again).toBe(false);
    expect(hanging.asked).toBe(2);
  });
});
