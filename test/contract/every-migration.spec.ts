import * as features from '../../src/features';
import { schemaOf } from '../../src/platform/features/feature-modules';
import { describeMigrations } from '../support/databases/describe-migrations';

/** Migrations that change rows, of tables that have few. */
const ACCEPTED = ['AddJobsToImportRuns1763700038000'];

describeMigrations(schemaOf(features), { accepted: ACCEPTED });
