import { Injectable } from '@nestjs/common';
import { Brackets, type SelectQueryBuilder } from 'typeorm';
import type { Engine } from '../platform/database/column-types';
import { containing, contains } from '../platform/database/statements/contains';
import { countRowsUpTo } from '../platform/database/entities/count-up-to';
import { Database } from '../platform/database/database';
import { sortKeys } from '../platform/database/statements/row-order';
import { bindable } from '../platform/database/statements/row-values';
import { conditionOf, termsOf, valuesOfTerms } from '../platform/database/statements/where';
import { ApiKey } from './api-key.entity';
import type { KeyFilter, KeyWindow } from './dto/key-search';
import { EXPIRING_DAYS, IDLE_DAYS, type KeyWarningKind, UNUSED_DAYS } from './dto/key-warning';
import { DAY_MS } from '../platform/values/calendar';

type Query = SelectQueryBuilder<ApiKey>;

const SEARCHED = ['id', 'name', 'owner', 'hint', 'scopes'];

const CURRENT = 'key.revokedAt IS NULL AND (key.expiresAt IS NULL OR key.expiresAt > :now)';

/** Conditions for each status, the same as in `statusOf`. */
const STATUSES: Readonly<Record<NonNullable<KeyFilter['status']>, string>> = {
  revoked: 'key.revokedAt IS NOT NULL',
  expired: 'key.revokedAt IS NULL AND key.expiresAt <= :now',
  current: CURRENT,
  disabled: `${CURRENT} AND key.disabledAt IS NOT NULL`,
  active: `${CURRENT} AND key.disabledAt IS NULL`,
  all: '1 = 1',
};

/** Conditions on active keys, the same as in `KeyWarningsService`. */
const WARNINGS: Readonly<Record<KeyWarningKind, string>> = {
  expiring: 'key.expiresAt <= :soon',
  disabling: 'key.disablesAt IS NOT NULL',
  never_used: '(key.lastUsedAt IS NULL AND key.createdAt <= :noLongerNew)',
  idle: 'key.lastUsedAt <= :longAgo',
};

/** Finds API keys, a page at a time. */
@Injectable()
export class KeySearchRepository {
  private readonly keys = this.database.dataSource.getRepository(ApiKey);

  constructor(private readonly database: Database) {}

  /** Keys of one page. */
  search(filter: KeyFilter, { by, descending, after, limit }: KeyWindow): Promise<ApiKey[]> {
    const { engine } = this.database;
    const [direction, beyond] = descending ? (['DESC', '<'] as const) : (['ASC', '>'] as const);
    return this.database.scan(ApiKey, (keys) => {
      const query = this.restrict(keys.createQueryBuilder('key'), filter);
      query.addSelect(placeIn(engine, by, 'key'), 'place').orderBy('place', direction);
      if (after !== undefined) {
        const last = `SELECT ${placeIn(engine, by, 'last')}, "last"."id" FROM "api_keys" "last" WHERE "last"."id" = :after`;
        query.andWhere(`(${placeIn(engine, by, 'key')}, "key"."id") ${beyond} (${last})`, { after });
      }
      return query.addOrderBy('key.id', direction).limit(limit).getMany();
    });
  }

  /** Keys whose name, or the hint of whose token, begins with a text. Upper and lower case differ, so that an index finds them. */
  async beginning(text: string, limit: number): Promise<ApiKey[]> {
    const found = [
      ...(await this.withPrefix('name', text, limit)),
      ...(await this.withPrefix('hint', text, limit)),
    ];
    return [...new Map(found.map((key) => [key.id, key])).values()].slice(0, limit);
  }

  private withPrefix(member: 'name' | 'hint', prefix: string, limit: number): Promise<ApiKey[]> {
    const { engine, dataSource } = this.database;
    const metadata = dataSource.getMetadata(ApiKey);
    const terms = termsOf({ [member]: { prefix } });

    const query = this.keys.createQueryBuilder('row').setParameters(valuesOfTerms(terms));
    for (const term of terms) query.andWhere(conditionOf(engine, metadata, term, (name) => `row.${name}`));
    for (const key of sortKeys(engine, metadata, member)) query.addOrderBy(key);
    return query.limit(limit).getMany();
  }

  /** Counts the keys that match, up to a limit. */
  count(filter: KeyFilter, limit: number): Promise<number> {
    return this.database.scan(ApiKey, async (keys) => {
      const matching = this.restrict(keys.createQueryBuilder('key').select('key.id'), filter);
      return countRowsUpTo(matching, limit);
    });
  }

  private restrict(query: Query, { text = '', status, warning }: KeyFilter): Query {
    const { engine, dataSource } = this.database;
    const daysFromNow = (days: number) => bindable(new Date(Date.now() + days * DAY_MS), engine);
    query.setParameters({
      now: daysFromNow(0),
      soon: daysFromNow(EXPIRING_DAYS),
      longAgo: daysFromNow(-IDLE_DAYS),
      noLongerNew: daysFromNow(-UNUSED_DAYS),
    });
    if (status) query.andWhere(STATUSES[status]);
    if (warning) {
      const some = warning.in.map((kind) => WARNINGS[kind]).join(' OR ');
      query.andWhere(STATUSES.active).andWhere(`(${some})`);
    }
    if (text === '') return query;
    const parts = SEARCHED.map((name) => contains(dataSource, `key.${name}`, 'text'));
    return query.andWhere(new Brackets((where) => where.where(parts.join(' OR '))), {
      text: containing(text),
    });
  }
}

/** SQL expression of a key's position in an order: never null, so that two can be compared. */
function placeIn(engine: Engine, by: KeyWindow['by'], alias: string): string {
  const [before, after] = engine === 'postgres' ? [`'-infinity'`, `'infinity'`] : [`''`, `'~'`];
  const places: Readonly<Record<KeyWindow['by'], string>> = {
    name: `LOWER("${alias}"."name")`,
    owner: `LOWER(COALESCE("${alias}"."owner", ''))`,
    created: `"${alias}"."created_at"`,
    expires: `COALESCE("${alias}"."expires_at", ${after})`,
    used: `COALESCE("${alias}"."last_used_at", ${before})`,
  };
  return places[by];
}
