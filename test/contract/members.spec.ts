import { bodySchema, operationsOf, resolveSchema, servedDocument } from '../support/served-document';
import { goodRequest } from './support/good-request';
import { nearMisses } from './support/near-misses';
import { expectRefused } from './support/rows';
import { useService } from './support/service';

describe('A member of a body', () => {
  const service = useService('sqlite');

  it('is refused and named, whatever the operation, when it is not quite what its schema says', async () => {
    const document = await servedDocument(service());
    const operations = operationsOf(document).filter((operation) => bodySchema(operation));
    expect(operations.length).toBeGreaterThan(0);
    for (const operation of operations) {
      const { properties = {} } = resolveSchema(bodySchema(operation) ?? {}, document);
      const { requestWith } = await goodRequest(service(), document, operation);
      for (const [name, member] of Object.entries(properties)) {
        for (const text of nearMisses(resolveSchema(member, document))) {
          const request = requestWith({ [name]: text });
          await expectRefused(service(), { request, status: 400, code: 'invalid_field', names: [name] });
        }
      }
    }
  }, 60_000);
});
