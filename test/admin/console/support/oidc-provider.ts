import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseSetCookie } from 'cookie';
import { exportJWK, generateKeyPair } from 'jose';
import { Provider } from 'oidc-provider';
import type { Engine } from '../../../support/databases/databases';
import { freePort } from '../../../support/processes/free-port';
import { startTestService, type TestService } from '../../../support/service/service';

/** A person that the provider knows. */
export interface Account {
  readonly name: string;
  groups: string[];
}

/** A real OIDC provider on loopback, which signs in without asking. */
export interface TestProvider {
  readonly issuer: string;
  /** By their subject. */
  readonly accounts: Map<string, Account>;
  /** Subject of the person at the browser. */
  visitor: string;
  /** The status of every response while it is set. */
  outage: number | undefined;
  /** Whether it gives refresh tokens. */
  givesRefreshTokens: boolean;
  /** How often it was asked for tokens. */
  tokenRequests: number;
  /** How often it was asked to revoke one. */
  revocations: number;
  stop(): Promise<void>;
}

export const CLIENT = { id: 'petstore-console', secret: 'secret of the console & more' } as const;

/** Settings of a console that signs people in by a provider. */
export function oidcEnvironment(issuer: string, managementPort: number): Record<string, string> {
  return {
    MANAGEMENT_PORT: String(managementPort),
    CONSOLE_ORIGIN: originAt(managementPort),
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    OIDC_ROLES: 'admins=admin:read,admin:pets,admin:keys; support=admin:read; guests=admin:pets',
  };
}

export function originAt(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/**
 * @param consolePort where the console is that it leads back to
 * @param port where it listens; any free one unless given
 */
export async function startProvider(consolePort: number, port = 0): Promise<TestProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const issuer = originAt((server.address() as AddressInfo).port);
  const test: TestProvider = {
    issuer,
    accounts: new Map(),
    visitor: '',
    outage: undefined,
    givesRefreshTokens: true,
    tokenRequests: 0,
    revocations: 0,
    async stop() {
      jest.restoreAllMocks();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  // It says of each part of it that it is not for production.
  for (const method of ['info', 'warn'] as const) jest.spyOn(console, method).mockImplementation();
  const provider = await makeProvider(test, originAt(consolePort));
  const handle = provider.callback();
  server.on('request', (request, response) => {
    if (request.url === '/token') test.tokenRequests += 1;
    if (request.url === '/token/revocation') test.revocations += 1;
    if (test.outage !== undefined) {
      response.writeHead(test.outage).end();
    } else if (request.url?.startsWith('/interaction/')) {
      void provider.interactionFinished(request, response, { login: { accountId: test.visitor } });
    } else {
      void handle(request, response);
    }
  });
  return test;
}

async function makeProvider(test: TestProvider, origin: string): Promise<Provider> {
  const { issuer, accounts } = test;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const provider: Provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${origin}/admin/sign-in/oidc/callback`],
        post_logout_redirect_uris: [`${origin}/admin/sign-in`],
        grant_types: ['authorization_code', 'refresh_token'],
        backchannel_logout_uri: `${origin}/admin/back-channel-logout`,
        backchannel_logout_session_required: true,
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' }] },
    cookies: { keys: ['cookies of the test'] },
    claims: { openid: ['sub', 'groups'], profile: ['name'] },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      revocation: { enabled: true },
    },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    issueRefreshToken: () => test.givesRefreshTokens,
    // Its own dispatcher lets it call no address on loopback, where the console is.
    fetch: (url, options) => fetch(url, { ...options, dispatcher: undefined }),
    rotateRefreshToken: true,
    findAccount: (_, accountId) => {
      const account = accounts.get(accountId);
      return account && { accountId, claims: () => ({ sub: accountId, ...account }) };
    },
    async loadExistingGrant({ oidc }) {
      const grant = new provider.Grant({
        accountId: oidc.session?.accountId ?? '',
        clientId: oidc.client?.clientId ?? '',
      });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
  });
  return provider;
}

/** Starts a provider, and a service whose console leads to it. */
export async function startServiceAtProvider(
  engine: Engine,
): Promise<{ provider: TestProvider; service: TestService; origin: string }> {
  const managementPort = await freePort('127.0.0.1');
  const provider = await startProvider(managementPort);
  const service = await startTestService(engine, oidcEnvironment(provider.issuer, managementPort));
  return { provider, service, origin: originAt(managementPort) };
}

/** What a browser has at the provider. */
export class ProviderVisit {
  private readonly cookies = new Map<string, string>();

  constructor(private readonly provider: TestProvider) {}

  /** Goes where the provider leads to, until that is elsewhere. @returns that address */
  async follow(start: string): Promise<URL> {
    let url = new URL(start);
    while (url.origin === this.provider.issuer) {
      const { status, headers } = await this.fetch(url);
      const location = headers.get('location');
      if (location === null) throw new Error(`The provider responded to ${url.pathname} with ${status}.`);
      url = new URL(location, url);
    }
    return url;
  }

  /** Ends the session at the provider, as on its own page. */
  async signOut(): Promise<void> {
    const page = await this.fetch(new URL('/session/end', this.provider.issuer));
    const [, xsrf = ''] = /name="xsrf" value="([^"]*)"/.exec(await page.text()) ?? [];
    const body = new URLSearchParams({ xsrf, logout: 'yes' });
    await this.fetch(new URL('/session/end/confirm', this.provider.issuer), { method: 'POST', body });
  }

  async fetch(url: URL, init: RequestInit = {}): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { ...init, redirect: 'manual', headers: { cookie, ...init.headers } });
    for (const text of response.headers.getSetCookie()) {
      const { name, value } = parseSetCookie(text);
      this.cookies.set(name, value ?? '');
    }
    return response;
  }
}
