import * as features from '../../src/features';
import { schemaOf } from '../../src/platform/features/feature-modules';
import { describeMigrations } from '../support/databases/describe-migrations';

/** One changes rows, of a table that has few; one adds a trigger, which keeps rows of the audit log from being deleted. */
const ACCEPTED = ['AddJobsToImportRuns1763700038000', 'CreateAuditSeals1763700020000'];

describeMigrations(schemaOf(features), { accepted: ACCEPTED });
