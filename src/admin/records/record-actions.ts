import type { AdminRecords, AdminRecordsService } from '../../platform/features/admin-records';

/** What operators can do with one kind of record. */
export interface RecordActions {
  readonly create: boolean;
  readonly update: boolean;
  readonly remove: boolean;
  /** Removed records are kept, and can be brought back. */
  readonly restore: boolean;
}

/** What a feature offers, which is known without a database. */
export function actionsOffered({ creation, patch, service }: AdminRecords): RecordActions {
  const { prototype } = service as { prototype: AdminRecordsService<object, object> };
  return {
    create: creation !== undefined && prototype.create !== undefined,
    update: patch !== undefined && prototype.update !== undefined,
    remove: prototype.delete !== undefined,
    restore: prototype.restore !== undefined,
  };
}
