import { Injectable } from '@nestjs/common';
import { InjectSettings } from '../../platform/config/settings.module';
import type { Settings } from '../../platform/config/settings';
import { Database } from '../../platform/database/database';
import { Scheduled } from '../../platform/jobs/scheduled.decorator';
import { InjectLogger, type Logger } from '../../platform/logging/logging.module';
import { hashToken } from '../../platform/security/api-key-token';
import { Metrics } from '../../platform/telemetry/metrics';
import { DAY_MS } from '../../platform/values/calendar';
import type { ApiKey } from '../api-key.entity';
import { LastManagingKeyError } from '../api-keys.errors';
import { ApiKeysRepository } from '../api-keys.repository';
import { ApiKeysService } from '../api-keys.service';
import { EXPIRING_DAYS, IDLE_NOTICE_DAYS } from '../dto/key-warning';
import { KeyChanges } from '../key-changes';
import { statusOf } from '../view-key';
import { KeyPolicy } from './key-policy';

/** Applies the policy to existing keys, with notice: a client must have time to get another key. */
@Injectable()
export class KeyPolicyJob {
  private readonly exempt: string | undefined;

  constructor(
    private readonly policy: KeyPolicy,
    private readonly keys: ApiKeysRepository,
    private readonly service: ApiKeysService,
    private readonly changes: KeyChanges,
    private readonly database: Database,
    private readonly metrics: Metrics,
    @InjectLogger() private readonly logger: Logger,
    @InjectSettings() { bootstrapApiKey }: Settings,
  ) {
    // The settings guarantee that it works, and a start without it fails.
    this.exempt = bootstrapApiKey && hashToken(bootstrapApiKey);
  }

  /** Checks all keys: each hour, in one process of all. */
  @Scheduled('23 * * * *', { title: 'Apply the key policy' })
  async enforce(): Promise<void> {
    const now = new Date();
    for (const key of await this.keys.list()) {
      if (statusOf(key, now) !== 'active' || key.tokenHash === this.exempt) continue;
      await this.endLongLife(key, now);
      await this.disableIdle(key, now);
    }
  }

  /** Gives an end to a key that would live longer than it may. The warnings about keys that expire are the notice. */
  private async endLongLife(listed: ApiKey, now: Date): Promise<void> {
    if (!this.endOf(listed, now)) return;
    const { id } = listed;
    const expiresAt = await this.database.transaction(async () => {
      const key = await this.changes.findLocked(id);
      // It may have been changed since it was listed.
      const end = statusOf(key, now) === 'active' ? this.endOf(key, now) : undefined;
      if (end)
        await this.changes.apply('update', key, { expiresAt: end }, { reason: 'KEY_MAX_LIFETIME_DAYS' });
      return end;
    });
    if (!expiresAt) return;
    this.metrics.keyPolicy.add('expiry_set');
    this.logger.warn(
      { keyId: id, expiresAt },
      'An API key was given an expiry, because KEY_MAX_LIFETIME_DAYS limits its lifetime.',
    );
  }

  /** The end to give to a key that lives longer than it may; undefined if it does not. */
  private endOf({ createdAt, expiresAt }: ApiKey, now: Date): Date | undefined {
    const { longestLifeMs } = this.policy;
    if (longestLifeMs === undefined) return undefined;
    const end = later(after(createdAt, longestLifeMs), after(now, EXPIRING_DAYS * DAY_MS));
    return expiresAt && expiresAt <= end ? undefined : end;
  }

  /** Plans the end of a key that is not used, cancels it when the key is used again, and disables the key when it is due. */
  private async disableIdle(key: ApiKey, now: Date): Promise<void> {
    const { idleMs } = this.policy;
    const idleSince = key.lastUsedAt ?? key.createdAt;
    const due = idleMs === undefined ? undefined : after(idleSince, idleMs);
    const isNear = due && due <= after(now, IDLE_NOTICE_DAYS * DAY_MS);
    if (!isNear) {
      if (key.disablesAt) await this.keys.update(key.id, { disablesAt: null });
    } else if (!key.disablesAt) await this.giveNotice(key, later(due, after(now, IDLE_NOTICE_DAYS * DAY_MS)));
    else if (key.disablesAt <= now) await this.disable(key);
  }

  private async giveNotice({ id, lastUsedAt }: ApiKey, disablesAt: Date): Promise<void> {
    await this.keys.update(id, { disablesAt });
    this.metrics.keyPolicy.add('idle_notice');
    this.logger.warn(
      { keyId: id, lastUsedAt, disablesAt },
      'An API key is unused and will be disabled (KEY_IDLE_DAYS).',
    );
  }

  private async disable({ id }: ApiKey): Promise<void> {
    try {
      await this.service.disable(id, {}, { reason: 'KEY_IDLE_DAYS' });
    } catch (error) {
      if (!(error instanceof LastManagingKeyError)) throw error;
      this.logger.warn({ keyId: id }, 'The last API key that may manage keys is unused; it stays enabled.');
      return;
    }
    this.metrics.keyPolicy.add('idle_disabled');
    this.logger.warn({ keyId: id }, 'An unused API key was disabled (KEY_IDLE_DAYS).');
  }
}

function after(instant: Date, milliseconds: number): Date {
  return new Date(instant.getTime() + milliseconds);
}

function later(one: Date, other: Date): Date {
  return one > other ? one : other;
}
