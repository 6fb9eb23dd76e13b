import { CONNECTION_SETTINGS } from './connection-settings';
import {
  apiKey,
  boolean,
  durationMs,
  host,
  integer,
  list,
  matching,
  oneOf,
  operationStates,
  proxies,
} from './setting-kinds';
import { SettingsDeclaration, InferSettings } from './setting';
import { SIGN_IN_SETTINGS } from './sign-in-settings';
import { baseUrl, databaseUrl, endpointUrl, redisUrl, replicaUrls, webOrigin } from './url-kinds';

const ONE_HOUR_MS = 3_600_000;

/** Every setting of the service. The typed settings, `.env.example` and `docs/settings.md` follow from it. */
export const SETTINGS_DECLARATION = {
  NODE_ENV: {
    kind: matching(/^[\w.-]+$/, 'a word such as production'),
    default: 'development',
    description: 'In `production`, no first API key is created and printed.',
    example: 'production',
  },
  HOST: {
    kind: host(),
    default: '127.0.0.1',
    description: 'Address to listen on. `0.0.0.0` or `::` serves every network interface.',
  },
  PORT: {
    kind: integer(0, 65_535),
    default: '3000',
    description: 'Port to listen on. 0 takes any free port.',
  },
  DRAIN_DELAY: {
    kind: durationMs(),
    default: '0s',
    description:
      'How long the service still serves after SIGTERM while it reports that it is not ready, so that load balancers remove it first.',
    example: '10s',
  },
  MANAGEMENT_HOST: {
    kind: host(),
    default: '127.0.0.1',
    description:
      'Address of the management port. Do not expose it to the public: every client that reaches it sees metrics and health details.',
  },
  MANAGEMENT_PORT: {
    kind: integer(0, 65_535),
    default: '3001',
    description:
      'Port for the console at `/admin`, `/metrics` and `/health` with details. 0 takes any free port; so does the default when it is in use.',
  },
  MANAGEMENT_ALLOWED_HOSTS: {
    kind: list(host(), 'host names, separated by commas'),
    default: '',
    description:
      'Host names that requests to the management port may use, besides IP addresses, `localhost` and `MANAGEMENT_HOST`, such as the name of a proxy in front of the console or of a service that Prometheus scrapes. Others are refused, which protects against DNS rebinding.',
    example: 'petstore-admin.example.com',
  },
  ...SIGN_IN_SETTINGS,
  TRUST_PROXY: {
    kind: proxies(),
    default: '',
    description:
      'The proxies whose `X-Forwarded-For` is trusted for the addresses of clients, and whose `X-Forwarded-Proto` and `X-Forwarded-Host` for those of the service unless `PUBLIC_BASE_URL` is set, or their number. If empty, the address of the connection is used.',
    example: 'loopback, 10.0.0.0/8',
  },
  RATE_LIMIT_PER_MINUTE: {
    kind: integer(0, 10_000_000),
    default: '600',
    description:
      'Requests that an API key may make in a minute, and refused keys that an address may send. 0 disables both limits.',
  },
  REDIS_URL: {
    kind: redisUrl(),
    description:
      'Redis server in which all nodes count rate limits. Without it, and while it cannot be reached, each node counts for itself.',
    secret: true,
    example: 'redis://:change-me@localhost:6379/0',
  },
  DATABASE_URL: {
    kind: databaseUrl(),
    default: 'sqlite:./data/petstore.sqlite',
    description:
      'The database: a SQLite file inside this process, or a PostgreSQL server. Nodes on several machines need PostgreSQL.',
    secret: true,
    example: 'postgres://petstore:change-me@localhost:5432/petstore',
  },
  DATABASE_REPLICA_URLS: {
    kind: replicaUrls(),
    default: '',
    description:
      'Streaming replicas of the PostgreSQL server. Lists are read from a replica that has caught up with the primary. If empty, everything is read from `DATABASE_URL`.',
    secret: true,
    example:
      'postgres://petstore:change-me@replica-1:5432/petstore,postgres://petstore:change-me@replica-2:5432/petstore',
  },
  MIGRATE_ON_START: {
    kind: boolean(),
    description:
      'Whether the server brings the database schema up to date at its start. Unset, it does so only on SQLite.',
  },
  DATABASE_POOL_SIZE: {
    kind: integer(1, 1_000),
    default: '10',
    description: 'Maximum number of connections that one process opens to each PostgreSQL server.',
  },
  DATABASE_STATEMENT_TIMEOUT_MS: {
    kind: integer(1, ONE_HOUR_MS),
    default: '5000',
    description:
      'Time after which PostgreSQL cancels a statement of a request, in milliseconds. A request waits two fifths of it for a connection, a minute at most, before it gets 503. On SQLite, how long a statement waits while another process writes to the file.',
  },
  BOOTSTRAP_API_KEY: {
    kind: apiKey(),
    description:
      'An API key that is created with all scopes at the start. It may stay set on the same database.',
    secret: true,
  },
  KEY_MAX_LIFETIME_DAYS: {
    kind: integer(0, 36_500),
    default: '0',
    description:
      'Maximum lifetime of an API key in days. Existing keys expire in 30 days at the earliest. 0 sets no limit.',
    example: '365',
  },
  KEY_IDLE_DAYS: {
    kind: integer(0, 36_500),
    default: '0',
    description:
      'Days without use after which an API key is disabled, with a warning 14 days before. 0 disables no keys.',
    example: '180',
  },
  PUBLIC_BASE_URL: {
    kind: baseUrl(),
    description:
      'Address under which clients reach the service, with the part of the path that a proxy removes. All addresses that the service names begin with it. Unset, absolute `Link` targets are built from the host of the request, or as a proxy in `TRUST_PROXY` says.',
    example: 'https://api.example.com/v1',
  },
  PRODUCTION_BASE_URL: {
    kind: baseUrl(),
    description: 'Address of the production service, listed among the servers of the OpenAPI document.',
    example: 'https://api.example.com/v1',
  },
  STAGING_BASE_URL: {
    kind: baseUrl(),
    description: 'Address of the staging service, listed among the servers of the OpenAPI document.',
    example: 'https://staging.example.com/v1',
  },
  CORS_ORIGINS: {
    kind: list(webOrigin(), 'exact web origins separated by commas'),
    default: '',
    description:
      'Web origins whose pages may call the service from a browser. If empty, no CORS headers are sent.',
    example: 'https://shop.example.com,http://localhost:8080',
  },
  LOG_LEVEL: {
    kind: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    default: 'info',
    description: 'Lowest level that is logged. Requests are logged at `info`.',
  },
  REQUEST_LOG_DAYS: {
    kind: integer(0, 365),
    default: '7',
    description:
      'Days that requests are kept in the database, a million at most, for the page Requests of the console and `petstore requests`. A million takes about half a gigabyte. 0 disables the request log.',
  },
  RECORD_HISTORY_DAYS: {
    kind: integer(0, 36_500),
    default: '90',
    description:
      'Days that changes of records by clients are kept, for the history of each record. 0 disables this. A million changes take about a fifth of a gigabyte.',
    example: '365',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    kind: endpointUrl(),
    description:
      'Base address of an OpenTelemetry collector that accepts OTLP over HTTP. Unset, no traces are recorded and OpenTelemetry is not loaded.',
    example: 'http://localhost:4318',
  },
  DEPRECATED_OPERATIONS: {
    kind: operationStates(),
    default: '',
    description:
      'State of deprecated operations by operationId; others are active. ' +
      'A removed operation responds with 410, an operation in brownout only in its windows: ISO 8601 intervals with a time zone, from a start to an end or for a duration.',
    example: 'getPet=brownout(2030-06-01T00:00:00Z/PT1H, 2030-07-01T00:00:00Z/2030-07-01T02:00:00Z)',
  },
  AUDIT_LOG: {
    kind: boolean(),
    default: 'false',
    description:
      'Whether each audit event is written to the log as well, once it is committed, so that storage that cannot be rewritten has it. Give it to the commands, too.',
  },
  AUDIT_RETENTION_DAYS: {
    kind: integer(0, 36_500),
    default: '0',
    description: 'Days after which audit events are removed. 0 keeps them for ever.',
    example: '730',
  },
  BACKUP_PATH: {
    kind: matching(/^(?:\/|[A-Za-z]:\\).*\S$/, 'the absolute path of a file or a folder'),
    description:
      'Folder that `petstore db backup` writes to, in which only backups of the engine in use count, or a file that any other successful backup touches. The alert `PetstoreNoBackup` goes by the newest one, which `petstore db drill` restores; unset, on PostgreSQL by the archived write-ahead log.',
    example: '/var/backups/petstore',
  },
  ...CONNECTION_SETTINGS,
} as const satisfies SettingsDeclaration;

export type SettingName = keyof typeof SETTINGS_DECLARATION;

/** The settings of one process, validated and frozen. */
export type Settings = InferSettings<typeof SETTINGS_DECLARATION>;
