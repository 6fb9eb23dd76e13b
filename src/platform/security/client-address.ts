import { isIP, isIPv4, type Socket } from 'node:net';
import type { Request } from 'express';

/**
 * Returns the IP address a request comes from: that of the connection, or, when that is a proxy TRUST_PROXY names, the one the
 * proxy writes in `X-Forwarded-For`. Anything there that is not an address is ignored. IPv4 is dotted, also where it was mapped
 * into IPv6; IPv6 is in its canonical form (RFC 5952), without a zone. Empty when the connection is gone.
 */
export function clientAddress(request: Request): string {
  return canonicalAddress(request.ip) ?? canonicalAddress(request.socket.remoteAddress) ?? '';
}

/** Returns the IP address at the other end of a connection, also that of a proxy; null when the connection is gone. */
export function connectionAddress({ remoteAddress }: Socket): string | null {
  return canonicalAddress(remoteAddress) ?? null;
}

/**
 * Returns the part of an address that identifies one client: an IPv4 address, or the /64 of an IPv6 address. A single host is
 * given a whole /64 (RFC 6177) and may take another of its addresses for every request.
 */
export function addressBlock(address: string): string {
  if (!address.includes(':')) return address;
  const [head, tail] = address.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const groups = [...(head ?? [])];
  if (tail) groups.push(...Array.from({ length: 8 - groups.length - tail.length }, () => '0'), ...tail);
  return `${groups.slice(0, 4).join(':')}::/64`;
}

/** Form of addresses from proxies that add the port: `192.0.2.1:5000`, `[2001:db8::1]:5000`. */
const WITH_PORT = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/;
/** IPv4 mapped into IPv6 (RFC 4291, section 2.5.5.2), as Node and as the URL parser write it. */
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const MAPPED_CANONICAL = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/;

/** Returns the form of an address that {@link clientAddress} uses; undefined for any other text. */
export function canonicalAddress(text = ''): string | undefined {
  const [, inBrackets, dotted] = WITH_PORT.exec(text) ?? [];
  const [address = ''] = (inBrackets ?? dotted ?? text).split('%');
  const mapped = MAPPED.exec(address)?.[1] ?? address;
  if (isIPv4(mapped)) return mapped;
  if (isIP(address) === 0) return undefined;
  // The URL parser writes each address in one form only.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [, high, low] = MAPPED_CANONICAL.exec(canonical) ?? [];
  return high === undefined || low === undefined ? canonical : dottedOf(high, low);
}

function dottedOf(...groups: [string, string]): string {
  return groups
    .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
    .join('.');
}
