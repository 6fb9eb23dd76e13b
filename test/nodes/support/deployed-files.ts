import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const DEPLOY = join(__dirname, '..', '..', '..', 'deploy', 'failover');

/** The text of a file of deploy/failover. */
export function deployedFile(name: string): string {
  return readFileSync(join(DEPLOY, name), 'utf8');
}

/** The variables of a file such as systemd's EnvironmentFile. */
export function variablesOf(text: string): Record<string, string> {
  const pairs = text.split('\n').map((line) => /^(\w+)=(.*)$/.exec(line)?.slice(1));
  return Object.fromEntries(pairs.filter((pair) => pair !== undefined)) as Record<string, string>;
}
