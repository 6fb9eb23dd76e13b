#!/usr/bin/env node
import './process/require-node';
import { exitAtFailedStart, exitAtFault } from './process/exit';
import { checkModulePackages } from './process/module-packages';
import { loadEnvironment, loadSettings } from './platform/config/load-settings';
import { createLogger, logWarnings } from './platform/logging/logger';

async function main(): Promise<void> {
  await checkModulePackages();
  const settings = loadSettings(loadEnvironment());
  const logger = createLogger(settings.logLevel);
  exitAtFault(logger);
  logWarnings(logger);
  const loadRunner = async () => (await import('./create-cli.js')).commandRunner();
  // Each kind of process loads only what it needs: the primary of several workers does not serve.
  if (settings.workers > 1) {
    const { runWorkers } = await import('./process/run-workers.js');
    await runWorkers(settings, logger, loadRunner);
  } else {
    const { runService } = await import('./process/run-service.js');
    await runService(settings, logger, loadRunner);
  }
}

main().catch(exitAtFailedStart);
