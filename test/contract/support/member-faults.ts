import type { ErrorBody } from '../../../src/platform/errors/app-error';
import { bodySchema, resolveSchema } from '../../support/service/served-document';
import { goodRequest } from './good-request';
import { nearMisses } from './near-misses';
import { ask } from './request';
import type { TriedOperation } from './tried-operation';

/** Sends each member with values that are not quite what its schema says: the response names it. */
export async function expectMembersNamed({ service, document, operation }: TriedOperation): Promise<void> {
  const { operationId } = operation;
  const { properties = {} } = resolveSchema(bodySchema(operation) ?? {}, document);
  const { requestWith } = await goodRequest(service, document, operation);
  for (const [name, member] of Object.entries(properties)) {
    for (const text of nearMisses(member, document)) {
      const { body } = await ask(service, requestWith({ [name]: text }));
      const { code, message } = JSON.parse(body) as Partial<ErrorBody>;
      expect({ operationId, name, text, code, message }).toEqual({
        operationId,
        name,
        text,
        code: 'invalid_field',
        message: expect.stringMatching(new RegExp(`${name}(\\[\\d+\\])? must be`)),
      });
    }
  }
}

/** Leaves out each required member: the response says that it is required. */
export async function expectMembersRequired({ service, document, operation }: TriedOperation): Promise<void> {
  const { operationId } = operation;
  const { required = [] } = resolveSchema(bodySchema(operation) ?? {}, document);
  const { request } = await goodRequest(service, document, operation);
  for (const name of required) {
    const without = String(request.body).replace(`"${name}":`, '"other":');
    const { body } = await ask(service, { ...request, body: without });
    expect({ operationId, ...(JSON.parse(body) as ErrorBody) }).toEqual({
      operationId,
      status: 400,
      code: 'invalid_field',
      message: `${name} is required.`,
    });
  }
}
