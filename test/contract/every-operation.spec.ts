import * as features from '../../src/features';
import { describeEachEngine } from '../support/databases/databases';
import { featureNames } from '../support/service/feature-operations';
import { findSamples } from '../support/samples/module-samples';
import { operationsOf, servedDocument } from '../support/service/served-document';
import { describeOperations } from './support/describe-operations';
import { useService } from './support/service';

describeEachEngine('Every operation', (engine) => {
  // So many that none is refused, and all responses have the header fields of limits.
  const service = useService(engine, { RATE_LIMIT_PER_MINUTE: '10000000' });

  describeOperations(engine, service, featureNames(features));

  it('exists when samples are about it', async () => {
    const operations = operationsOf(await servedDocument(service()));
    const known = operations.flatMap(({ operationId, path }) => [operationId, path]);
    const named = findSamples().flatMap(({ collections = {}, operations: own = {} }) => [
      ...Object.keys(collections),
      ...Object.keys(own),
    ]);
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });
});
