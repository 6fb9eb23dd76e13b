import type { Command } from 'commander';
import { petstore } from '../platform/config/called-as';
import type { Cli } from '../platform/cli/cli';
import { CommandError } from '../platform/cli/command-error';
import { interruptible } from '../platform/cli/interruption';
import { readCount } from '../platform/cli/option-values';
import { ProgressBar } from '../platform/cli/progress-bar';
import { describeLocation } from '../platform/database/driver/database-url';
import { ReadOnlyMode } from '../platform/read-only/read-only-mode';
import { PetsSeed } from './pets.seed';

/** `petstore seed`: fills the store for trials and measurements. Works beside a running server. */
export function addSeedCommand(program: Command, cli: Cli): void {
  program
    .command('seed')
    .description('add sample pets, the same ones each time')
    .requiredOption('--count <number>', 'the number of pets to add', readCount)
    .option('--aged', 'as years of trade leave them: status goes with age, and the oldest are removed')
    .addHelpText(
      'after',
      `\nExamples:\n  ${petstore()} seed --count 1000\n  ${petstore()} seed --count 1000000 --aged`,
    )
    .action(async ({ count: wanted, aged: isAged }: { count: number; aged?: boolean }) => {
      const stored = await cli.withApp(
        (app) => {
          app.get(ReadOnlyMode).assertWritableByOperators();
          return seed(app.get(PetsSeed), wanted, isAged, cli);
        },
        {},
        { mayCreate: true },
      );
      if (stored < wanted) {
        throw new CommandError(`Interrupted: ${inWords(stored)} of ${inWords(wanted)} pets were added.`);
      }
      const database = cli.output.naming(describeLocation(cli.loadSettings().databaseUrl));
      cli.output.message(
        `${inWords(stored)} pet${stored === 1 ? ' was' : 's were'} added to the database ${database}.`,
      );
    });
}

async function seed(pets: PetsSeed, wanted: number, isAged: boolean | undefined, cli: Cli): Promise<number> {
  const bar = new ProgressBar(cli.output, 'Adding pets');
  bar.start(wanted, 0);
  try {
    return await interruptible((signal) =>
      pets.add(wanted, { isAged, signal, onBatch: (stored) => bar.update(stored) }),
    );
  } finally {
    bar.stop();
  }
}

function inWords(amount: number): string {
  return amount.toLocaleString('en');
}
