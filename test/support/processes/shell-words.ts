import { execFileSync } from 'node:child_process';

/** The words of each call of a command in a script, as bash reads them; nothing is called. */
export function shellWords(command: string, script: string): string[][] {
  const noting = `${command}() { printf '%s\\0' "$@"; echo; }`;
  const read = execFileSync('bash', ['-euo', 'pipefail', '-c', `${noting}\n${script}`], { encoding: 'utf8' });
  const lines = read.split('\n').slice(0, -1);
  return lines.map((line) => line.split('\0').slice(0, -1));
}
