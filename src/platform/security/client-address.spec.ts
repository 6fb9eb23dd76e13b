import type { Request } from 'express';
import fc from 'fast-check';
import { addressBlock, clientAddress } from './client-address';

/**
 * Returns a request on a connection from `remoteAddress`; `ip` is the address that Express derives from the trusted proxies.
 */
function requestFrom(ip: string | undefined, remoteAddress: string | undefined = '127.0.0.1'): Request {
  return { ip, socket: { remoteAddress } } as unknown as Request;
}

describe('clientAddress', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:c000:0201', '192.0.2.1'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::1', '::1'],
    ['::', '::'],
    ['192.0.2.1:4711', '192.0.2.1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
  ])('reads %s as %s', (ip, expected) => {
    expect(clientAddress(requestFrom(ip))).toBe(expected);
  });

  it.each([
    '',
    'unknown',
    '_hidden',
    '999.0.2.1',
    '192.0.2',
    '192.0.2.1:',
    '192.0.2.1:x',
    '2001:db8::1::2',
    '[::1',
    '[x]:1',
    '%eth0',
    '192.0.2.1\r\nX: y',
    'http://[::1]/',
    'a'.repeat(10_000),
  ])('returns the address of the connection for the forwarded address %j', (ip) => {
    expect(clientAddress(requestFrom(ip, '::ffff:198.51.100.7'))).toBe('198.51.100.7');
  });

  it('returns an empty text when the connection is gone', () => {
    expect(clientAddress(requestFrom(undefined, undefined as never))).toBe('127.0.0.1');
    expect(clientAddress({ ip: undefined, socket: {} } as unknown as Request)).toBe('');
  });

  it('returns a valid address or nothing for arbitrary text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.ipV4(), fc.ipV6(), fc.ipV4Extended()), (text) => {
        const address = clientAddress(requestFrom(text, ''));
        expect(address).toMatch(/^([\d.]{7,15}|[\da-f:]{2,39}|)$/);
        expect(clientAddress(requestFrom(address, ''))).toBe(address);
      }),
    );
  });
});

describe('addressBlock', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['', ''],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:3::6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:3:4:5::', '2001:db8:1:2::/64'],
    ['2001::2:3:4:5:6', '2001:0:0:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['::1:2:3:4:5:6:7', '0:1:2:3::/64'],
  ])('returns the block of an address: %s gives %s', (address, expected) => {
    expect(addressBlock(address)).toBe(expected);
  });

  it('is equal for two IPv6 addresses exactly when their first 64 bits are', () => {
    const group = fc.integer({ min: 0, max: 3 }).map((value) => (value === 3 ? 0xffff : value));
    const eight = fc.tuple(...Array.from({ length: 8 }, () => group));
    const canonical = (groups: readonly number[]) => {
      const text = groups.map((value) => value.toString(16)).join(':');
      return clientAddress(requestFrom(text));
    };
    fc.assert(
      fc.property(eight, eight, (one, other) => {
        fc.pre(![one, other].some((groups) => groups.slice(0, 5).every((value) => value === 0)));
        const same = one.slice(0, 4).join() === other.slice(0, 4).join();
        expect(addressBlock(canonical(one)) === addressBlock(canonical(other))).toBe(same);
      }),
    );
  });
});
