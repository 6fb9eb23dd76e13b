import type { AdminRecords } from '../../../../platform/features/admin-records';
import type { ListFacts } from '../../../records/list-request';
import type { RecordsService } from '../../../records/records.service';

/** Facts about the lists of a record type in the console. */
export function factsOf(records: RecordsService, recordType: AdminRecords): ListFacts {
  // The console does not offer removed records that cannot be restored.
  return { ...records.listFacts(recordType), keepsRemoved: records.actionsOf(recordType).restore };
}
