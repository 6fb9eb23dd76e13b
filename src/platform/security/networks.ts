import { BlockList, isIP, isIPv4 } from 'node:net';
import { InvalidValueError } from '../values/written-values';
import { canonicalAddress } from './client-address';

const ADDRESS_BITS = { 4: 32, 6: 128 } as const;

/** Bits ahead of an IPv4 address that is mapped into IPv6. */
const MAPPED_BITS = 96;

/** Most characters that a refusal repeats of a text that is not a network. */
const REPEATED_LENGTH = 60;

/**
 * Reads a network in CIDR notation, such as `192.0.2.0/24` or `2001:db8::/32`; an address alone is a network of one.
 *
 * @returns its canonical form: a network of IPv4 addresses that are mapped into IPv6 becomes one of IPv4 addresses
 * @throws InvalidValueError
 */
export function readNetwork(text: string): string {
  const [address = '', suffix, ...rest] = text.trim().split('/');
  const version = isIP(address);
  const canonical = version === 0 ? undefined : canonicalAddress(address);
  if (version !== 0 && canonical !== undefined && rest.length === 0 && !address.includes('%')) {
    const most = ADDRESS_BITS[version as 4 | 6];
    const bits = suffix === undefined ? most : bitsOf(suffix);
    const length = version === 6 && isIPv4(canonical) ? bits - MAPPED_BITS : bits;
    if (length >= 0 && bits <= most) return `${canonical}/${length}`;
  }
  throw new InvalidValueError(
    `Write a network as 192.0.2.0/24 or 2001:db8::/32; ${JSON.stringify(text.slice(0, REPEATED_LENGTH))} is not one.`,
  );
}

function bitsOf(suffix: string): number {
  return /^(0|[1-9]\d{0,2})$/.test(suffix) ? Number(suffix) : NaN;
}

/** A set of networks to look addresses up in. */
export class Networks {
  // One list for both versions would take every IPv4 address for one of `::/0`.
  private readonly lists = { ipv4: new BlockList(), ipv6: new BlockList() };

  /** @param networks as {@link readNetwork} writes them */
  constructor(networks: readonly string[]) {
    for (const network of networks) {
      const [address = '', bits] = network.split('/');
      const family = isIPv4(address) ? 'ipv4' : 'ipv6';
      this.lists[family].addSubnet(address, Number(bits), family);
    }
  }

  /**
   * Tells whether an address is in one of the networks.
   *
   * @param address from `clientAddress`: the empty one of a connection that is gone is in no network
   */
  includes(address: string): boolean {
    if (isIP(address) === 0) return false;
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    return this.lists[family].check(address, family);
  }
}
