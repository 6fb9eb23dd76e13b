import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database';
import { parameter } from '../platform/database/statement';
import { ApiKey } from './api-key.entity';

/** API keys in the database. */
@Injectable()
export class ApiKeysRepository {
  private readonly idByHash = this.database.prepare<Pick<ApiKey, 'id'>>((manager) =>
    manager
      .createQueryBuilder(ApiKey, 'key')
      .select('key.id', 'id')
      .where('key.tokenHash = :tokenHash', { tokenHash: parameter('tokenHash') }),
  );

  constructor(private readonly database: Database) {}

  /** The key of a token's SHA-256, whatever its state. */
  async findByHash(tokenHash: string): Promise<ApiKey | null> {
    // Most tokens nobody knows are guesses: those end at a prepared statement.
    const [known] = await this.database.query(this.idByHash, { tokenHash });
    if (!known) return null;
    return this.database.with(ApiKey, (keys) => keys.findOneBy({ tokenHash }));
  }

  find(id: string): Promise<ApiKey | null> {
    return this.database.with(ApiKey, (keys) => keys.findOneBy({ id }));
  }

  /** Every key, oldest first. */
  list(): Promise<ApiKey[]> {
    return this.database.with(ApiKey, (keys) => keys.find({ order: { createdAt: 'ASC', id: 'ASC' } }));
  }

  async isEmpty(): Promise<boolean> {
    return (await this.database.with(ApiKey, (keys) => keys.count({ take: 1 }))) === 0;
  }

  async insert(key: ApiKey): Promise<void> {
    await this.database.with(ApiKey, (keys) => keys.insert(key));
  }

  /** @returns whether there is such a key */
  async update(
    id: string,
    change: Partial<Pick<ApiKey, 'scopes' | 'expiresAt' | 'revokedAt'>>,
  ): Promise<boolean> {
    const { affected } = await this.database.with(ApiKey, (keys) => keys.update({ id }, change));
    return affected === 1;
  }

  /** Moves the time of last use forward, never back. */
  async touch(id: string, usedAt: Date): Promise<void> {
    await this.database.with(ApiKey, (keys) =>
      keys
        .createQueryBuilder()
        .update()
        .set({ lastUsedAt: usedAt })
        .where('id = :id AND (lastUsedAt IS NULL OR lastUsedAt < :usedAt)', { id, usedAt })
        .execute(),
    );
  }
}
