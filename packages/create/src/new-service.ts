import { newService } from './new-service/new-service.ts';
import { Refusal } from './refusal.ts';

const USAGE = 'Usage: npm run new-service -- <folder>';

const HELP = `${USAGE}

Writes a service in a repository of its own, on the platform of this version: with pets, until their line is taken out.

  <folder>  folder to write to, which must be empty or not exist; its name is that of the service

Example:
  npm run new-service -- ../shop
`;

/** Runs the command line and returns its exit code: 0 done, 1 refused, 2 wrong usage. */
function main([folder, ...others]: readonly string[]): number {
  if (folder === '--help') {
    process.stdout.write(HELP);
    return 0;
  }
  if (folder === undefined || folder.startsWith('-') || others.length > 0) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  try {
    process.stdout.write(newService(folder));
    return 0;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

process.exitCode = main(process.argv.slice(2));
