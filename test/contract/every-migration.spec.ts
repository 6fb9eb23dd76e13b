import * as features from '../../src/features';
import { schemaOf } from '../../src/platform/features/feature-modules';
import { describeMigrations } from '../support/databases/describe-migrations';

describeMigrations(schemaOf(features), {
  // The trigger on updates comes to keep the new column, too, and refuses nothing that 1.2.0 writes.
  accepted: ['AddWholeToAuditEvents1795996800000'],
});
