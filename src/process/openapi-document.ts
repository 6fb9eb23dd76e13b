import 'reflect-metadata';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createApp } from '../create-app';
import { listedFeatures } from '../own-service';
import { type Environment, loadSettings } from '../platform/config/load-settings';
import { openDatabase } from '../platform/database/driver/open';
import { schemaOf } from '../platform/features/feature-modules';
import { createLogger } from '../platform/logging/logger';
import { ApiDocument } from '../platform/openapi/api-document';

/** Path of the committed document, relative to the project's root. */
const COMMITTED_DOCUMENT = join('docs', 'openapi.json');

/** Settings that leave out other servers. The document does not depend on them, so it can be made without those servers. */
const WITHOUT_SERVERS: Environment = {
  DATABASE_URL: 'sqlite::memory:',
  DATABASE_URL_FILE: '',
  DATABASE_REPLICA_URLS: '',
  DATABASE_REPLICA_URLS_FILE: '',
  REDIS_URL: '',
  REDIS_URL_FILE: '',
  BOOTSTRAP_API_KEY: '',
  BOOTSTRAP_API_KEY_FILE: '',
  OTEL_EXPORTER_OTLP_ENDPOINT: '',
  LOG_LEVEL: 'silent',
};

/**
 * Renders the OpenAPI document as a service serves it: JSON, indented, with a final line break. Nothing listens, and no
 * database is needed.
 *
 * @param environment the settings of the service; the defaults unless given
 * @throws SettingsError
 */
export async function renderOpenapiDocument(environment: Environment = {}): Promise<string> {
  const settings = loadSettings({ ...environment, ...WITHOUT_SERVERS });
  const dataSource = await openDatabase(settings, schemaOf(listedFeatures()));
  try {
    const app = await createApp({ settings, logger: createLogger(settings.logLevel), dataSource });
    const { document } = app.get(ApiDocument);
    await app.close();
    return `${JSON.stringify(document, null, 2)}\n`;
  } finally {
    await dataSource.destroy();
  }
}

/**
 * Writes the document into the project at `root`; with `--check` only compares.
 *
 * @returns the fault in one sentence, if any
 */
export async function runOpenapiDocument(args: readonly string[], root: string): Promise<string | undefined> {
  const file = join(root, COMMITTED_DOCUMENT);
  const expected = await renderOpenapiDocument();
  if (args.includes('--check')) {
    return read(file) === expected
      ? undefined
      : `${COMMITTED_DOCUMENT} differs from what the service serves; run npm run artefacts and commit it.`;
  }
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, expected);
  return undefined;
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

async function main(): Promise<void> {
  const complaint = await runOpenapiDocument(process.argv.slice(2), process.cwd());
  if (complaint === undefined) return;
  process.stderr.write(`${complaint}\n`);
  process.exitCode = 1;
}

if (require.main === module) void main();
