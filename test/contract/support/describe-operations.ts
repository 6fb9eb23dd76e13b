import type { Engine } from '../../support/databases/databases';
import { operationsOfFeature } from '../../support/service/feature-operations';
import {
  bodySchema,
  isDescribed,
  operationsOf,
  type ServedDocument,
  type ServedOperation,
  servedDocument,
} from '../../support/service/served-document';
import type { TestService } from '../../support/service/service';
import { expectDocumentedWhateverIsSent } from './arbitrary-operation';
import { findBrokenPromises } from './documented-responses';
import { expectChangedExactly, expectMadeExactly } from './exact-operation';
import { expectMembersNamed, expectMembersRequired } from './member-faults';
import { expectFirstFaultReturned } from './order-of-faults';
import { findStatementsPerRow, listsRows } from './statements-per-row';
import { findLeaks } from './strangers';
import type { TriedOperation } from './tried-operation';

/** How many requests and bodies are made up for an operation. */
interface Runs {
  readonly requests: number;
  readonly bodies: number;
}

const RUNS: Record<Engine, Runs> = {
  sqlite: { requests: 300, bodies: 100 },
  postgres: { requests: 100, bodies: 40 },
};

/** As long as the operations of a module take, one after the other. */
const TIMEOUT_MS = 600_000;

/**
 * What the contract promises of every operation, module by module: the title of a test says whose operation broke it, and its
 * message which one.
 *
 * @param names of the modules that are tried: all of the service, unless those are in `features`
 */
export function describeOperations(
  engine: Engine,
  service: () => TestService,
  names: readonly string[],
  { features = names, runs = RUNS[engine] }: { features?: readonly string[]; runs?: Runs } = {},
): void {
  let document: ServedDocument;
  beforeAll(async () => {
    document = await servedDocument(service());
  });

  // A new service has pets alone, which are tested where they are made.
  if (names.length > 0)
    describe.each(names)('of %s', (name) => {
      async function forEachOperation(
        check: (tried: TriedOperation) => Promise<void>,
        isMeant: (operation: ServedOperation) => boolean = () => true,
      ): Promise<void> {
        const operations = operationsOfFeature(service(), document, name, features);
        for (const operation of operations.filter((each) => isDescribed(each) && isMeant(each)))
          await check({ service: service(), document, operation });
      }

      it('has each response that the document promises', async () => {
        const broken: string[] = [];
        await forEachOperation(async (tried) => void broken.push(...(await findBrokenPromises(tried))));
        expect(broken).toEqual([]);
      });

      it(
        'has a documented response, and no fault, whatever is sent',
        () => forEachOperation((tried) => expectDocumentedWhateverIsSent(tried, runs.requests)),
        TIMEOUT_MS,
      );

      it(
        'returns, stores and lists a new record exactly as it was sent',
        () =>
          forEachOperation(
            (tried) => expectMadeExactly(tried, runs.bodies),
            ({ responses }) => '201' in responses,
          ),
        TIMEOUT_MS,
      );

      it(
        'returns and stores a change exactly as it was sent, and changes nothing else',
        () =>
          forEachOperation(
            (tried) => expectChangedExactly(tried, runs.bodies),
            ({ method, path }) => method === 'PATCH' && path.endsWith('}'),
          ),
        TIMEOUT_MS,
      );

      it('shows and changes no rows that belong to another client', async () => {
        const leaks: string[] = [];
        await forEachOperation(async (tried) => void leaks.push(...(await findLeaks(tried))));
        expect(leaks).toEqual([]);
      });

      it('lists many rows with as few statements as few rows', async () => {
        const repeated: string[] = [];
        await forEachOperation(
          async (tried) => void repeated.push(...(await findStatementsPerRow(tried))),
          (operation) => listsRows({ document, operation }),
        );
        expect(repeated).toEqual([]);
      });

      // The rest is judged before anything is asked of the database.
      if (engine !== 'sqlite') return;

      it('names a member of a body that does not match its schema', async () => {
        await forEachOperation(expectMembersNamed, (operation) => bodySchema(operation) !== undefined);
      });

      it('says that a member of a body is required when it is missing', async () => {
        await forEachOperation(expectMembersRequired, (operation) => bodySchema(operation) !== undefined);
      });

      it('reports of several faults the first in the order of the contract', async () => {
        const keyOfNoModule = await service().keyWith('admin:read');
        await forEachOperation((tried) => expectFirstFaultReturned(tried, keyOfNoModule));
      });
    });

  it('belongs to one of the modules', () => {
    const known = features.flatMap((name) => operationsOfFeature(service(), document, name, features));
    const ids = known.map(({ operationId }) => operationId).sort();
    const all = operationsOf(document)
      .map(({ operationId }) => operationId)
      .sort();
    expect(all.length > 0).toBe(features.length > 0);
    expect([...new Set(ids)]).toEqual(all);
  });
}
