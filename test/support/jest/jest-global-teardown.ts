import { figuresTable } from '../samples/figures';
import './jest-global-setup';

/** Shows the figures that tests noted, and ends what the setup started. Jest calls it again for each failing file when it runs with `--bail`. */
export default async function stopServices(): Promise<void> {
  const figures = figuresTable();
  if (figures) process.stdout.write(`\n${figures}\n`);
  const server = globalThis.testPostgresServer;
  globalThis.testPostgresServer = undefined;
  await server?.stop();
}
