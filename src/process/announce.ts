import { hasPets, listedFeatures } from '../own-service';
import { petstore } from '../platform/config/called-as';
import type { Settings } from '../platform/config/settings';
import type { Logger } from '../platform/logging/logging.module';
import { scopesOf } from '../platform/features/feature-modules';
import { TOOLING } from '../tooling';
import type { RunningService } from './start-service';

/** Announces to the operator, once, that the service runs: in the log, and outside production by the start guide. */
export function announce(service: RunningService, { nodeEnv }: Settings, logger: Logger): void {
  logger.info({ url: service.url, management: service.managementUrl }, 'The petstore service is listening.');
  if (nodeEnv === 'production') return;
  process.stdout.once('error', (err) => logger.warn({ err }, lostGuide(service)));
  process.stdout.write(startGuide(service));
}

function lostGuide({ firstKey }: RunningService): string {
  return firstKey === undefined
    ? 'The start guide cannot be printed.'
    : `The first API key cannot be printed, so nobody has it. To create another: ${newKey()}`;
}

function newKey(): string {
  const scopes = new Set([...scopesOf(listedFeatures()), 'admin:read']);
  return `${petstore()} keys create --name me --scopes ${[...scopes].join(',')}`;
}

/** Guide for a person who has just started the service. The key comes last, where it stays in sight. */
function startGuide({ url, managementUrl, firstKey, firstKeyBehind }: RunningService): string {
  const key = firstKey ?? '$PETSTORE_API_KEY';
  return `
The petstore service is running at ${url}

Swagger UI: ${url}/docs
  Click "Authorize" and paste the key.

${TOOLING.length > 0 ? `Console: ${managementUrl}/admin\n  Sign in with the key.\n\n` : ''}${hasPets() ? petsGuide(url, key) : ''}Stop the service with Ctrl+C.

${firstKey ? `Your API key, shown only once:\n\n  ${firstKey}` : otherKey()}${scopesGuide(firstKeyBehind)}
`;
}

function petsGuide(url: string, key: string): string {
  return `Add a pet:

  curl ${url}/v1/pets -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" -d '{"name":"Rex","categoryId":3,"status":"available"}'

Add 100 sample pets:

  ${petstore()} seed --count 100

`;
}

/**
 * Explains how to give the first key the scopes of later features. It does not get them by itself: somebody may have removed
 * them.
 */
function scopesGuide(behind: RunningService['firstKeyBehind']): string {
  if (!behind) return '';
  const { id, missing, every } = behind;
  return `

The first key has no ${missing.join(', ')}. To give it every scope:
  ${petstore()} keys update ${id} --scopes ${every.join(',')}`;
}

/** Used when there is no first key, which only the first start on an empty database makes. */
const otherKey = () => `Use an existing API key, or create one:

  ${newKey()}
  export PETSTORE_API_KEY=petk_...`;
