import { Networks, readNetwork } from './networks';

describe('A network', () => {
  it.each([
    ['192.0.2.0/24', '192.0.2.0/24'],
    ['192.0.2.7', '192.0.2.7/32'],
    [' 192.0.2.7/32 ', '192.0.2.7/32'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8:0::/32', '2001:db8::/32'],
    ['2001:db8::1', '2001:db8::1/128'],
    ['::/0', '::/0'],
    ['::ffff:192.0.2.0/120', '192.0.2.0/24'],
    ['::ffff:c000:207', '192.0.2.7/32'],
    ['::ffff:0.0.0.0/96', '0.0.0.0/0'],
  ])('is normalised: %s to %s', (text, network) => {
    expect(readNetwork(text)).toBe(network);
  });

  it.each([
    '',
    'office',
    '192.0.2.0/33',
    '192.0.2.0/-1',
    '192.0.2.0/024',
    '192.0.2.0/',
    '192.0.2.0/24/8',
    '192.0.2/24',
    '192.0.2.256/24',
    '192.0.2.1:80',
    '[2001:db8::]/32',
    '2001:db8::/129',
    'fe80::1%eth0/64',
    '::ffff:192.0.2.0/95',
    '10.0.0.0/8,11.0.0.0/8',
  ])('is refused with one sentence when it is %j', (text) => {
    expect(() => readNetwork(text)).toThrow(
      `Write a network as 192.0.2.0/24 or 2001:db8::/32; ${JSON.stringify(text)} is not one.`,
    );
  });
});

describe('A list of networks', () => {
  it.each<[string[], string, boolean]>([
    [['192.0.2.0/24'], '192.0.2.255', true],
    [['192.0.2.0/24'], '192.0.3.0', false],
    [['192.0.2.129/25'], '192.0.2.128', true],
    [['0.0.0.0/0'], '203.0.113.9', true],
    [['0.0.0.0/0'], '2001:db8::1', false],
    [['::/0'], '2001:db8::1', true],
    [['::/0'], '203.0.113.9', false],
    [['2001:db8::/33'], '2001:db8:7fff::1', true],
    [['2001:db8::/33'], '2001:db8:8000::', false],
    [['10.0.0.0/8', '2001:db8::/32', '192.0.2.7/32'], '192.0.2.7', true],
    [['0.0.0.0/0', '::/0'], '', false],
  ])('says whether it includes an address: %j with %s gives %s', (networks, address, isIn) => {
    expect(new Networks(networks).includes(address)).toBe(isIn);
  });
});
