import { Module } from '@nestjs/common';
import { readFeatureName } from '@petstore/create/names';
import { recordCommands } from './commands/records.command';
import { refuseReservedNames } from './reserved-names';
import { adminScopes } from '../../auth/auth.scopes';
import { commandGroups } from '../../create-cli';
import * as features from '../../features';
import { PETS_ADMIN } from '../../pets/pets.admin';
import type { Cli } from '../../platform/cli/cli';
import { createProgram } from '../../platform/cli/program';
import { Feature } from '../../platform/features/feature.decorator';
import { recordsOf } from '../../platform/features/feature-modules';
import { withFeatures } from '../../../test/support/service/with-features';
import { startTestService } from '../../../test/support/service/service';

const petsCalled = (name: string) => ({ ...PETS_ADMIN, name });
const refusalOf = (name: string) =>
  `"${name}" is reserved by the service; choose another name for the records.`;
const records = recordsOf(features);
const kinds = new Set(records.map(({ name }) => name));

/** Names of the service itself in the places where records go by their names. */
async function ownNames(): Promise<ReadonlySet<string>> {
  const program = createProgram(await commandGroups(), {} as Cli);
  return new Set([
    ...program.commands.map((command) => command.name()),
    'help',
    ...adminScopes(records).map((scope) => scope.replace('admin:', '')),
    // What audit events are about, as are keys.
    'sessions',
  ]).difference(kinds);
}

describe('The name of records', () => {
  it('cannot be one that the service uses itself, nor be generated', async () => {
    const names = await ownNames();
    expect(names.size).toBeGreaterThan(15);
    for (const name of names) {
      expect(() => refuseReservedNames([petsCalled(name)])).toThrow(refusalOf(name));
      expect(() => readFeatureName(name)).toThrow(/is reserved by the service/);
    }
  });

  it('stops the start and every command when it is reserved', async () => {
    @Feature({ admin: petsCalled('db') })
    @Module({ providers: [] })
    class DbModule {}
    expect(() => createProgram([recordCommands({ DbModule })], {} as Cli)).toThrow(refusalOf('db'));
    await expect(withFeatures({ DbModule }, () => startTestService('sqlite'))).rejects.toThrow(
      refusalOf('db'),
    );
  });
});
