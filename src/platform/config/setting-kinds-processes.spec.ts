import express from 'express';
import { durationMs, proxies } from './setting-kinds';
import type { Kind } from './setting';

const kinds: Record<string, { kind: Kind<unknown>; taken: [string, unknown][]; refused: string[] }> = {
  duration: {
    kind: durationMs(),
    taken: [
      ['0', 0],
      ['0s', 0],
      ['0ms', 0],
      ['10', 10_000],
      ['10s', 10_000],
      ['500ms', 500],
      ['3600', 3_600_000],
      ['3600000ms', 3_600_000],
    ],
    refused: [
      '',
      's',
      'ms',
      '-1',
      '+1s',
      '1.5s',
      '1e3',
      '01s',
      '00',
      '3601',
      '3601s',
      '3600001ms',
      '99999999ms',
      '10 s',
      ' 10s',
      '10s\n',
      '10S',
      '10m',
      '1h',
      '١٠s',
      'Infinity',
    ],
  },
  proxies: {
    kind: proxies(),
    taken: [
      ['', []],
      ['1', 1],
      ['9', 9],
      ['loopback', ['loopback']],
      ['loopback, 10.0.0.0/8', ['loopback', '10.0.0.0/8']],
      ['uniquelocal,linklocal', ['uniquelocal', 'linklocal']],
      ['192.0.2.1,2001:db8::/32,::1', ['192.0.2.1', '2001:db8::/32', '::1']],
      ['0.0.0.0/1', ['0.0.0.0/1']],
      ['::/1,192.0.2.0/32,2001:db8::1/128', ['::/1', '192.0.2.0/32', '2001:db8::1/128']],
    ],
    refused: [
      '0',
      '10',
      '-1',
      '01',
      '1.5',
      'true',
      '*',
      'all',
      ',',
      'loopback,',
      'Loopback',
      'proxy.example.com',
      '10.0.0',
      '256.0.0.1',
      '10.0.0.0/33',
      '0.0.0.0/0',
      '::/0',
      '10.0.0.0/08',
      '10.0.0.0/255.0.0.0',
      '10.0.0.0/8/8',
      '10.0.0.0/',
      '10.0.0.0/-1',
      '2001:db8::/129',
      '[::1]',
      '1, loopback',
      'loopback;10.0.0.1',
      'constructor',
    ],
  },
};

describe.each(Object.entries(kinds))('the kind %s', (_name, { kind, taken, refused }) => {
  it.each(taken)('takes %j', (text, value) => {
    expect(kind.parse(text)).toEqual({ value });
  });

  it.each(refused.map((text) => [text]))('refuses %j and says what is allowed', (text) => {
    expect(kind.parse(text)).toEqual({ fault: expect.stringMatching(/^must be /) });
  });

  it('repeats no secret that was put there by mistake', () => {
    for (const text of ['hunter2', 'hunter2,hunter2', 'redis://:hunter2@redis', '10.0.0.1, hunter2'])
      expect(kind.parse(text)).toEqual({ fault: expect.not.stringContaining('hunter2') });
  });
});

describe('the kind proxies', () => {
  it('tells which entry is at fault', () => {
    const { allowed } = proxies();
    expect(proxies().parse('loopback, 10.0.0.0/33, x')).toEqual({
      fault: `must be ${allowed}: entry 2 is not valid`,
    });
  });

  it.each(kinds.proxies?.taken ?? [])('takes only what Express can read: %j', (text) => {
    const parsed = proxies().parse(text);
    if (!('value' in parsed)) throw new Error('It was refused.');
    expect(() => express().set('trust proxy', parsed.value)).not.toThrow();
  });
});
