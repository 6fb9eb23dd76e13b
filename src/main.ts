#!/usr/bin/env node
import './require-node';
import { exitAtFailedStart, exitAtFault } from './exit';
import { loadEnvironment, loadSettings } from './platform/config/load-settings';
import { createLogger } from './platform/logging/logger';
import { logWarnings } from './platform/logging/node-warnings';

async function main(): Promise<void> {
  const settings = loadSettings(loadEnvironment());
  const logger = createLogger(settings.logLevel);
  exitAtFault(logger);
  logWarnings(logger);
  // Each kind of process loads what it needs: the primary of several workers nothing that serves.
  const { run } = settings.workers > 1 ? await import('./run-workers.js') : await import('./run-service.js');
  await run(settings, logger);
}

main().catch(exitAtFailedStart);
