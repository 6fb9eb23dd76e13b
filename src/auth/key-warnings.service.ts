import { Injectable } from '@nestjs/common';
import { ApiKeysService } from './api-keys.service';
import type { KeyView } from './dto/key-view';
import type { KeyWarning } from './dto/key-warning';

/** A key that expires within so many days should have a successor soon. */
export const EXPIRING_DAYS = 30;

/** A key nobody has used for so many days is one nobody would miss. */
export const IDLE_DAYS = 90;

const DAY_MS = 86_400_000;

/** Which active keys somebody should look at: those that expire soon, were never used, or have not been for long. */
@Injectable()
export class KeyWarningsService {
  constructor(private readonly keys: ApiKeysService) {}

  /** What there is to say about all keys, oldest key first. */
  async list(now = new Date()): Promise<KeyWarning[]> {
    return (await this.keys.list()).flatMap((key) => this.about(key, now));
  }

  /** What there is to say about one key. */
  about(key: KeyView, now = new Date()): KeyWarning[] {
    if (key.status !== 'active') return [];
    const warnings: KeyWarning[] = [];
    const since = (instant: string) => Math.floor((now.getTime() - Date.parse(instant)) / DAY_MS);
    const left = key.expiresAt === null ? Infinity : Date.parse(key.expiresAt) - now.getTime();
    if (left <= EXPIRING_DAYS * DAY_MS) {
      warnings.push({ kind: 'expiring', days: Math.floor(left / DAY_MS), key });
    }
    if (key.lastUsedAt === null) warnings.push({ kind: 'never_used', days: since(key.createdAt), key });
    else if (since(key.lastUsedAt) >= IDLE_DAYS) {
      warnings.push({ kind: 'idle', days: since(key.lastUsedAt), key });
    }
    return warnings;
  }
}
