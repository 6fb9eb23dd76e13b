import { type Environment, loadSettings } from './load-settings';
import { misspeltNames } from './misspelt-names';
import { integer, matching } from './setting-kinds';
import type { Setting } from './setting';
import { SETTINGS_DECLARATION } from './settings';

const FEATURES = [
  {
    owner: 'OrdersModule',
    settings: {
      ORDERS_PER_DAY: { kind: integer(1, 9), default: '3', description: 'Orders of a day.' },
      ORDERS_TOKEN: { kind: matching(/^\w+$/, 'a word'), description: 'A token.', secret: true as const },
    },
  },
];

const misspelt = (...names: string[]) =>
  misspeltNames(loadSettings(Object.fromEntries(names.map((name) => [name, '?'])), FEATURES));

describe('A variable', () => {
  it.each([
    ['RATE_LIMIT_PER_MINUT', 'RATE_LIMIT_PER_MINUTE'],
    ['RATELIMIT_PERMINUTE', 'RATE_LIMIT_PER_MINUTE'],
    ['RATE-LIMIT-PER-MINUTE', 'RATE_LIMIT_PER_MINUTE'],
    ['database_url', 'DATABASE_URL'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_URL_FIL', 'DATABASE_URL_FILE'],
    ['REDIS_URI', 'REDIS_URL'],
    ['PORTS', 'PORT'],
    ['ORDER_PER_DAY', 'ORDERS_PER_DAY'],
    ['ORDERS_TOKEN_FILES', 'ORDERS_TOKEN_FILE'],
  ])('%s is taken for a misspelt %s', (name, meant) => {
    expect(misspelt(name)).toEqual([{ name, meant }]);
  });

  it('of another program is not', () => {
    const others = [
      ...['HOME', 'HOSTNAME', 'LOGNAME', 'PATH', 'PWD', 'USER', 'TERM', 'LANG', 'TZ', 'CI', 'NO_COLOR'],
      ...['NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS', 'npm_lifecycle_event', 'PETSTORE_API_KEY'],
      ...['PETSTORE_PORT', 'PETSTORE_SERVICE_HOST', 'PETSTORE_SERVICE_PORT', 'REDIS_PORT', 'DATABASE_PORT'],
      ...['PGHOST', 'PGPORT', 'PGUSER', 'POSTGRES_PASSWORD', 'COMPOSE_PROJECT_NAME', 'KUBERNETES_PORT'],
      ...['OTEL_SERVICE_NAME', 'OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TIMEOUT'],
    ];
    expect(misspelt(...others)).toEqual([]);
  });

  it('of a setting, or without a value, is not', () => {
    const examples = Object.entries<Setting>(SETTINGS_DECLARATION).map(
      ([name, { example }]) => [name, example] as const,
    );
    const given: Environment = Object.fromEntries(examples);
    expect(misspeltNames(loadSettings(given, FEATURES))).toEqual([]);
    expect(misspeltNames(loadSettings({ RATE_LIMIT_PER_MINUT: '' }))).toEqual([]);
  });
});
