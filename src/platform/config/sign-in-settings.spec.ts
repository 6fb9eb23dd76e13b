import { loadSettings, SettingsError } from './load-settings';

const OIDC = {
  CONSOLE_ORIGIN: 'https://petstore-admin.example.com',
  OIDC_ISSUER: 'https://login.example.com/realms/company',
  OIDC_CLIENT_ID: 'petstore-console',
  OIDC_CLIENT_SECRET: 'a secret of the client',
  OIDC_ROLES: 'admins=admin:read,admin:keys; CN=support,OU=groups=admin:read',
};

function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    loadSettings(environment);
    return [];
  } catch (error) {
    return (error as SettingsError).faults;
  }
}

describe('The settings of the sign-in', () => {
  it('read the scopes of each group, with a name that may contain equals signs', () => {
    expect(loadSettings(OIDC).oidcRoles).toEqual([
      { group: 'admins', scopes: ['admin:read', 'admin:keys'] },
      { group: 'CN=support,OU=groups', scopes: ['admin:read'] },
    ]);
  });

  it.each(['CONSOLE_ORIGIN', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_ROLES'])(
    'are refused without %s',
    (name) => {
      expect(faultsOf({ ...OIDC, [name]: '' })).toEqual([`${name} must be set because OIDC_ISSUER is set.`]);
    },
  );

  it('are refused when no group may open the console', () => {
    expect(faultsOf({ ...OIDC, OIDC_ROLES: 'admins=admin:keys' })).toEqual([
      'OIDC_ROLES must give admin:read, which opens the console, to a group.',
    ]);
  });

  it('are refused when neither a person nor a key could sign in', () => {
    expect(faultsOf({ CONSOLE_KEY_SIGN_IN: 'false' })).toEqual([
      'CONSOLE_KEY_SIGN_IN must be true unless OIDC_ISSUER is set.',
    ]);
    expect(faultsOf({ ...OIDC, CONSOLE_KEY_SIGN_IN: 'false' })).toEqual([]);
  });

  it('are refused when they describe a provider without OIDC_ISSUER', () => {
    expect(faultsOf({ OIDC_ROLES: OIDC.OIDC_ROLES })).toEqual([
      'OIDC_ROLES must be empty unless OIDC_ISSUER is set.',
    ]);
  });

  it.each([
    ['OIDC_ISSUER', 'http://login.example.com'],
    ['OIDC_ISSUER', 'https://user:secret@login.example.com'],
    ['OIDC_ISSUER', 'https://login.example.com/?a=1'],
    ['CONSOLE_ORIGIN', 'http://petstore-admin.example.com'],
    ['CONSOLE_ORIGIN', 'https://petstore-admin.example.com/admin'],
    ['OIDC_ROLES', 'admins'],
    ['OIDC_ROLES', '=admin:read'],
    ['OIDC_ROLES', 'admins=read'],
    ['OIDC_ROLES', 'admins=admin:read;admins=admin:keys'],
    ['OIDC_SCOPES', 'profile'],
  ])('are refused for an unsafe or malformed %s: %s', (name, value) => {
    expect(faultsOf({ ...OIDC, [name]: value })).toEqual([expect.stringMatching(`^${name} must `)]);
  });

  it.each(['http://localhost:3001', 'http://127.0.0.1:3001', 'http://[::1]:3001'])(
    'accept a console on loopback without TLS: %s',
    (origin) => {
      expect(faultsOf({ ...OIDC, CONSOLE_ORIGIN: origin })).toEqual([]);
    },
  );
});
