import * as features from '../../src/features';
import { schemaOf } from '../../src/platform/features/feature-modules';
import { describeMigrations } from '../support/databases/describe-migrations';

describeMigrations(schemaOf(features));
