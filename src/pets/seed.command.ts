import { type Command, InvalidArgumentError } from 'commander';
import { type Cli, CommandError, interruptible, petstore, ReadOnlyMode } from '@petstore/platform';
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
      cli.output.message(`${inWords(stored)} pet${stored === 1 ? ' was' : 's were'} added.`);
    });
}

async function seed(pets: PetsSeed, wanted: number, isAged: boolean | undefined, cli: Cli): Promise<number> {
  const bar = await cli.output.progress('Adding pets');
  bar.start(wanted, 0);
  try {
    return await interruptible((signal) =>
      pets.add(wanted, { isAged, signal, onBatch: (stored) => bar.update(stored) }),
    );
  } finally {
    bar.stop();
  }
}

/** @throws InvalidArgumentError */
function readCount(text: string): number {
  if (/^[1-9]\d{0,11}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Write a whole number from 1 to 999999999999.');
}

function inWords(amount: number): string {
  return amount.toLocaleString('en');
}
