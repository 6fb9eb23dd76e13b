import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database';
import { OperationUse } from './operation-use.entity';

/** Uses of deprecated operations in the database. */
@Injectable()
export class OperationUsesRepository {
  constructor(private readonly database: Database) {}

  /** Adds to what is counted already; several nodes may do so at once. */
  add({ keyId, operation, count, lastUsedAt }: OperationUse): Promise<void> {
    return this.database.transaction(async () => {
      await this.database.with(OperationUse, (uses) =>
        uses
          .createQueryBuilder()
          .insert()
          .values({ keyId, operation, count: 0n, lastUsedAt })
          .orIgnore()
          .updateEntity(false)
          .execute(),
      );
      await this.database.with(OperationUse, (uses) =>
        uses
          .createQueryBuilder()
          .update()
          .set({ count: () => '"count" + :added', lastUsedAt })
          .where({ keyId, operation })
          .setParameter('added', count)
          .execute(),
      );
    });
  }

  list(): Promise<OperationUse[]> {
    return this.database.with(OperationUse, (uses) =>
      uses.find({ order: { operation: 'ASC', keyId: 'ASC' } }),
    );
  }
}
