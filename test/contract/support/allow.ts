import { operationsOf, servedDocument } from '../../support/service/served-document';
import type { TestService } from '../../support/service/service';

/** The Allow field of a response that is about no path: the methods of all of them. */
export async function allowAnywhere(service: TestService): Promise<string> {
  const documented = operationsOf(await servedDocument(service)).map(({ method }) => method);
  // The probes and the docs are not in the document.
  return [...new Set([...documented, 'GET', 'HEAD', 'OPTIONS'])].sort().join(', ');
}
