import { loadSettings } from '../../../src/platform/config/load-settings';
import { createLogger } from '../../../src/platform/logging/logger';
import { type RunningService, startService } from '../../../src/process/start-service';

/** A service on a database that the test keeps in its own hands. */
export interface StartedService extends RunningService {
  readonly port: number;
  readonly managementPort: number;
  log(): string;
}

/** Starts the service as production does, on a given database and without a key. */
export async function startOn(
  databaseUrl: string,
  environment: Record<string, string>,
): Promise<StartedService> {
  const lines: string[] = [];
  const running = await startService(
    loadSettings({
      PORT: '0',
      MANAGEMENT_PORT: '0',
      RATE_LIMIT_PER_MINUTE: '0',
      DATABASE_STATEMENT_TIMEOUT_MS: '60000',
      DATABASE_URL: databaseUrl,
      ...environment,
    }),
    createLogger('info', { write: (line) => void lines.push(line) }),
  );
  return {
    ...running,
    port: Number(new URL(running.url).port),
    managementPort: Number(new URL(running.managementUrl).port),
    log: () => lines.join(''),
  };
}
