import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { Database } from '../platform/database/database';
import { bindable } from '../platform/database/statements/row-values';
import { parameter, parameters } from '../platform/database/statements/statement';
import { ApiKey } from './api-key.entity';

/** Columns of a key that can change. */
export type KeyChange = Partial<
  Pick<
    ApiKey,
    | 'name'
    | 'owner'
    | 'scopes'
    | 'expiresAt'
    | 'disabledAt'
    | 'disablesAt'
    | 'revokedAt'
    | 'networks'
    | 'limitPerMinute'
    | 'quotaPerMonth'
  >
>;

/** API keys in the database. */
@Injectable()
export class ApiKeysRepository {
  private readonly keys = this.database.dataSource.getRepository(ApiKey);
  private readonly idByHash = this.database.prepare<Pick<ApiKey, 'id'>>(
    (manager) =>
      manager
        .createQueryBuilder(ApiKey, 'key')
        .select('key.id', 'id')
        .where('key.tokenHash = :tokenHash', { tokenHash: parameter('tokenHash') }),
    '',
    { isPipelined: true },
  );

  private readonly use = this.database.prepare<Pick<ApiKey, 'id'>>(
    (manager) =>
      manager
        .createQueryBuilder()
        .update(ApiKey)
        .set({ lastUsedAt: () => ':usedAt' })
        .where('id = :id AND ("last_used_at" IS NULL OR "last_used_at" < :usedAt)')
        .setParameters(parameters(['id', 'usedAt'])),
    'RETURNING "id"',
  );

  constructor(private readonly database: Database) {}

  /** The key of a token's SHA-256, whatever its state. */
  async findByHash(tokenHash: string): Promise<ApiKey | null> {
    // Most unknown tokens are guesses, so a prepared statement refuses them without the cost of an entity.
    const [known] = await this.database.query(this.idByHash, { tokenHash });
    if (!known) return null;
    return this.keys.findOneBy({ tokenHash });
  }

  find(id: string): Promise<ApiKey | null> {
    return this.keys.findOneBy({ id });
  }

  /** The key of an id. No other transaction can change it until the one in progress ends. */
  findLocked(id: string): Promise<ApiKey | null> {
    // On SQLite a transaction has the whole file to itself.
    const lock = this.database.engine === 'postgres' ? { lock: { mode: 'pessimistic_write' as const } } : {};
    return this.keys.findOne({ where: { id }, ...lock });
  }

  /**
   * The ids of active keys with all of these scopes.
   *
   * @param areLocked true to keep other transactions from changing those keys until the one in progress ends
   */
  async idsOfActive(scopes: readonly string[], areLocked = false): Promise<string[]> {
    const { engine } = this.database;
    const query = this.keys
      .createQueryBuilder('key')
      .select('key.id')
      .where('key.revokedAt IS NULL AND key.disabledAt IS NULL')
      .andWhere('(key.expiresAt IS NULL OR key.expiresAt > :now)', { now: bindable(new Date(), engine) })
      // Sorted, so that two transactions cannot wait for each other.
      .orderBy('key.id');
    scopes.forEach((scope, i) => {
      query.andWhere(`',' || key.scopes || ',' LIKE :scope${i}`, { [`scope${i}`]: `%,${scope},%` });
    });
    if (areLocked && engine === 'postgres') query.setLock('pessimistic_write');
    return (await query.getMany()).map(({ id }) => id);
  }

  /** Every key, oldest first. */
  list(): Promise<ApiKey[]> {
    return this.keys.find({ order: { createdAt: 'ASC', id: 'ASC' } });
  }

  /** Keys with these ids, of which there are few. */
  withIds(ids: readonly string[]): Promise<ApiKey[]> {
    return this.keys.findBy({ id: In(ids) });
  }

  /** Keys of some chains of rotations, oldest first. */
  ofLineages(lineageIds: readonly string[]): Promise<ApiKey[]> {
    return this.keys.find({ where: { lineageId: In(lineageIds) }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  /** The newest key of a name: after a rotation, the successor. */
  newestNamed(name: string): Promise<ApiKey | null> {
    return this.keys.findOne({ where: { name }, order: { createdAt: 'DESC', id: 'DESC' } });
  }

  async isEmpty(): Promise<boolean> {
    return (await this.keys.count({ take: 1 })) === 0;
  }

  async insert(key: ApiKey): Promise<void> {
    await this.keys.insert(key);
  }

  async update(id: string, change: KeyChange): Promise<void> {
    await this.keys.update({ id }, change);
  }

  /** Moves the time of last use forward, never back. */
  async touch(id: string, usedAt: Date): Promise<void> {
    await this.database.query(this.use, { id, usedAt });
  }
}
