import { figuresTable } from '../samples/figures';
import './jest-global-setup';

/** Of Jest's configuration, whether it runs until it is ended. */
interface Watching {
  readonly watch: boolean;
  readonly watchAll: boolean;
}

/** Shows the figures that tests noted, and ends what the setup started. Jest calls it again for each failing file when it runs with `--bail`. */
export default async function stopServices({ watch, watchAll }: Watching): Promise<void> {
  const figures = figuresTable();
  if (figures) process.stdout.write(`\n${figures}\n`);
  // The server ends with the process.
  if (watch || watchAll) return;
  const server = globalThis.testPostgresServer;
  globalThis.testPostgresServer = undefined;
  await server?.stop();
}
