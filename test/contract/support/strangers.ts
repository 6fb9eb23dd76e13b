import { DataSource } from 'typeorm';
import { ApiKeysService } from '../../../src/auth/api-keys.service';
import { ownerColumnOf } from '../../../src/platform/database/column-types';
import { tableOf } from '../../support/samples/samples';
import { isList, targetOf } from '../../support/service/served-document';
import { goodRequest } from './good-request';
import { ask } from './request';
import type { TriedOperation } from './tried-operation';

/** True of an operation on a collection or an item whose rows have owners. */
function isAboutOwned({ service, operation }: Omit<TriedOperation, 'document'>): boolean {
  const table = tableOf(operation.collection);
  const metadata = service.app.get(DataSource).entityMetadatas.find(({ tableName }) => tableName === table);
  return metadata !== undefined && ownerColumnOf(metadata.target) !== undefined;
}

/**
 * Makes another client, whose key has every scope, send requests that an operation carries out for the owner of the rows.
 *
 * @returns a sentence for each by which it sees or changes what is not its own
 */
export async function findLeaks(tried: TriedOperation): Promise<string[]> {
  const { service, document, operation } = tried;
  const { operationId, collection, itemParameter } = operation;
  if (!isAboutOwned(tried) || (itemParameter === undefined && !isList(operation))) return [];
  const keys = service.app.get(ApiKeysService);
  const { token: key } = await keys.create({
    name: 'stranger',
    owner: 'a stranger',
    scopes: keys.knownScopes,
  });
  const { request, values } = await goodRequest(service, document, operation);
  const item = targetOf(`${collection}/{${itemParameter}}`, values);
  const asOwn = async () => (await ask(service, { target: item })).body;
  const before = await asOwn();
  const { status, body } = await ask(service, { ...request, key });
  const isHidden = status === 404 || (isList(operation) && body === '[]');
  const leaks = isHidden ? [] : [`${operationId} responds to a stranger with ${status} ${body}`];
  if ((await asOwn()) !== before) leaks.push(`${operationId} changes rows of others`);
  return leaks;
}
