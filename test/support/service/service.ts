import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test, type TestingModuleBuilder } from '@nestjs/testing';
import { ApiKeysService } from '../../../src/auth/api-keys.service';
import type { AppOptions, CreateApplication } from '../../../src/create-app';
import { loadSettings } from '../../../src/platform/config/load-settings';
import { createLogger } from '../../../src/platform/logging/logger';
import type { Principal } from '../../../src/platform/security/principal';
import { type RunningService, startService } from '../../../src/process/start-service';
import type { Engine, TestDatabase } from '../databases/databases';
import { createMigratedDatabase } from '../databases/migrated-database';

/** A service of its own for a test: real HTTP on loopback, a real and empty database, a key with every scope. */
export interface TestService extends RunningService {
  readonly engine: Engine;
  readonly database: TestDatabase;
  readonly port: number;
  readonly managementPort: number;
  /** A token with every scope. */
  readonly key: string;
  /** The client that has the token. */
  readonly principal: Principal;
  /** Everything logged so far, as JSON lines. */
  log(): string;
  /** Makes a key with these scopes only; gives its token. */
  keyWith(...scopes: string[]): Promise<string>;
  /** `fetch` on a path of the service with the key; pass headers to override it. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** POSTs a value as JSON. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** PATCHes with a value as a JSON Merge Patch. */
  patch(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  delete(path: string): Promise<Response>;
}

/** What else a service of a test may be told. */
export interface TestOptions extends AppOptions {
  /** Replaces providers, guards and the like of the whole application, as in a test of Nest's own. */
  readonly override?: Override | undefined;
}

/** Calls `overrideProvider()` and its kin. */
export type Override = (builder: TestingModuleBuilder) => TestingModuleBuilder;

/** Starts another node on the database of a service. */
export function startAnotherNode(
  { database }: TestService,
  environment: Record<string, string> = {},
): Promise<RunningService> {
  const settings = loadSettings({
    PORT: '0',
    MANAGEMENT_PORT: '0',
    RATE_LIMIT_PER_MINUTE: '0',
    DATABASE_URL: database.url,
    ...environment,
  });
  return startService(settings, createLogger('silent', { write: () => undefined }));
}

/**
 * Starts the service as production does, with the settings given on top of the test's own.
 *
 * @param options other features than those of `features.ts`, and what replaces providers
 */
export async function startTestService(
  engine: Engine,
  environment: Record<string, string> = {},
  { override, ...options }: TestOptions = {},
): Promise<TestService> {
  const database = await createMigratedDatabase(engine);
  const lines: string[] = [];
  const settings = loadSettings({
    PORT: '0',
    MANAGEMENT_PORT: '0',
    RATE_LIMIT_PER_MINUTE: '0',
    DATABASE_URL: database.url,
    MIGRATE_ON_START: 'true',
    // The name by which requests of the tests ask for both ports.
    MANAGEMENT_ALLOWED_HOSTS: 'petstore.test',
    // A busy machine may take seconds for a connection, a statement or a request.
    DATABASE_STATEMENT_TIMEOUT_MS: '60000',
    REQUEST_TIMEOUT_MS: '60000',
    ...environment,
  });
  const running = await startService(
    settings,
    createLogger('info', { write: (line) => void lines.push(line) }),
    {
      ...(override && { create: createOverridden(override) }),
      ...options,
    },
  );
  const keys = running.app.get(ApiKeysService);
  const keyWith = async (...scopes: string[]) => (await keys.create({ name: 'test', scopes })).token;
  const { token: key, key: made } = await keys.create({
    name: 'test',
    owner: 'test',
    scopes: keys.knownScopes,
  });
  const principal: Principal = {
    keyId: made.id,
    lineageId: made.lineageId,
    owner: made.owner ?? undefined,
    scopes: new Set(made.scopes),
  };
  const call = (path: string, init: RequestInit = {}) =>
    fetch(`${running.url}${path}`, { ...init, headers: { authorization: `Bearer ${key}`, ...init.headers } });
  return {
    ...running,
    engine,
    database,
    port: Number(new URL(running.url).port),
    managementPort: Number(new URL(running.managementUrl).port),
    key,
    principal,
    log: () => lines.join(''),
    keyWith,
    fetch: call,
    post: (path, body, headers = {}) =>
      call(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    patch: (path, body, headers = {}) =>
      call(path, {
        method: 'PATCH',
        headers: { 'content-type': 'application/merge-patch+json', ...headers },
        body: JSON.stringify(body),
      }),
    delete: (path) => call(path, { method: 'DELETE' }),
    async stop(signal) {
      await running.stop(signal);
      await database.drop();
    },
  };
}

function createOverridden(override: Override): CreateApplication {
  return async (root, adapter, { logger, ...options }) => {
    const builder = Test.createTestingModule({ imports: [root] }, options);
    if (typeof logger === 'object' && !Array.isArray(logger)) builder.setLogger(logger);
    const module = await override(builder).compile(options);
    return module.createNestApplication<NestExpressApplication>(adapter, options);
  };
}
