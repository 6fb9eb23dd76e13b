import type { KeyView } from './dto/key-view';
import type { KeyWarning } from './dto/key-warning';
import { KeyWarningsService } from './key-warnings.service';
import type { ApiKeysService } from './api-keys.service';

const NOW = new Date('2026-06-30T12:00:00Z');

function daysFromNow(days: number): string {
  return new Date(NOW.getTime() + days * 86_400_000).toISOString();
}

function key(parts: Partial<KeyView>): KeyView {
  return {
    id: 'key_1',
    name: 'shop',
    scopes: ['pets:read'],
    owner: null,
    hint: 'petk_1…2',
    status: 'active',
    lineageId: 'key_1',
    createdAt: daysFromNow(-200),
    expiresAt: null,
    disabledAt: null,
    revokedAt: null,
    lastUsedAt: daysFromNow(-1),
    networks: [],
    limitPerMinute: null,
    quotaPerMonth: null,
    disablesAt: null,
    ...parts,
  };
}

describe('Warnings about API keys', () => {
  // No stored key is needed for these tests.
  const warnings = new KeyWarningsService({} as ApiKeysService);
  const about = (parts: Partial<KeyView>) =>
    warnings.about(key(parts), NOW).map(({ kind, days }: KeyWarning) => [kind, days]);

  it.each<[string, Partial<KeyView>, [string, number][]]>([
    ['in use and without an end', {}, []],
    ['that ends in 30 days', { expiresAt: daysFromNow(30) }, [['expiring', 30]]],
    ['that ends in an hour', { expiresAt: daysFromNow(1 / 24) }, [['expiring', 0]]],
    ['that ends tomorrow, in 12 hours', { expiresAt: daysFromNow(0.5) }, [['expiring', 1]]],
    ['that ends in 3 dates, a minute short of 3 days', { expiresAt: daysFromNow(2.999) }, [['expiring', 3]]],
    ['that ends a little later', { expiresAt: daysFromNow(30.001) }, []],
    ['that was never used', { lastUsedAt: null }, [['never_used', 200]]],
    [
      'that was made 30 days ago and never used',
      { lastUsedAt: null, createdAt: daysFromNow(-30) },
      [['never_used', 30]],
    ],
    ['that was made a little later', { lastUsedAt: null, createdAt: daysFromNow(-29.999) }, []],
    ['that was used 90 days ago', { lastUsedAt: daysFromNow(-90) }, [['idle', 90]]],
    ['that was used a little later', { lastUsedAt: daysFromNow(-89.999) }, []],
    [
      'that ends soon and is not used',
      { expiresAt: daysFromNow(7), lastUsedAt: daysFromNow(-100) },
      [
        ['expiring', 7],
        ['idle', 100],
      ],
    ],
    ['that is disabled in 5 days', { disablesAt: daysFromNow(5) }, [['disabling', 5]]],
    ['that is disabled', { status: 'disabled', lastUsedAt: null }, []],
    ['that has expired', { status: 'expired', expiresAt: daysFromNow(-1), lastUsedAt: null }, []],
    ['that is revoked', { status: 'revoked', lastUsedAt: null }, []],
  ])('are derived from its dates, for a key %s', (_which, parts, expected) => {
    expect(about(parts)).toEqual(expected);
  });
});
