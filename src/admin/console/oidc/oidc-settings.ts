import type { Role } from '../../../platform/config/sign-in-kinds';
import type { Settings } from '../../../platform/config/settings';

/** Settings of the sign-in by OIDC. */
export interface OidcSettings {
  readonly issuer: string;
  /** The host of the provider, by which people know it. */
  readonly name: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope: string;
  readonly groupsClaim: string;
  readonly roles: readonly Role[];
  /** The origin at which browsers find the console, without a path. */
  readonly origin: string;
}

/** Picks these settings; undefined if people sign in with API keys alone. */
export function oidcSettings(settings: Settings): OidcSettings | undefined {
  const { oidcIssuer, oidcClientId, oidcClientSecret, oidcRoles, consoleOrigin } = settings;
  // The start has made sure that the others are set if the issuer is.
  if (!oidcIssuer || !oidcClientId || !oidcClientSecret || !oidcRoles || !consoleOrigin) return undefined;
  return {
    issuer: oidcIssuer,
    name: new URL(oidcIssuer).host,
    clientId: oidcClientId,
    clientSecret: oidcClientSecret,
    scope: settings.oidcScopes,
    groupsClaim: settings.oidcGroupsClaim,
    roles: oidcRoles,
    origin: consoleOrigin,
  };
}
