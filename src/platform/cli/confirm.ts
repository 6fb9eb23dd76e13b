import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';

/** Asks the person at the terminal; anything but yes is no, the end of the input and Ctrl+C too. */
export async function confirm(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // Without it a closed input would leave the question open for ever, and the process would end as if all were done.
  const closed = once(terminal, 'close').then(() => '');
  try {
    const answer = await Promise.race([terminal.question(`${question} [y/N] `), closed]);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}
