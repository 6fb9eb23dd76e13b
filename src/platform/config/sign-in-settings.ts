import type { SettingsDeclaration, InferSettings } from './setting';
import { boolean, matching } from './setting-kinds';
import { consoleOrigin, issuerUrl, roles } from './sign-in-kinds';

/** Settings of the sign-in to the console. */
export const SIGN_IN_SETTINGS = {
  CONSOLE_ORIGIN: {
    kind: consoleOrigin(),
    description:
      'Web origin under which people open the console. Sign-in by OIDC needs it: the provider redirects to `/admin/sign-in/oidc/callback` there.',
    example: 'https://petstore-admin.example.com',
  },
  CONSOLE_KEY_SIGN_IN: {
    kind: boolean(),
    default: 'true',
    description:
      'Whether people can sign in to the console with API keys. Where OIDC is set up, keys are for emergencies: each sign-in with a key is logged as a warning, audited and shown.',
  },
  OIDC_ISSUER: {
    kind: issuerUrl(),
    description:
      'The OpenID Connect provider by which people sign in to the console, such as Keycloak, Entra ID or Okta. Unset, they sign in with API keys.',
    example: 'https://login.example.com/realms/company',
  },
  OIDC_CLIENT_ID: {
    kind: matching(/^\w[\x21-\x7e]*$/, 'a client id, which begins with a letter or a digit'),
    description: 'Client id of the console at the provider.',
    example: 'petstore-console',
  },
  OIDC_CLIENT_SECRET: {
    kind: matching(/^[\x20-\x7e]{8,}$/, 'a client secret of at least 8 characters'),
    description: 'Client secret of the console at the provider.',
    secret: true,
    example: 'change-me',
  },
  OIDC_SCOPES: {
    kind: matching(/^openid( [\x21\x23-\x5b\x5d-\x7e]+)*$/, 'openid, then other scopes, separated by spaces'),
    default: 'openid profile email',
    description:
      'Scopes requested from the provider. Entra ID and Okta issue a refresh token only for `offline_access`; without one, a session lasts five minutes.',
    example: 'openid profile email offline_access',
  },
  OIDC_GROUPS_CLAIM: {
    kind: matching(/^\w[\w.:/-]*$/, 'the name of a claim'),
    default: 'groups',
    description:
      'Name of the claim with the groups of a person, in the ID token or in the userinfo response.',
  },
  OIDC_ROLES: {
    kind: roles(),
    description:
      'Scopes of the members of each group. A person in several groups has the scopes of all of them; a person in none of them cannot sign in.',
    example: 'petstore-admins=admin:read,admin:pets,admin:keys;support=admin:read',
  },
} as const satisfies SettingsDeclaration;

type SignInSettings = InferSettings<typeof SIGN_IN_SETTINGS>;

/** Settings that sign-in by OIDC needs, and that mean nothing without it. */
const NEEDED = {
  OIDC_CLIENT_ID: 'oidcClientId',
  OIDC_CLIENT_SECRET: 'oidcClientSecret',
  OIDC_ROLES: 'oidcRoles',
} as const;

/** Returns the faults between these settings. A faulty member is missing here and is not judged. */
export function signInFaults(settings: Partial<SignInSettings>): string[] {
  if (!('oidcIssuer' in settings)) return [];
  if (settings.oidcIssuer === undefined) {
    const given = Object.entries(NEEDED).filter(([, member]) => settings[member] !== undefined);
    const faults = given.map(([name]) => `${name} must be empty unless OIDC_ISSUER is set.`);
    if (settings.consoleKeySignIn !== false) return faults;
    return [...faults, 'CONSOLE_KEY_SIGN_IN must be true unless OIDC_ISSUER is set.'];
  }
  const faults = Object.entries({ ...NEEDED, CONSOLE_ORIGIN: 'consoleOrigin' } as const)
    .filter(([, member]) => member in settings && settings[member] === undefined)
    .map(([name]) => `${name} must be set because OIDC_ISSUER is set.`);
  const isClosed = settings.oidcRoles?.every(({ scopes }) => !scopes.includes('admin:read'));
  return isClosed
    ? [...faults, 'OIDC_ROLES must give admin:read, which opens the console, to a group.']
    : faults;
}
