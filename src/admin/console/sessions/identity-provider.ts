import type { ProviderTokens } from './sealed-tokens';

/** A person, as the OIDC provider describes them. */
export interface Person {
  /** The permanent identifier at the provider (`sub`). */
  readonly subject: string;
  readonly name: string;
  /** Scopes that their groups give them in the console, sorted. */
  readonly scopes: readonly string[];
}

/**
 * A sign-in that a browser has begun. A cookie in the browser holds a random secret. Everything that ties the response of the
 * provider to this browser is derived from the secret, so nothing is stored here.
 */
export interface SignInAttempt {
  readonly state: string;
  readonly nonce: string;
  /** The code verifier of PKCE (RFC 7636). */
  readonly verifier: string;
  /** The page to return to after the sign-in. */
  readonly returnPath: string;
}

/** The provider's statements about a person who is signed in there. */
export interface ProvidedSession {
  readonly person: Person;
  readonly tokens: ProviderTokens;
  /** The session at the provider (`sid`); null if the provider names no session. */
  readonly providerSession: string | null;
}

/** A logout that the provider reports: of one of its sessions, or of all sessions of a person. */
export interface ProviderLogout {
  /** The id, unique among the logouts of the provider. */
  readonly id: string;
  readonly subject: string | undefined;
  readonly providerSession: string | undefined;
}

/**
 * The OIDC provider that people sign in by; undefined is injected if people sign in with API keys alone. Every method throws a
 * ProviderAwayError if the provider does not respond, or with a status of 429 or from 500 on.
 */
export abstract class IdentityProvider {
  abstract readonly issuer: string;
  /** The host of the provider, by which people know it. */
  abstract readonly name: string;
  /** The web origin of the console, to which the provider sends browsers back. */
  abstract readonly origin: string;

  /** Builds the address to which a browser goes to sign in. */
  abstract authorizationUrl(attempt: SignInAttempt): Promise<string>;

  /**
   * Reads the response of a sign-in.
   *
   * @param response the address to which the provider sent the browser
   * @throws SignInRefusedError
   */
  abstract signIn(response: URL, attempt: SignInAttempt): Promise<ProvidedSession>;

  /**
   * Asks for the present state of a person who has signed in.
   *
   * @param keep stores a new refresh token, which has to happen before anything else is asked
   * @throws SignInRefusedError if the provider responds with anything but that state, other than a status of 429 or from 500 on
   */
  abstract refresh(
    tokens: ProviderTokens,
    subject: string,
    keep: (tokens: ProviderTokens) => Promise<void>,
  ): Promise<ProvidedSession>;

  /** Revokes the refresh token (RFC 7009), if there is one and the provider can. @throws SignInRefusedError */
  abstract revoke(tokens: ProviderTokens): Promise<void>;

  /**
   * Builds the address at which a browser ends the session at the provider as well; undefined if the provider has no such page.
   */
  abstract endSessionUrl(tokens: ProviderTokens): Promise<string | undefined>;

  /** Reads a logout token. @throws SignInRefusedError if the token is not a logout token of the provider for this console */
  abstract readLogout(token: string): Promise<ProviderLogout>;
}
