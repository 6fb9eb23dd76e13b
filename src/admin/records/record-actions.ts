import type { AdminRecords, AdminRecordsService } from '../../platform/features/admin-records';

/** The operations that operators have on one record type. */
export interface RecordActions {
  readonly create: boolean;
  readonly update: boolean;
  readonly remove: boolean;
  /** True if removed records are kept, and can be restored. */
  readonly restore: boolean;
}

/** The operations a feature offers, which are known without a database. */
export function actionsOffered({ creation, patch, service }: AdminRecords): RecordActions {
  const { prototype } = service as { prototype: AdminRecordsService<object, object> };
  return {
    create: creation !== undefined && prototype.create !== undefined,
    update: patch !== undefined && prototype.update !== undefined,
    remove: prototype.delete !== undefined,
    restore: prototype.restore !== undefined,
  };
}
