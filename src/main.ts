#!/usr/bin/env node
import './require-node';
import './compile-cache';
import 'reflect-metadata';
import { loadEnvironment, loadSettings } from './platform/config/load-settings';
import { startGuide } from './start-guide';
import { startService } from './start-service';

async function main(): Promise<void> {
  const settings = loadSettings(loadEnvironment());
  const starting = startService(settings);

  const stop = (signal: NodeJS.Signals) => {
    // A second signal means that waiting has taken too long for somebody.
    process.once(signal, () => process.exit(1));
    starting
      .then((service) => service.stop())
      .then(
        () => process.exit(0),
        (error: unknown) => fail(error),
      );
  };
  // Before the start has ended: requests may be under way when the last step of it is done.
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);

  const service = await starting;
  if (settings.nodeEnv !== 'production') process.stdout.write(startGuide(service));
}

function fail(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

main().catch(fail);
