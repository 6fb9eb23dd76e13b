import './jest-global-setup';

/** Ends what the setup started. Jest calls it again for each failing file when it runs with `--bail`. */
export default async function stopServices(): Promise<void> {
  const server = globalThis.testPostgresServer;
  globalThis.testPostgresServer = undefined;
  await server?.stop();
}
