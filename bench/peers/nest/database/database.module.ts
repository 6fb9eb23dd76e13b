import { Inject, Module } from '@nestjs/common';
import type { Database } from 'better-sqlite3';
import { DataSource } from 'typeorm';
import { ApiKey } from '../auth/api-key.entity';
import { Pet } from '../pets/pet.entity';
import { API_KEY_REPOSITORY, PET_REPOSITORY } from './repositories';

/** TypeORM by custom providers, as in the "SQL (TypeORM)" recipe of the Nest documentation. */
@Module({
  providers: [
    {
      provide: DataSource,
      useFactory: () =>
        new DataSource({
          type: 'better-sqlite3',
          database: process.env.DATABASE_URL?.slice('sqlite:'.length) ?? '',
          enableWAL: true,
          prepareDatabase: (db: Database) => {
            db.pragma('synchronous = FULL');
          },
          entities: [ApiKey, Pet],
          synchronize: true,
        }).initialize(),
    },
    {
      provide: PET_REPOSITORY,
      useFactory: (dataSource: DataSource) => dataSource.getRepository(Pet),
      inject: [DataSource],
    },
    {
      provide: API_KEY_REPOSITORY,
      useFactory: (dataSource: DataSource) => dataSource.getRepository(ApiKey),
      inject: [DataSource],
    },
  ],
  exports: [PET_REPOSITORY, API_KEY_REPOSITORY],
})
export class DatabaseModule {
  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  async onApplicationShutdown(): Promise<void> {
    await this.dataSource.destroy();
  }
}
