import { Injectable } from '@nestjs/common';
import { InjectSettings } from '../../platform/config/settings.module';
import type { Settings } from '../../platform/config/settings';
import { DAY_MS } from '../../platform/values/calendar';
import { UnfitApiKeyError } from '../api-keys.errors';
import type { NewApiKey } from '../dto/new-api-key';

/** Requirements of the settings on keys that people make. */
@Injectable()
export class KeyPolicy {
  /** The longest life of a key, in milliseconds; unset when keys need not expire. */
  readonly longestLifeMs: number | undefined;
  /** Milliseconds without use after which a key is disabled; unset if keys are not disabled for that. */
  readonly idleMs: number | undefined;

  constructor(@InjectSettings() { keyMaxLifetimeDays, keyIdleDays }: Settings) {
    this.longestLifeMs = keyMaxLifetimeDays > 0 ? keyMaxLifetimeDays * DAY_MS : undefined;
    this.idleMs = keyIdleDays > 0 ? keyIdleDays * DAY_MS : undefined;
  }

  /**
   * Applies the policy to a new key: without an end it gets the latest one that is allowed.
   *
   * @throws UnfitApiKeyError
   */
  fit(wanted: NewApiKey, now = new Date()): NewApiKey {
    const expiresAt = this.fitEnd(wanted.expiresAt ?? null, now);
    return expiresAt ? { ...wanted, expiresAt } : wanted;
  }

  /**
   * Returns the wanted end of a key, or the latest one that is allowed if no end is wanted.
   *
   * @throws UnfitApiKeyError when the wanted end is later
   */
  fitEnd(wanted: Date | null, createdAt: Date): Date | null {
    if (this.longestLifeMs === undefined) return wanted;
    const latest = new Date(createdAt.getTime() + this.longestLifeMs);
    if (!wanted || wanted <= latest) return wanted ?? latest;
    const days = this.longestLifeMs / DAY_MS;
    throw new UnfitApiKeyError(
      'expiresAt',
      `An API key lives at most ${days} days here (KEY_MAX_LIFETIME_DAYS).`,
    );
  }
}
