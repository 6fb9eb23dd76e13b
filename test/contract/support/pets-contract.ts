import { join } from 'node:path';
import { BASE_PATH, operationsOf, servedDocument } from '../../support/service/served-document';
import type { TestService } from '../../support/service/service';
import { partOf } from './document-part';
import { ask, field } from './request';

/** What clients have been promised about pets. */
export const PETS_CONTRACT = join(__dirname, '..', 'pets-contract.json');

/** The tag of the operations of pets: paths of other modules may begin as theirs do. */
const TAG = 'pets';

/** Everything the document says about pets, and the scopes their operations ask for. */
export async function petsContract(service: TestService): Promise<string> {
  const { tags, paths, components } = partOf(await servedDocument(service), TAG);
  const scopes = await scopesOf(service);
  return `${JSON.stringify({ tags, paths, components, scopes }, null, 2)}\n`;
}

/** The scopes that each operation of pets names to a key that has no scope of any module. */
async function scopesOf(service: TestService): Promise<Record<string, string>> {
  const key = await service.keyWith('admin:read');
  const operations = operationsOf(partOf(await servedDocument(service), TAG));
  const scopes: Record<string, string> = {};
  for (const { operationId, method, path } of operations) {
    const refused = await ask(service, { method, target: BASE_PATH + path.replace(/\{\w+\}/, '1'), key });
    const [, named = ''] = /scope="([^"]*)"/.exec(field(refused, 'www-authenticate') ?? '') ?? [];
    scopes[operationId] = named;
  }
  return scopes;
}
