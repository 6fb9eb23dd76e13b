import { Injectable } from '@nestjs/common';
import { DAY_MS, daysUntil } from '../platform/values/calendar';
import { ApiKeysService } from './api-keys.service';
import type { KeyView } from './dto/key-view';
import {
  EXPIRING_DAYS,
  IDLE_DAYS,
  KEY_WARNINGS,
  type KeyToLookAt,
  type KeyWarning,
  UNUSED_DAYS,
} from './dto/key-warning';

/** Keys with any warning. */
const WARNED_OF = { warning: { in: KEY_WARNINGS } };

/** Warns about active keys: those that expire or are disabled soon, were not used for long, or were never used. */
@Injectable()
export class KeyWarningsService {
  constructor(private readonly keys: ApiKeysService) {}

  /** Warnings about all keys, oldest key first. */
  async list(now = new Date()): Promise<KeyWarning[]> {
    return (await this.keys.list()).flatMap((key) => this.about(key, now));
  }

  /** The oldest keys with a warning, each with all of its warnings. */
  async first(limit: number): Promise<KeyToLookAt[]> {
    const keys = await this.keys.search(WARNED_OF, { by: 'created', descending: false, limit });
    return keys.map((key) => ({ key, warnings: this.about(key) }));
  }

  /** Counts the keys with a warning, up to a limit. */
  count(limit: number): Promise<number> {
    return this.keys.count(WARNED_OF, limit);
  }

  /** Warnings about one key. */
  about(key: KeyView, now = new Date()): KeyWarning[] {
    if (key.status !== 'active') return [];
    const warnings: KeyWarning[] = [];
    const since = (instant: string) => Math.floor((now.getTime() - Date.parse(instant)) / DAY_MS);
    const end = key.expiresAt === null ? undefined : new Date(key.expiresAt);
    if (end && end.getTime() - now.getTime() <= EXPIRING_DAYS * DAY_MS) {
      warnings.push({ kind: 'expiring', days: daysUntil(end, now), key });
    }
    if (key.disablesAt !== null) {
      warnings.push({ kind: 'disabling', days: daysUntil(new Date(key.disablesAt), now), key });
    }
    const [kind, days, limit] =
      key.lastUsedAt === null
        ? (['never_used', since(key.createdAt), UNUSED_DAYS] as const)
        : (['idle', since(key.lastUsedAt), IDLE_DAYS] as const);
    if (days >= limit) warnings.push({ kind, days, key });
    return warnings;
  }
}
