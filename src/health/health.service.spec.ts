import type { DiscoveryService } from '@nestjs/core';
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

describe('health', () => {
  let log = '';

  function healthOf(...checks: HealthCheck[]): HealthService {
    const providers = [...checks, undefined, {}, checks[0]].map((instance) => ({ instance }));
    const discovery = { getProviders: () => providers } as unknown as DiscoveryService;
    const logger = createLogger('info', { write: (line) => void (log += line) });
    const health = new HealthService(discovery, new ServiceState(), new Metrics(), logger);
    health.onModuleInit();
    return health;
  }

  const fine = () => new TestCheck('fine', true, () => ({ status: 'ok', details: { size: 1 } }));

  it('is told with what the check knows and what it found', async () => {
    expect(await healthOf(fine()).report()).toEqual({
      status: 'ok',
      lifecycle: 'serving',
      checks: { fine: { status: 'ok', asked: 0, size: 1 } },
    });
  });

  it('leaves out what there is none of', async () => {
    const { checks } = await healthOf(fine(), new TestCheck('none', true, () => undefined)).report();
    expect(Object.keys(checks)).toEqual(['fine']);
  });

  it('is degraded without what the service can do without', async () => {
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

  it('is degraded, and ready, when what the service needs serves a part of the requests', async () => {
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

  it('is saturated, and ready, when what the service needs has more to do than it can, whatever else is degraded', async () => {
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

  it('is saturated, and ready, when the process itself comes late to an answer', async () => {
    const health = healthOf(new TestCheck('late', true, () => new Promise<never>(() => undefined)));
    const asked = health.readiness();
    const end = performance.now() + 1_300;
    while (performance.now() < end);
    expect(await asked).toMatchObject({ status: 'saturated', checks: { late: { status: 'saturated' } } });
  });

  it('is not ready when it is saturated and lacks what it needs', async () => {
    const health = healthOf(
      new TestCheck('busy', true, () => ({ status: 'saturated', reason: 'Late.' })),
      new TestCheck('gone', true, () => ({ status: 'failed', reason: 'Away.' })),
    );
    expect((await health.readiness()).status).toBe('unavailable');
  });

  it('fails with the sentence of an error that is a response, and tells nothing of its cause', async () => {
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

  it('keeps what it did not expect to the log', async () => {
    const check = new TestCheck('broken', true, () => Promise.reject(new Error('classified')));
    const report = await healthOf(check).report();
    expect(report).toMatchObject({
      status: 'unavailable',
      checks: { broken: { status: 'failed', reason: 'It failed unexpectedly; see the log.' } },
    });
    expect(JSON.stringify(report)).not.toContain('classified');
    expect(log).toContain('classified');
  });

  it('waits a second for what hangs, asks it once meanwhile and anew thereafter', async () => {
    const hanging = new TestCheck('hanging', true, () => new Promise<never>(() => undefined));
    const health = healthOf(hanging, fine());
    const reports = await Promise.all(Array.from({ length: 50 }, () => health.report()));
    for (const { checks } of reports) {
      expect(checks).toEqual({
        hanging: { status: 'failed', reason: 'It did not answer within 1 s.', asked: 0 },
        fine: { status: 'ok', asked: 0, size: 1 },
      });
    }
    expect(hanging.asked).toBe(1);
    expect(await health.isReady()).toBe(false);
    expect(hanging.asked).toBe(2);
  });
});
