import { parseEnv } from 'node:util';
import { loadSettings } from './load-settings';
import { Setting } from './setting';
import { integer, matching } from './setting-kinds';
import { SETTINGS_DECLARATION } from './settings';
import { renderEnvExample, renderSettingsPage } from './settings-docs';

const declared = Object.entries<Setting>(SETTINGS_DECLARATION);
const names = declared.map(([name]) => name);

describe('.env.example', () => {
  const text = renderEnvExample();

  it('holds each setting exactly once with its default, commented out', () => {
    expect(text.match(/^# [A-Z_]+=.*$/gm)).toEqual(
      declared.map(([name, setting]) => `# ${name}=${setting.default ?? ''}`),
    );
    expect(parseEnv(text)).toEqual({});
  });

  it('gives the defaults when every line is switched on', () => {
    const env = parseEnv(text.replace(/^# (?=[A-Z_]+=)/gm, ''));
    expect(Object.keys(env)).toHaveLength(names.length);
    expect(loadSettings(env)).toEqual(loadSettings({}));
  });

  it('holds examples that are valid as they stand in the file', () => {
    const examples = [...text.matchAll(/^# Example: (.*)\n# ([A-Z_]+)=/gm)];
    expect(examples).toHaveLength(declared.filter(([, { example }]) => example).length);
    // Replicas need a server to be replicas of, and the settings of OIDC need each other.
    const beside: Record<string, string | undefined> = { DATABASE_URL: 'postgres://localhost/petstore' };
    for (const [, example, name] of examples) if (/^(OIDC|CONSOLE)_/.test(name!)) beside[name!] = example;
    for (const [, example, name] of examples) {
      const read = parseEnv(`${name}=${example}`);
      expect(loadSettings({ ...beside, ...read })).toEqual(loadSettings({ ...beside, [name!]: example }));
    }
  });

  it('says what each setting does and which values it allows, in lines of at most 100 characters', () => {
    const prose = text.replaceAll('\n# ', ' ');
    for (const [name, { description, kind, secret }] of declared) {
      const file = secret ? ` ${name}_FILE names a file that holds it instead.` : '';
      expect(prose).toContain(`${description.replaceAll('`', '')}${file} Allowed: ${kind.allowed}.`);
    }
    const wide = text.split('\n').filter((line) => line.length > 100 && !line.startsWith('# Example: '));
    expect(wide).toEqual([]);
  });
});

describe('the page of the settings', () => {
  const page = renderSettingsPage();

  it('holds each setting exactly once, under a heading of its own, with what it means', () => {
    expect([...page.matchAll(/^## (.*)$/gm)].map(([, name]) => name)).toEqual(names);
    for (const [name, { description }] of declared) {
      expect(page).toContain(`## ${name}\n\n${description}`);
    }
  });
});

describe('the settings of a feature', () => {
  const feature = {
    owner: 'OrdersModule',
    settings: {
      ORDERS_PER_DAY: { kind: integer(1, 9), default: '3', description: 'Orders of a day.', example: '5' },
      ORDERS_TOKEN: { kind: matching(/^\w+$/, 'a word'), description: 'A token.', secret: true },
    },
  } as const;

  it('stand behind those of the service, with the module that declares them', () => {
    expect(renderEnvExample([feature])).toBe(`${renderEnvExample()}
# Orders of a day.
# Allowed: an integer from 1 to 9.
# Of: OrdersModule
# Example: 5
# ORDERS_PER_DAY=3

# A token. ORDERS_TOKEN_FILE names a file that holds it instead.
# Allowed: a word.
# Of: OrdersModule
# ORDERS_TOKEN=
`);
    expect(renderSettingsPage([feature])).toContain(
      '\n## ORDERS_PER_DAY\n\nOrders of a day.\n\n- Default: `3`\n- Allowed: an integer from 1 to 9\n- Example: `5`\n- Of: `OrdersModule`\n',
    );
  });
});
