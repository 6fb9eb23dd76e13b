import type { Settings } from '../platform/config/settings';
import type { Logger } from '../platform/logging/logging.module';
import type { Listening } from '../platform/workers/messages';

/** Tells the operator, once, that the service is there: by the log, and outside production by the start guide. */
export function announce(service: Listening, { nodeEnv }: Settings, logger: Logger): void {
  logger.info({ url: service.url, management: service.managementUrl }, 'The petstore service is listening.');
  if (nodeEnv !== 'production') process.stdout.write(startGuide(service));
}

/** What a person who has just started the service does next: the docs, and one command for each operation. */
function startGuide({
  url,
  firstKey,
}: {
  readonly url: string;
  readonly firstKey: string | undefined;
}): string {
  const header = `-H "Authorization: Bearer ${firstKey ?? '$PETSTORE_API_KEY'}"`;
  const key = firstKey
    ? `Your first API key, shown this once; keep it:\n\n  ${firstKey}\n`
    : `Use the API key you have, or make one:\n\n  npm run -s petstore -- keys create --name me --scopes pets:read,pets:write\n  export PETSTORE_API_KEY=petk_...\n`;
  return `
The petstore service is running at ${url}.

${key}
Browse and try it:   ${url}/docs
The same by hand:

  curl -X POST ${url}/v1/pets ${header} -H "Content-Type: application/json" -d '{"name":"Rex","categoryId":3,"status":"available"}'
  curl "${url}/v1/pets?status=available&limit=20" ${header}
  curl ${url}/v1/pets/1 ${header}

Stop it with Ctrl+C.
`;
}
