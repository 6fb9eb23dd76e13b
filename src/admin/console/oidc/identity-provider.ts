import type { Person } from './person';
import type { ProviderTokens } from './sealed-tokens';
import type { SignInAttempt } from './sign-in-attempt';

/** What the provider says of a person who is signed in there. */
export interface ProvidedSession {
  readonly person: Person;
  readonly tokens: ProviderTokens;
  /** The session at the provider (`sid`); null where it tells none. */
  readonly providerSession: string | null;
}

/** A sign-in that is completed with a browser elsewhere (RFC 8628, 3.2). */
export interface DeviceSignIn {
  /** What the provider is asked with; it leads to nothing without the secret of the client. */
  readonly deviceCode: string;
  readonly userCode: string;
  /** The page on which the person enters the code. */
  readonly address: string;
  /** The same page with the code filled in; null where the provider has none. */
  readonly addressWithCode: string | null;
  /** How long the codes are good for, in seconds. */
  readonly expiresIn: number;
  /** How long to wait from one question to the next, in seconds. */
  readonly interval: number;
}

/** What a provider says of a sign-in that the person has not completed. */
export type DeviceSignInDelay = 'pending' | 'slow_down';

/** A logout that the provider tells of: of one of its sessions, or of all of a person. */
export interface ProviderLogout {
  /** The same for no other logout of the provider. */
  readonly id: string;
  readonly subject: string | undefined;
  readonly providerSession: string | undefined;
}

/**
 * The OIDC provider that people sign in by; injected as undefined when there is none. Each method throws a ProviderAwayError when the
 * provider does not respond.
 */
export abstract class IdentityProvider {
  abstract readonly issuer: string;
  /** What people call it. */
  abstract readonly name: string;
  /** The web origin of the console that it leads back to. */
  abstract readonly origin: string;

  /** Where a browser goes to sign in. */
  abstract authorizationUrl(attempt: SignInAttempt): Promise<string>;

  /**
   * Reads the response of a sign-in.
   *
   * @param response the address that the provider led the browser to
   * @throws SignInRefusedError
   */
  abstract signIn(response: URL, attempt: SignInAttempt): Promise<ProvidedSession>;

  /** Begins a sign-in for a device without a browser. @throws SignInRefusedError where the provider offers none */
  abstract beginDeviceSignIn(): Promise<DeviceSignIn>;

  /**
   * Asks once what has become of it.
   *
   * @throws SignInRefusedError
   */
  abstract continueDeviceSignIn(deviceCode: string): Promise<ProvidedSession | DeviceSignInDelay>;

  /**
   * Asks what has become of a person who has signed in.
   *
   * @throws SignInRefusedError when the provider has ended their session, or says something else of them; a response that is
   * not the provider's counts as none
   */
  abstract refresh(tokens: ProviderTokens, subject: string): Promise<ProvidedSession>;

  /** Makes the refresh token useless (RFC 7009), where there is one and the provider can. @throws SignInRefusedError */
  abstract revoke(tokens: ProviderTokens): Promise<void>;

  /** Where a browser goes to end the session at the provider as well; undefined when the provider has no such page. */
  abstract endSessionUrl(tokens: ProviderTokens): Promise<string | undefined>;

  /** @throws SignInRefusedError when the token is no logout token of the provider for this console */
  abstract readLogout(token: string): Promise<ProviderLogout>;
}
