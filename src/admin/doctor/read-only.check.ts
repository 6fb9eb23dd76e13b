import { petstore } from '../../platform/config/called-as';
import { readSchemaState } from '../../platform/database/schema/schema-state';
import { ReadOnlyMode } from '../../platform/read-only/read-only-mode';
import { type DoctorCheck, ok, warn } from './check';

/** Checks that writes are taken: a read-only mode that an operator forgot looks like a fault to clients. */
export const READ_ONLY: DoctorCheck = {
  name: 'readOnly',
  limitMs: 15_000,
  async run(context) {
    const { pending } = await readSchemaState(await context.database());
    // Opening the modules would migrate a SQLite file.
    if (pending.length > 0) return [];
    const sentence = await context.cli.withApp((app) => app.get(ReadOnlyMode).sentence, undefined, {
      changesNothing: true,
    });
    if (sentence === undefined) return [ok('Writes are accepted.')];
    const off = `${petstore()} read-only off`;
    return [warn(sentence, `When writes may resume, run "${off}".`, off)];
  },
};
