import type { Role } from '../../../platform/config/sign-in-kinds';
import type { Settings } from '../../../platform/config/settings';

/** What sign-in by OIDC is set up with. */
export interface OidcSettings {
  readonly issuer: string;
  /** What people call the provider. */
  readonly name: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope: string;
  readonly groupsClaim: string;
  readonly roles: readonly Role[];
  /** Where browsers find the console, without a path. */
  readonly origin: string;
}

/** These settings; undefined when people sign in with API keys alone. */
export function oidcSettings(settings: Settings): OidcSettings | undefined {
  const { oidcIssuer, oidcClientId, oidcClientSecret, oidcRoles, consoleOrigin } = settings;
  // The rest is there when the issuer is: the start has made sure of it.
  if (!oidcIssuer || !oidcClientId || !oidcClientSecret || !oidcRoles || !consoleOrigin) return undefined;
  return {
    issuer: oidcIssuer,
    name: settings.oidcName,
    clientId: oidcClientId,
    clientSecret: oidcClientSecret,
    scope: settings.oidcScopes,
    groupsClaim: settings.oidcGroupsClaim,
    roles: oidcRoles,
    origin: consoleOrigin,
  };
}
