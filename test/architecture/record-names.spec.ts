import { readFeatureName } from '../../schematics/feature/names';
import { recordKinds } from '../../src/admin/records/record-kinds';
import { adminScopes } from '../../src/auth/auth.scopes';
import { COMMAND_GROUPS } from '../../src/command-groups';
import { PETS_ADMIN } from '../../src/pets/pets.admin';
import type { Cli } from '../../src/platform/cli/cli';
import { createProgram } from '../../src/platform/cli/program';
import { Feature, importedRecords } from '../../src/platform/feature.decorator';
import { startTestService } from '../support/service';

const petsCalled = (name: string) => ({ ...PETS_ADMIN, name });
const refusalOf = (name: string) => `Records cannot be called "${name}": something of the service itself is.`;
const program = () => createProgram(COMMAND_GROUPS, {} as Cli);

const kinds = new Set(importedRecords().map(({ name }) => name));

/** What the service itself has in the places where records go by their names. */
const ownNames = new Set([
  ...program().commands.map((command) => command.name()),
  'help',
  ...adminScopes().map((scope) => scope.replace('admin:', '')),
  // What audit events are about, as are keys.
  'sessions',
]).difference(kinds);

describe('The name of records', () => {
  it.each([...ownNames])('cannot be %s, which is the service’s own; nor is it generated', (name) => {
    expect(() => recordKinds([petsCalled(name)])).toThrow(refusalOf(name));
    expect(() => readFeatureName(name)).toThrow(/cannot name a feature: the service itself has something/);
  });

  it('cannot be that of others', () => {
    const both = [petsCalled('orders'), petsCalled('orders')];
    expect(() => recordKinds(both)).toThrow('Two features call their records "orders".');
    expect(recordKinds().length).toBeGreaterThan(0);
  });

  it('lets neither the service start nor a command run when it cannot be', async () => {
    Feature({ admin: petsCalled('db') })(class {});
    expect(program).toThrow(refusalOf('db'));
    await expect(startTestService('sqlite')).rejects.toThrow(refusalOf('db'));
  });
});
