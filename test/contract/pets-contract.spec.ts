import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BASE_PATH, operationsOf, servedDocument } from '../support/served-document';
import type { TestService } from '../support/service';
import { partOf } from './support/document-part';
import { ask, field } from './support/request';
import { useService } from './support/service';

/** What clients have been promised about pets. */
const FILE = join(__dirname, 'pets-contract.json');

/**
 * A new module must not change what pets are, not even by a byte. A change of pets that the owner wants is written
 * into the file by `RENEW_PETS_CONTRACT=yes npm test -- pets-contract`, to be read and committed with the change.
 */
describe('The contract of pets', () => {
  const service = useService('sqlite');

  it('is the committed one', async () => {
    const served = await petsContract(service());
    if (process.env.RENEW_PETS_CONTRACT === 'yes') writeFileSync(FILE, served);
    expect(served).toBe(readFileSync(FILE, 'utf8'));
  });
});

/** Everything the document says about pets, and the scopes their operations ask for. */
async function petsContract(service: TestService): Promise<string> {
  const { tags, paths, components } = partOf(await servedDocument(service), '/pets');
  const scopes = await scopesOf(service, '/pets');
  return `${JSON.stringify({ tags, paths, components, scopes }, null, 2)}\n`;
}

/** The scopes that each operation of a collection names to a key that has no scope of any module. */
async function scopesOf(service: TestService, collection: string): Promise<Record<string, string>> {
  const key = await service.keyWith('admin:read');
  const operations = operationsOf(partOf(await servedDocument(service), collection));
  const scopes: Record<string, string> = {};
  for (const { operationId, method, path } of operations) {
    const refused = await ask(service, { method, target: BASE_PATH + path.replace(/\{\w+\}/, '1'), key });
    const [, named = ''] = /scope="([^"]*)"/.exec(field(refused, 'www-authenticate') ?? '') ?? [];
    scopes[operationId] = named;
  }
  return scopes;
}
