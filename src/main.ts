#!/usr/bin/env node
import './require-node';
import './compile-cache';
import 'reflect-metadata';
import { exitAtFault, exitAtSignal } from './exit';
import { loadEnvironment, loadSettings } from './platform/config/load-settings';
import { createLogger } from './platform/logging/logger';
import { startGuide } from './start-guide';
import { startService } from './start-service';
import { stopLimitMs } from './stop-service';

async function main(): Promise<void> {
  const settings = loadSettings(loadEnvironment());
  const logger = createLogger(settings.logLevel);
  exitAtFault(logger);
  const starting = startService(settings, logger);
  // Before the start has ended: requests may be under way when the last step of it is done.
  exitAtSignal({ stop: async () => (await starting).stop(), limitMs: stopLimitMs(settings) }, logger);

  const service = await starting;
  if (settings.nodeEnv !== 'production') process.stdout.write(startGuide(service));
}

function fail(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

main().catch(fail);
