import { createHash } from 'node:crypto';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { IsNull, Repository } from 'typeorm';
import { API_KEY_REPOSITORY } from '../database/repositories';
import { ApiKey } from './api-key.entity';

@Injectable()
export class AuthService implements OnApplicationBootstrap {
  constructor(@Inject(API_KEY_REPOSITORY) private readonly keys: Repository<ApiKey>) {}

  async onApplicationBootstrap(): Promise<void> {
    const token = process.env.BOOTSTRAP_API_KEY;
    if (token) await this.keys.save({ hash: this.hash(token), expiresAt: null, revokedAt: null });
  }

  async isValid(token: string): Promise<boolean> {
    const key = await this.keys.findOneBy({ hash: this.hash(token), revokedAt: IsNull() });
    return key !== null && (key.expiresAt === null || key.expiresAt > new Date());
  }

  private hash(token: string): string {
    return createHash('sha256').update(token).digest('hex');
  }
}
