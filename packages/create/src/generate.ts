import { enableCompileCache } from 'node:module';
import { HELP, readRequest, USAGE, WrongUsage } from './commands.ts';
import { Refusal } from './refusal.ts';

/**
 * Runs the command line and returns its exit code: 0 done, 1 refused, 2 wrong usage, 3 done except for changes to be made by
 * hand, which the output lists.
 */
async function main(args: readonly string[]): Promise<number> {
  try {
    const request = readRequest(args);
    if (!request) {
      process.stdout.write(HELP);
      return 0;
    }
    // Loaded late: the packages of the schematic take longer to load than a wrong command line should.
    const { run } = await import('./run.ts');
    const { output, isComplete } = await run(request);
    process.stdout.write(output);
    return isComplete ? 0 : 3;
  } catch (error) {
    if (error instanceof WrongUsage) {
      process.stderr.write(`${error.message}\n${USAGE}\n`);
      return 2;
    }
    if (!(error instanceof Refusal)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

// Loading the compiler and the packages of schematics takes most of the time.
enableCompileCache();
process.exitCode = await main(process.argv.slice(2));
