import './process/require-node';
import './process/signals';
import './process/packages';
import { exitAtFailedStart, exitAtFault } from './process/exit';
import { checkModulePackages } from './process/module-packages';
import { listedFeatures, useService } from './own-service';
import { calledBeside, rememberCall } from './platform/config/called-as';
import { loadEnvironment, loadSettings } from './platform/config/load-settings';
import { npmScript } from './platform/config/npm-script';
import type { Settings } from './platform/config/settings';
import { createLogger, logWarnings } from './platform/logging/logger';

/**
 * Runs the service in this process until a signal ends it. A start that fails ends the process with 1 and one sentence.
 *
 * @param features loads the features, which are the exports of a file, by `require`: `import()` would sort their names
 */
export function serve(features: () => unknown): void {
  useService(features);
  start().catch(exitAtFailedStart);
}

async function start(): Promise<void> {
  // The settings may be at fault: until they are known, the program is taken for an installed one.
  rememberCall(calledBeside('production', npmScript()));
  await checkModulePackages();
  const settings = await readSettings();
  rememberCall(calledBeside(settings.nodeEnv, npmScript()));
  const logger = createLogger(settings.logLevel);
  exitAtFault(logger);
  logWarnings(logger);
  // Loaded here: a start that the settings end takes no time for the packages.
  const { runService } = await import('./process/run-service.js');
  await runService(settings, logger);
}

/** @throws SettingsError with all faults at once, those of features too */
async function readSettings(): Promise<Settings> {
  const environment = loadEnvironment();
  try {
    return loadSettings(environment);
  } catch (error) {
    // The start checks the settings of features, which it loads; there will be no start, so they are checked here.
    const { settingsOf } = await import('./platform/features/feature-modules.js');
    loadSettings(environment, settingsOf(listedFeatures()));
    throw error;
  }
}
