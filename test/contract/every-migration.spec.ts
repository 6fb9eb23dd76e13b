import * as features from '../../src/features';
import { schemaOf } from '../../src/platform/features/feature-modules';
import { describeMigrations } from '../support/databases/describe-migrations';

/** The first changes rows, of a table that has few; the others add triggers that keep events of the audit log as they are. */
const ACCEPTED = [
  'AddJobsToImportRuns1763700038000',
  'CreateAuditSeals1763700020000',
  'EraseAuditEventsInPlace1763700042000',
];

describeMigrations(schemaOf(features), { accepted: ACCEPTED });
