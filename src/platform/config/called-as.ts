import { basename, delimiter, dirname, relative } from 'node:path';
import { npmScript } from './npm-script';

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

/** Calls of the program at the beginning of a line, in quotes, after a colon or a variable; not the service of that name. */
const CALL = new RegExp(`(?<=^\\s*|["“\`]|: |^ +[A-Z_]+=\\S+ )${PROGRAM} (?=[a-z[-])`, 'gm');

/** Writes the calls in a text of the program as the person makes them. */
export function withCalls(text: string, call: string): string {
  return call === PROGRAM ? text : text.replaceAll(CALL, `${call} `);
}

/** Writes the calls of the program in a text of the service as a person beside the service makes them. */
export function withCallsBeside(text: string, nodeEnv: string): string {
  return withCalls(text, calledBeside(nodeEnv, npmScript()));
}
