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
  workers,
} from './setting-kinds';
import { Declaration, InferSettings } from './setting';
import { SIGN_IN_SETTINGS } from './sign-in-settings';
import { baseUrl, databaseUrl, endpointUrl, redisUrl, replicaUrls, webOrigin } from './url-kinds';

const ONE_HOUR_MS = 3_600_000;

/** Every setting of the service. The typed settings, `.env.example` and `docs/settings.md` follow from it. */
export const SETTINGS_DECLARATION = {
  NODE_ENV: {
    kind: matching(/^[\w.-]+$/, 'a word such as production'),
    default: 'development',
    description: 'In `production` nothing is made up for convenience: no first API key is made and printed.',
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
  WORKERS: {
    kind: workers(),
    default: '1',
    description:
      'How many processes serve on this port; `auto` starts one for each processor. They share the port, the management port and the rate limits.',
    example: 'auto',
  },
  DRAIN_DELAY: {
    kind: durationMs(),
    default: '0s',
    description:
      'How long the service still serves after SIGTERM while it calls itself not ready, so that load balancers take it out first.',
    example: '10s',
  },
  MANAGEMENT_HOST: {
    kind: host(),
    default: '127.0.0.1',
    description:
      'Address of the management port. Every client that reaches it sees metrics and health details and can try to sign in to the console, so keep it from the public.',
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
      'Names under which the management port may be asked, besides IP addresses, `localhost` and `MANAGEMENT_HOST`: those of a proxy before the console, or of a service that Prometheus asks by name. A page elsewhere that points a name of its own at this port is refused.',
    example: 'petstore-admin.example.com',
  },
  ...SIGN_IN_SETTINGS,
  TRUST_PROXY: {
    kind: proxies(),
    default: '',
    description:
      'The proxies whose `X-Forwarded-For` is believed when the address of a client is needed: addresses, ranges, the names `loopback`, `linklocal` and `uniquelocal`, or the number of proxies in front. Empty, the address is that of the connection.',
    example: 'loopback, 10.0.0.0/8',
  },
  RATE_LIMIT_PER_MINUTE: {
    kind: integer(0, 10_000_000),
    default: '600',
    description:
      'Requests an API key may make in a minute, and refused keys an address may send. 0 switches the limits off.',
  },
  REDIS_URL: {
    kind: redisUrl(),
    description:
      'A Redis server that all nodes count rate limits in. Without it, and while it cannot be reached, each node counts for itself.',
    secret: true,
    example: 'redis://:change-me@localhost:6379/0',
  },
  DATABASE_URL: {
    kind: databaseUrl(),
    default: 'sqlite:./data/petstore.sqlite',
    description:
      'The database: a SQLite file inside this process, or a PostgreSQL server. Several nodes need PostgreSQL.',
    secret: true,
    example: 'postgres://petstore:change-me@localhost:5432/petstore',
  },
  DATABASE_REPLICA_URLS: {
    kind: replicaUrls(),
    default: '',
    description:
      'Streaming replicas of the PostgreSQL server, which lists are read from as soon as they have what the primary has. Without any, everything is read from `DATABASE_URL`.',
    secret: true,
    example:
      'postgres://petstore:change-me@replica-1:5432/petstore,postgres://petstore:change-me@replica-2:5432/petstore',
  },
  MIGRATE_ON_START: {
    kind: boolean(),
    description:
      'Whether the server brings the database schema up to date at its start. Unset, it does so only on SQLite.',
  },
  CREATE_DATABASE: {
    kind: boolean(),
    description:
      'Whether the server makes the SQLite database at its start when there is none. Unset, it does so outside production: elsewhere a missing file is more often a wrong path or an unfinished restore than a new shop. `petstore db migrate` makes one at any time.',
  },
  READ_ONLY: {
    kind: boolean(),
    default: 'false',
    description:
      'Whether this node refuses writes with 503 while reads go on. `petstore read-only on` does so for all nodes, without a restart.',
  },
  DATABASE_POOL_SIZE: {
    kind: integer(1, 1_000),
    default: '10',
    description: 'Most connections that one process opens to each PostgreSQL server.',
  },
  DATABASE_POOL_WAIT_MS: {
    kind: integer(1, ONE_HOUR_MS),
    default: '2000',
    description: 'How long a request waits for a PostgreSQL connection before it gets 503, in milliseconds.',
  },
  DATABASE_STATEMENT_TIMEOUT_MS: {
    kind: integer(1, ONE_HOUR_MS),
    default: '5000',
    description: 'After how long PostgreSQL gives up a statement of a request, in milliseconds.',
  },
  DATABASE_PREPARED_STATEMENTS: {
    kind: boolean(),
    default: 'true',
    description:
      'Whether connections to PostgreSQL keep the statements that they have prepared. `false` is for a connection pooler that gives a connection to another client after each transaction and cannot tell the statements of its clients apart, such as PgBouncer before 1.21.',
  },
  SQLITE_BUSY_TIMEOUT_MS: {
    kind: integer(0, ONE_HOUR_MS),
    default: '5000',
    description:
      'How long a statement waits while another process writes to the SQLite file, in milliseconds.',
  },
  BOOTSTRAP_API_KEY: {
    kind: apiKey(),
    description:
      'An API key that exists with all scopes after the start. It may be given again on the same database.',
    secret: true,
  },
  KEY_MAX_LIFETIME_DAYS: {
    kind: integer(0, 36_500),
    default: '0',
    description:
      'How many days an API key may live; those that are there get an end 30 days from now at the earliest. 0 sets no limit.',
    example: '365',
  },
  KEY_OWNER_REQUIRED: {
    kind: boolean(),
    default: 'false',
    description: 'Whether no API key is made or rotated without an owner.',
  },
  KEY_IDLE_DAYS: {
    kind: integer(0, 36_500),
    default: '0',
    description:
      'After how many days without use an API key is disabled, with notice 14 days before. 0 disables none.',
    example: '180',
  },
  LEAK_REPORT_PUBLIC_KEYS: {
    kind: matching(/^\.{0,2}\/\S/, 'the path of a file that begins with / or ./'),
    description:
      'A file with the public keys of those who may report leaked API keys, in JSON as GitHub serves them at `https://api.github.com/meta/public_keys/secret_scanning`. With it the management port takes reports at `POST /leak-reports`, and disables the keys.',
    example: '/etc/petstore/secret-scanning-keys.json',
  },
  PUBLIC_BASE_URL: {
    kind: baseUrl(),
    description:
      'Address under which clients reach the service; absolute `Link` targets begin with it. Unset, they are built from the host of the request.',
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
      'Web origins whose pages may call the service from a browser. Empty, no CORS header is ever sent.',
    example: 'https://shop.example.com,http://localhost:8080',
  },
  LOG_LEVEL: {
    kind: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    default: 'info',
    description: 'The least severe level that is logged. Requests are logged at `info`.',
  },
  METRICS: {
    kind: boolean(),
    default: 'true',
    description:
      'Whether requests are timed for `/metrics`. Without, it still tells everything else: counters, pools and the figures of the process.',
  },
  REQUEST_LOG_DAYS: {
    kind: integer(0, 365),
    default: '7',
    description:
      'How many days requests are kept in the database, for the page Requests of the console and `petstore requests`. 0 keeps none.',
  },
  REQUEST_LOG_SAMPLE: {
    kind: integer(0, 100),
    default: '100',
    description:
      'How many of 100 successful requests are kept, and of these at most ten a second in each process. What was refused, failed, was aborted or was slow is kept whatever this says, at most a hundred a second.',
    example: '5',
  },
  SLOW_REQUEST_MS: {
    kind: integer(1, ONE_HOUR_MS),
    default: '1000',
    description:
      'From how many milliseconds on a request is slow: it is kept however it ended, with what it did and each statement on the database. So are requests that failed and, where `NODE_ENV` is `development`, all that are kept.',
  },
  REQUEST_LOG_MAX_ROWS: {
    kind: integer(1_000, 1_000_000_000),
    default: '1000000',
    description:
      'Most requests that are kept, of all nodes together; beyond that the oldest are deleted. A million takes about half a gigabyte.',
  },
  RECORD_HISTORY_DAYS: {
    kind: integer(0, 36_500),
    default: '90',
    description:
      'How many days it is kept what clients did to records, for the history of each. 0 keeps nothing of it. A million changes take about a fifth of a gigabyte.',
    example: '365',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    kind: endpointUrl(),
    description:
      'Base address of an OpenTelemetry collector that takes OTLP over HTTP. Unset, no trace is recorded and nothing of OpenTelemetry is loaded.',
    example: 'http://localhost:4318',
  },
  DEPRECATED_OPERATIONS: {
    kind: operationStates(),
    default: '',
    description:
      'State of deprecated operations by operationId; one that is not named is active. ' +
      'A removed operation responds with 410, one in brownout does so in its windows: ISO 8601 intervals with a time zone, ended by an instant or a duration.',
    example: 'getPet=brownout(2030-06-01T00:00:00Z/PT1H, 2030-07-01T00:00:00Z/2030-07-01T02:00:00Z)',
  },
  AUDIT_RETENTION_DAYS: {
    kind: integer(0, 36_500),
    default: '0',
    description: 'After how many days audit events are removed. 0 keeps them for ever.',
    example: '730',
  },
  AUDIT_ANCHOR_FILE: {
    kind: matching(/^(?:\/|[A-Za-z]:\\).*\S$/, 'the absolute path of a file'),
    description:
      'A file to which the newest hash of the audit log is added whenever events were sealed, best on another machine. `petstore audit verify --anchor` compares the log with it. Unset, that hash is in the log alone.',
    example: '/mnt/anchors/petstore.ndjson',
  },
  BACKUP_PATH: {
    kind: matching(/^(?:\/|[A-Za-z]:\\).*\S$/, 'the absolute path of a file or a folder'),
    description:
      'The folder that backups are written to, or a file that a backup touches when it has succeeded. Metrics tell when the newest was written, for the alert `PetstoreNoBackup`, which fires also where nothing is told. Unset, they tell on PostgreSQL when the write-ahead log was archived last, where it is archived, and on SQLite nothing.',
    example: '/var/backups/petstore',
  },
  HEADERS_TIMEOUT_MS: {
    kind: integer(1, ONE_HOUR_MS),
    default: '10000',
    description:
      'How long a client may take to send the headers of a request, in milliseconds; not above `REQUEST_TIMEOUT_MS`.',
  },
  REQUEST_TIMEOUT_MS: {
    kind: integer(1, ONE_HOUR_MS),
    default: '30000',
    description: 'How long a client may take to send a whole request, in milliseconds.',
  },
} as const satisfies Declaration;

export type SettingName = keyof typeof SETTINGS_DECLARATION;

/** The settings of one process, validated and frozen. */
export type Settings = InferSettings<typeof SETTINGS_DECLARATION>;
