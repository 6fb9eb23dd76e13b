import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The languages of the code that the docs show. */
export const LANGUAGES = ['curl', 'TypeScript client', 'fetch', 'Python'] as const;

export type Language = (typeof LANGUAGES)[number];

/** What runs a program of a language, given before its code. */
const RUNNERS = {
  curl: ['bash', '-euc'],
  'TypeScript client': [process.execPath, '--input-type=module-typescript', '--eval'],
  fetch: [process.execPath, '--input-type=module', '--eval'],
  Python: ['python3', '-c'],
} as const;

/** Compiles `@petstore/client`, which the code of the docs imports. */
export async function buildClient(): Promise<void> {
  await promisify(execFile)('node_modules/.bin/tsc', ['-p', 'packages/client']);
}

/** Runs code as the docs show it, with a key of the service; gives what it prints. */
export async function run(
  language: Language,
  code: string,
  { key }: { readonly key: string },
  cwd?: string,
): Promise<string> {
  const [command, ...options] = RUNNERS[language];
  const env = { PATH: process.env['PATH'], PETSTORE_API_KEY: key };
  const { stdout } = await promisify(execFile)(command, [...options, code], { env, cwd });
  return stdout;
}
