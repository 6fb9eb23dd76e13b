import { readFileSync, writeFileSync } from 'node:fs';
import { PETS_CONTRACT, petsContract } from './support/pets-contract';
import { useService } from './support/service';

/**
 * A new module must not change what pets are, not even by a byte. A change of pets that the owner wants is written
 * into the file by `RENEW_PETS_CONTRACT=yes npm test -- pets-contract`, to be read and committed with the change.
 */
describe('The contract of pets', () => {
  const service = useService('sqlite');

  it('is the committed test/contract/pets-contract.json', async () => {
    const served = await petsContract(service());
    if (process.env.RENEW_PETS_CONTRACT === 'yes') writeFileSync(PETS_CONTRACT, served);
    expect(served).toBe(readFileSync(PETS_CONTRACT, 'utf8'));
  });
});
