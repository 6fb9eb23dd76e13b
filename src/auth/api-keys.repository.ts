import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database';
import { ApiKey } from './api-key.entity';

/** API keys in the database. */
@Injectable()
export class ApiKeysRepository {
  constructor(private readonly database: Database) {}

  /** The key of a token's SHA-256, whatever its state. */
  findByHash(tokenHash: string): Promise<ApiKey | null> {
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
