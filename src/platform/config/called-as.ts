import { basename, delimiter, dirname, relative } from 'node:path';

/** The name of the program in its own texts. */
export const PROGRAM = 'petstore';

/** Call of the program in a checkout of the project. */
const BY_NPM = `npm run -s ${PROGRAM} --`;

/**
 * Returns the call by which the person started the program, so that proposals in help and messages work when they are copied:
 * `petstore`, `npm run -s petstore --`, `npx petstore`, `node_modules/.bin/petstore` or `node dist/src/cli.js`.
 *
 * @param entry the file that Node.js was given
 * @param script the npm script that runs, if any; `npx` if npx runs it
 * @param path the variable PATH, by which a shell finds programs
 */
export function calledAs(entry: string, script: string | undefined, path: string): string {
  if (script === PROGRAM) return BY_NPM;
  if (basename(entry) !== PROGRAM) return `node ${relative('', entry)}`;
  // npx puts the folder of the program on the PATH of the program alone.
  if (script === 'npx') return `npx ${PROGRAM}`;
  return path.split(delimiter).includes(dirname(entry)) ? PROGRAM : relative('', entry);
}

/**
 * Returns the call of the program for a person beside a running service: by npm in a checkout, by its name where the service is
 * installed.
 *
 * @param script the npm script that runs the service, if any
 */
export function calledBeside(nodeEnv: string, script: string | undefined): string {
  return nodeEnv === 'production' && script === undefined ? PROGRAM : BY_NPM;
}

let call: string = PROGRAM;

/** Remembers the call of the program for all texts of this process. */
export function rememberCall(called: string): void {
  call = called;
}

/**
 * Returns the call of the program, for a text that proposes a command: `${petstore()} db migrate`. The person copies what stands
 * there, and nothing is rewritten afterwards: in a finished text, a call cannot be told from data of the same words.
 */
export function petstore(): string {
  return call;
}
