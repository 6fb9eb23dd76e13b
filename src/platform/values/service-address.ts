import { BASE_PATH } from './operation-path';

/** Host names as a trusted proxy may forward them; of others the Host field is used, which has been checked. */
const HOST = /^[\w.:[\]-]{1,260}$/;

/** The part of a request of Express that tells at which address a client has called the service. */
export interface Call {
  /** `X-Forwarded-Proto` of a trusted proxy, or the protocol of the connection. */
  readonly protocol: string;
  /** `X-Forwarded-Host` of a trusted proxy, or `Host`. */
  readonly host: string | undefined;
  readonly headers: { readonly host?: string | undefined };
  readonly socket: { readonly localAddress?: string | undefined; readonly localPort?: number | undefined };
}

/** Addresses of the service as its clients know them. Whatever responses, documents and pages name comes from here. */
export class ServiceAddress {
  /** The beginning of all addresses; empty without `PUBLIC_BASE_URL`, so that they are relative to the host that was called. */
  readonly root: string;
  /** The path of the root, which a proxy in front removes from requests. */
  readonly prefix: string;

  /** @param publicBaseUrl the setting `PUBLIC_BASE_URL` */
  constructor(publicBaseUrl: string | undefined) {
    this.root = publicBaseUrl?.slice(0, -BASE_PATH.length) ?? '';
    this.prefix = this.root && new URL(this.root).pathname.replace(/\/$/, '');
  }

  /** Base address of the operations, ending in the version segment. */
  get base(): string {
    return this.root + BASE_PATH;
  }

  get docs(): string {
    return `${this.root}/docs`;
  }

  /** Returns the address of the guide, or of a section of it, such as that of a deprecated operation. */
  guide(section?: string): string {
    return `${this.docs}/guide${section === undefined ? '' : `#${section}`}`;
  }

  /**
   * Returns the root for responses that need absolute addresses: the configured one, or what the client has called. HTTP/1.0
   * allows no Host; then it is the address at which the request arrived.
   */
  rootFor(call: Call): string {
    if (this.root) return this.root;
    const { protocol, host, headers, socket } = call;
    const { localAddress = '', localPort } = socket;
    const local = localAddress.includes(':') ? `[${localAddress}]` : localAddress;
    const called = host !== undefined && HOST.test(host) ? host : headers.host;
    return `${protocol === 'https' ? 'https' : 'http'}://${called || `${local}:${localPort}`}`;
  }
}
