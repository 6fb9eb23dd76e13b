import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** A program that runs beside a test. */
export interface Program {
  /** Everything it wrote so far. */
  output: string;
}

const running = new Map<ChildProcess, Promise<unknown>>();

/** Starts a program, which `stopPrograms` ends. */
export function startProgram(
  name: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Program {
  const env = { ...process.env, ...environment };
  const child = spawn(name, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  running.set(child, once(child, 'close'));
  const program = { output: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (program.output += text));
  }
  return program;
}

/** Ends every program of this test file. */
export async function stopPrograms(): Promise<void> {
  for (const child of running.keys()) child.kill('SIGKILL');
  await Promise.all(running.values());
  running.clear();
}
