import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
} from 'jose';
import { CLIENT, originAt } from './oidc-provider';

interface SigningKey {
  readonly key: CryptoKey;
  readonly published: JWK & { readonly kid: string };
}

async function signingKey(): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const published = { ...(await exportJWK(publicKey)), kid: crypto.randomUUID(), alg: 'RS256', use: 'sig' };
  return { key: privateKey, published };
}

/** What a token is made of. */
export interface Forgery {
  readonly claims: JWTPayload;
  readonly header: JWTHeaderParameters;
  readonly key: CryptoKey | Uint8Array;
}

/** Makes one of another. */
export type Forge = (token: Forgery, provider: ForgingProvider) => Forgery;

/** A provider on loopback that signs what it is told to, and responds to the request for tokens with what it is given. */
export class ForgingProvider {
  /** The response of its token endpoint. */
  tokens: { readonly status: number; readonly body: string } = { status: 500, body: '' };
  /** The response of its userinfo endpoint. */
  userinfo: JWTPayload = {};
  /** Tokens that it was told to revoke. */
  readonly revoked: string[] = [];
  /** How it responds to that: not at all where it is undefined. */
  revocationStatus: number | undefined = 200;
  /** Refresh tokens that it was sent, in order. */
  readonly refreshed: string[] = [];
  /** Paths whose every response is 503. */
  readonly outages = new Set<string>();
  /** How often it was asked for its keys. */
  keyRequests = 0;
  issuer = '';
  private readonly server = createServer((request, response) => this.respond(request, response));

  private constructor(
    readonly strangersKey: CryptoKey,
    private current: SigningKey,
  ) {}

  static async start(): Promise<ForgingProvider> {
    const stranger = await generateKeyPair('RS256', { extractable: true });
    const provider = new ForgingProvider(stranger.privateKey, await signingKey());
    provider.server.listen(0, '127.0.0.1');
    await once(provider.server, 'listening');
    provider.issuer = originAt((provider.server.address() as AddressInfo).port);
    return provider;
  }

  /** Begins to use another key, and publishes it alone. */
  async rotateKey(): Promise<void> {
    this.current = await signingKey();
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** What secrets an attacker could make of what is public: the published key, as text. */
  get publishedText(): Uint8Array {
    return Buffer.from(JSON.stringify(this.current.published));
  }

  /** An ID token that is right, to be forged from. */
  idToken(nonce: string): Forgery {
    return {
      key: this.current.key,
      header: { alg: 'RS256', kid: this.current.published.kid },
      claims: {
        iss: this.issuer,
        aud: CLIENT.id,
        sub: '248289',
        sid: 'their session',
        iat: now(),
        exp: now() + 300,
        nonce,
        name: 'Ana Lima',
        groups: ['admins'],
      },
    };
  }

  /** A logout token that is right, of the same person. */
  logoutToken(): Forgery {
    return {
      key: this.current.key,
      header: { alg: 'RS256', kid: this.current.published.kid, typ: 'logout+jwt' },
      claims: {
        iss: this.issuer,
        aud: CLIENT.id,
        sub: '248289',
        sid: 'their session',
        iat: now(),
        exp: now() + 120,
        jti: crypto.randomUUID(),
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
      },
    };
  }

  /** Makes its token endpoint respond with this ID token. */
  give(idToken: string | undefined, more: object = {}): void {
    const body = {
      access_token: 'access',
      token_type: 'Bearer',
      expires_in: 300,
      id_token: idToken,
      ...more,
    };
    this.tokens = { status: 200, body: JSON.stringify(body) };
  }

  private async noteRefresh(request: IncomingMessage): Promise<void> {
    const token = new URLSearchParams(await text(request)).get('refresh_token');
    if (token !== null) this.refreshed.push(token);
  }

  private async revoke(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.revoked.push(new URLSearchParams(await text(request)).get('token') ?? '');
    if (this.revocationStatus !== undefined) response.writeHead(this.revocationStatus).end();
  }

  private respond(request: IncomingMessage, response: ServerResponse): void {
    const { url = '' } = request;
    const json = (status: number, body: unknown) =>
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(typeof body === 'string' ? body : JSON.stringify(body));
    const { issuer } = this;
    if (url === '/jwks') this.keyRequests += 1;
    if (this.outages.has(url)) response.writeHead(503).end();
    else if (url.startsWith('/.well-known/')) {
      json(200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
        revocation_endpoint: `${issuer}/revoke`,
        jwks_uri: `${issuer}/jwks`,
        id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
        authorization_response_iss_parameter_supported: true,
      });
    } else if (url === '/jwks') json(200, { keys: [this.current.published] });
    else if (url === '/userinfo') json(200, this.userinfo);
    else if (url === '/revoke') void this.revoke(request, response);
    else if (url === '/token') {
      void this.noteRefresh(request).then(() => json(this.tokens.status, this.tokens.body));
    } else json(404, {});
  }
}

/** The token that is made of it; one of the algorithm `none` has no signature. */
export async function sign({ claims, header, key }: Forgery): Promise<string> {
  if (header.alg !== 'none') return new SignJWT(claims).setProtectedHeader(header).sign(key);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part(header)}.${part(claims)}.`;
}

/** The time now, in seconds. */
export function now(): number {
  return Math.floor(Date.now() / 1_000);
}

/** Changes some claims. */
export const claims =
  (change: object) =>
  (token: Forgery): Forgery => ({ ...token, claims: { ...token.claims, ...change } });
const header =
  (change: object) =>
  (token: Forgery): Forgery => ({ ...token, header: { ...token.header, ...change } });
const signedBy =
  (alg: string, key: (provider: ForgingProvider) => Forgery['key']): Forge =>
  (token, provider) => ({ ...header({ alg })(token), key: key(provider) });

/** What makes a token of the provider one that it did not make, or made for something else. */
export const FORGERIES: readonly [what: string, forge: Forge][] = [
  ['of the algorithm none', header({ alg: 'none' })],
  ['of the algorithm NONE', (token) => header({ alg: 'none' })(header({ kid: undefined })(token))],
  ['with a secret made of the public key', signedBy('HS256', ({ publishedText }) => publishedText)],
  ['with the client secret', signedBy('HS256', () => Buffer.from(CLIENT.secret.padEnd(32, ' ')))],
  ['with the key of a stranger', signedBy('RS256', ({ strangersKey }) => strangersKey)],
  ['with an unknown key', header({ kid: 'another key' })],
  ['of another issuer', claims({ iss: 'https://login.example.com' })],
  ['of the issuer with a slash', (token) => claims({ iss: `${token.claims.iss}/` })(token)],
  ['without an issuer', claims({ iss: undefined })],
  ['for another client', claims({ aud: 'another client' })],
  ['for no client', claims({ aud: undefined })],
  ['that has expired', claims({ iat: now() - 400, exp: now() - 100 })],
  ['that never expires', claims({ exp: undefined })],
  ['that is not valid yet', claims({ nbf: now() + 300 })],
  ['that was issued an hour ahead', claims({ iat: now() + 3_600, exp: now() + 7_200 })],
];
