import type { ErrorBody } from '../../src/platform/errors/app-error';
import { bodySchema, operationsOf, resolveSchema, servedDocument } from '../support/served-document';
import { goodRequest } from './support/good-request';
import { nearMisses } from './support/near-misses';
import { ask } from './support/request';
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
          const { body } = await ask(service(), requestWith({ [name]: text }));
          const { code, message } = JSON.parse(body) as Partial<ErrorBody>;
          const { operationId } = operation;
          expect({ operationId, name, text, code, message }).toEqual({
            operationId,
            name,
            text,
            code: 'invalid_field',
            message: expect.stringContaining(`${name} must be`),
          });
        }
      }
    }
  }, 60_000);

  it('is said to be required, whatever the operation, when it is missing', async () => {
    const document = await servedDocument(service());
    const operations = operationsOf(document).filter((operation) => bodySchema(operation));
    for (const operation of operations) {
      const { required = [] } = resolveSchema(bodySchema(operation) ?? {}, document);
      const { request } = await goodRequest(service(), document, operation);
      for (const name of required) {
        const without = String(request.body).replace(`"${name}":`, '"other":');
        const { body } = await ask(service(), { ...request, body: without });
        const { operationId } = operation;
        expect({ operationId, ...(JSON.parse(body) as ErrorBody) }).toEqual({
          operationId,
          status: 400,
          code: 'invalid_field',
          message: `${name} is required.`,
        });
      }
    }
  });
});
