import type { createRemoteJWKSet, JWTPayload, JWTVerifyOptions } from 'jose';
import type {
  ClientAuth,
  Configuration,
  TokenEndpointResponse,
  TokenEndpointResponseHelpers,
} from 'openid-client';
import {
  IdentityProvider,
  type ProvidedSession,
  type ProviderLogout,
  type SignInAttempt,
} from '../sessions/identity-provider';
import { ProviderAwayError, SignInRefusedError } from '../sessions/identity-provider.errors';
import type { OidcSettings } from './oidc-settings';
import { logoutOf } from './logout-token';
import { type Claims, isWhole, readPerson } from './person';
import { fetchFromProvider, isAway } from './provider-fetch';
import type { ProviderTokens } from '../sessions/sealed-tokens';

/** Type of openid-client. It and jose take time and memory, so they are loaded only when a provider is asked. */
type OpenidClient = typeof import('openid-client');
type Tokens = TokenEndpointResponse & TokenEndpointResponseHelpers;

/** The provider's description of itself. */
interface Discovered {
  readonly client: OpenidClient;
  readonly configuration: Configuration;
  readonly keys: ReturnType<typeof createRemoteJWKSet>;
  /** Time of `performance.now()` at which the provider is asked again. */
  readonly until: number;
}

/** Time limit for a response of the provider. */
const TIMEOUT_MS = 5_000;
const DISCOVERY_MS = 3_600_000;
/** Tolerance for the provider's clock, in seconds; openid-client allows as much. */
const CLOCK_TOLERANCE_S = 30;
/** Maximum age of a logout token. Tokens that were carried out are remembered for longer. */
const LOGOUT_TOKEN_AGE = '10m';
/** Milliseconds between two requests for keys because of logout tokens, which anybody may send. */
const KEYS_RELOAD_MS = 5_000;
/** Algorithms that need the private key of the provider. With HS256 its public key could be taken for a secret. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** An OIDC provider, accessed with openid-client. */
export class OpenidProvider extends IdentityProvider {
  readonly issuer = this.settings.issuer;
  readonly name = this.settings.name;
  readonly origin = this.settings.origin;
  private discovered: Discovered | undefined;
  /** The last request for keys because of a logout token, and the time of `performance.now()` until which there is no other. */
  private reload: { readonly done: Promise<void>; readonly until: number } | undefined;

  constructor(private readonly settings: OidcSettings) {
    super();
  }

  authorizationUrl({ state, nonce, verifier }: SignInAttempt): Promise<string> {
    return this.ask(async ({ client, configuration }) => {
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: `${this.origin}/admin/sign-in/oidc/callback`,
        scope: this.settings.scope,
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      return url.href;
    });
  }

  signIn(response: URL, { state, nonce, verifier }: SignInAttempt): Promise<ProvidedSession> {
    return this.ask(async (discovered) => {
      const { client, configuration } = discovered;
      const tokens = await client.authorizationCodeGrant(configuration, response, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      return this.sessionOf(discovered, tokens);
    });
  }

  refresh(
    { idToken, refreshToken = '' }: ProviderTokens,
    subject: string,
    keep: (tokens: ProviderTokens) => Promise<void>,
  ): Promise<ProvidedSession> {
    return this.ask(async (discovered) => {
      const issued = await discovered.client.refreshTokenGrant(discovered.configuration, refreshToken);
      // Providers need not issue a new refresh token. If they do, the former one is used up, whatever fails from here on.
      const renewed = issued.refresh_token ?? refreshToken;
      if (renewed !== refreshToken) await keep({ idToken, refreshToken: renewed });
      const session = await this.sessionOf(discovered, issued, subject);
      return { ...session, tokens: { idToken, refreshToken, ...session.tokens } };
    });
  }

  revoke({ refreshToken }: ProviderTokens): Promise<void> {
    return this.ask(async ({ client, configuration }) => {
      const isOffered = configuration.serverMetadata().revocation_endpoint !== undefined;
      if (refreshToken === undefined || !isOffered) return;
      await client.tokenRevocation(configuration, refreshToken, { token_type_hint: 'refresh_token' });
    });
  }

  endSessionUrl({ idToken }: ProviderTokens): Promise<string | undefined> {
    return this.ask(({ client, configuration }) => {
      if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined;
      const parameters = {
        ...(idToken !== undefined && { id_token_hint: idToken }),
        post_logout_redirect_uri: `${this.origin}/admin/sign-in`,
      };
      return client.buildEndSessionUrl(configuration, parameters).href;
    });
  }

  readLogout(token: string): Promise<ProviderLogout> {
    return this.ask(async (discovered) => {
      const reload = () => this.reloadSeldom(discovered);
      const payload = await this.verified(discovered, token, reload, {
        requiredClaims: ['exp', 'iat', 'jti'],
        maxTokenAge: LOGOUT_TOKEN_AGE,
      });
      return logoutOf(payload);
    });
  }

  /** Verifies a token of the provider for this console, with a key that the provider may have begun to use just now. */
  private async verified(
    { keys }: Discovered,
    token: string,
    // jose asks for keys again only after a while.
    reload = () => keys.reload(),
    more?: JWTVerifyOptions,
  ): Promise<JWTPayload> {
    const { jwtVerify, errors } = await import('jose');
    const options = {
      algorithms: ALGORITHMS,
      issuer: this.issuer,
      audience: this.settings.clientId,
      clockTolerance: CLOCK_TOLERANCE_S,
      ...more,
    };
    try {
      return (await jwtVerify(token, keys, options)).payload;
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await reload();
      return (await jwtVerify(token, keys, options)).payload;
    }
  }

  /** Asks for keys again, unless that was done a moment ago: the name of a key is what a stranger says. */
  private reloadSeldom({ keys }: Discovered): Promise<void> {
    const now = performance.now();
    if (!this.reload || now >= this.reload.until) {
      this.reload = { done: keys.reload(), until: now + KEYS_RELOAD_MS };
    }
    return this.reload.done;
  }

  /** Reads the session from tokens. @param subject the subject that the tokens must have; by default that of the ID token */
  private async sessionOf(
    discovered: Discovered,
    tokens: Tokens,
    subject = tokens.claims()?.sub ?? '',
  ): Promise<ProvidedSession> {
    const { client, configuration } = discovered;
    // openid-client checks the claims, and not the signature of an ID token that comes over TLS.
    if (tokens.id_token !== undefined) await this.verified(discovered, tokens.id_token);
    const ofIdToken: Claims = tokens.claims() ?? { sub: subject };
    this.assertMeant(ofIdToken);
    if (ofIdToken['sub'] !== subject) throw new SignInRefusedError();
    const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined;
    const claims =
      hasUserInfo && !isWhole(ofIdToken, this.settings)
        ? { ...(await client.fetchUserInfo(configuration, tokens.access_token, subject)), ...ofIdToken }
        : ofIdToken;
    const sid = ofIdToken['sid'];
    return {
      person: readPerson(claims, this.settings),
      tokens: {
        ...(tokens.id_token !== undefined && { idToken: tokens.id_token }),
        ...(tokens.refresh_token !== undefined && { refreshToken: tokens.refresh_token }),
      },
      providerSession: typeof sid === 'string' ? sid : null,
    };
  }

  /**
   * Checks what openid-client does not: the client that an ID token with one audience is for, and that it was not issued in the
   * future.
   */
  private assertMeant({ azp, iat }: Claims): void {
    if (azp !== undefined && azp !== this.settings.clientId) {
      throw new Error('The ID token was issued to another client (azp).');
    }
    if (typeof iat === 'number' && iat > Date.now() / 1_000 + CLOCK_TOLERANCE_S) {
      throw new Error('The ID token was issued in the future (iat).');
    }
  }

  /** Runs work that needs the provider, and translates its errors. */
  private async ask<T>(work: (discovered: Discovered) => T | Promise<T>): Promise<T> {
    try {
      return await work(await this.discover());
    } catch (error) {
      throw this.inOurWords(error);
    }
  }

  private async discover(): Promise<Discovered> {
    if (this.discovered && performance.now() < this.discovered.until) return this.discovered;
    const [client, jose] = await Promise.all([import('openid-client'), import('jose')]);
    const { issuer, clientId, clientSecret } = this.settings;
    const authentication = authenticationWith(client, clientSecret);
    // The settings allow an address of http only for a provider on loopback.
    // oxlint-disable-next-line typescript/no-deprecated
    const execute = issuer.startsWith('http:') ? [client.allowInsecureRequests] : [];
    const configuration = await client.discovery(new URL(issuer), clientId, clientSecret, authentication, {
      [client.customFetch]: fetchFromProvider,
      timeout: TIMEOUT_MS / 1_000,
      execute,
    });
    const { jwks_uri: keysUrl } = configuration.serverMetadata();
    if (keysUrl === undefined) throw new Error('The OIDC provider does not name a jwks_uri.');
    const keys = jose.createRemoteJWKSet(new URL(keysUrl), {
      [jose.customFetch]: fetchFromProvider,
      timeoutDuration: TIMEOUT_MS,
    });
    this.discovered = { client, configuration, keys, until: performance.now() + DISCOVERY_MS };
    return this.discovered;
  }

  private inOurWords(error: unknown): Error {
    if (error instanceof SignInRefusedError) return error;
    if (isAway(error)) {
      const message = `${this.name} does not respond, so you cannot sign in at the moment.`;
      return new ProviderAwayError({ message, cause: error });
    }
    const client = this.discovered?.client;
    const message =
      client && error instanceof client.AuthorizationResponseError
        ? `The sign-in was not completed at ${this.name}.`
        : `The response of ${this.name} could not be verified, so you are not signed in.`;
    return new SignInRefusedError({ message, cause: error });
  }
}

/** Picks the client authentication: the one that every provider of OpenID Connect has, unless this provider says otherwise. */
function authenticationWith(client: OpenidClient, secret: string): ClientAuth {
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  return (server, ...parts) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...parts);
  };
}
