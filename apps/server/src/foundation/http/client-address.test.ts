import { isIPv6 } from 'node:net';

import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';

import {
  addressBlock,
  addressKey,
  contains,
  createAddressResolver,
  parseCidrList,
} from './client-address.ts';

const trusted = parseCidrList(['10.0.0.0/8', 'fd00::/8']);
const resolve = createAddressResolver(trusted, () => {}).resolve;
const ipV4 = fc.ipV4();
const proxy = fc.oneof(
  fc.tuple(fc.nat(255), fc.nat(255)).map(([a, b]) => `10.0.${a}.${b}`),
  fc.nat(0xffff).map((group) => `fd00::${group.toString(16)}`),
);

describe('the client address', () => {
  test('is the socket’s without a header or a trusted proxy', () => {
    expect(resolve('203.0.113.9', undefined)).toBe('203.0.113.9');
    expect(resolve('203.0.113.9', '1.2.3.4')).toBe('203.0.113.9');
    expect(resolve('::ffff:203.0.113.9', '1.2.3.4')).toBe('203.0.113.9');
  });

  test('behind any chain of trusted proxies is the one that the outermost proxy saw, whatever the client sent', () => {
    const outsider = ipV4.filter((address) => !contains(trusted, address));
    fc.assert(
      fc.property(
        fc.array(fc.oneof(ipV4, fc.string()), { maxLength: 5 }),
        outsider,
        fc.array(proxy, { maxLength: 5 }),
        proxy,
        (spoofed, client, proxies, socket) => {
          expect(resolve(socket, [...spoofed, client, ...proxies].join(', '))).toBe(client);
        },
      ),
    );
  });

  test('is the last trusted one when the chain breaks off', () => {
    expect(resolve('10.0.0.1', 'nonsense, 10.0.0.2')).toBe('10.0.0.2');
    expect(resolve('10.0.0.1', '')).toBe('10.0.0.1');
    expect(resolve('10.0.0.1', '10.0.0.3, 10.0.0.2')).toBe('10.0.0.3');
    expect(resolve('::ffff:10.0.0.1', '::ffff:198.51.100.7')).toBe('198.51.100.7');
  });

  test('an ignored header is reported once, with the address it came from', () => {
    const onIgnored = vi.fn<(address: string) => void>();
    const resolver = createAddressResolver(trusted, onIgnored);
    resolver.resolve('10.0.0.1', '1.2.3.4');
    expect(onIgnored).not.toHaveBeenCalled();
    resolver.resolve('203.0.113.9', '1.2.3.4');
    resolver.resolve('203.0.113.8', '1.2.3.4');
    expect(onIgnored.mock.calls).toEqual([['203.0.113.9']]);
  });
});

describe('the block of an address', () => {
  test.each([
    ['203.0.113.77', '203.0.113.0/24'],
    ['2001:DB8:0:7::1', '2001:db8:0:7::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['local', null],
    ['', null],
  ])('of %s is %s', (address, block) => {
    expect(addressBlock(address)).toBe(block);
  });
});

describe('the rate-limit key of a client', () => {
  /** An independent expansion: the URL parser writes IPv6 in its shortest form without embedded IPv4. */
  function expand(address: string): string[] {
    const short = new URL(`http://[${address}]/`).hostname.slice(1, -1);
    const [left = '', right] = short.split('::');
    const groups = (part: string): string[] => (part === '' ? [] : part.split(':'));
    const tail = groups(right ?? '');
    return [...groups(left), ...Array<string>(8 - groups(left).length - tail.length).fill('0'), ...tail];
  }

  test('is the first four groups of an IPv6 address, in any spelling', () => {
    fc.assert(
      fc.property(fc.ipV6(), fc.boolean(), (address, upper) => {
        fc.pre(isIPv6(address));
        const spelled = upper ? address.toUpperCase() : address;
        expect(addressKey(spelled)).toBe(`${expand(address).slice(0, 4).join(':')}::/64`);
      }),
      { numRuns: 2_000 },
    );
  });

  test('is the same within a /64 and differs outside it', () => {
    const group = fc.nat(0xffff).map((value) => value.toString(16));
    const eight = fc.array(group, { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(eight, eight, (one, other) => {
        const [a, b] = [one.join(':'), [...one.slice(0, 4), ...other.slice(4)].join(':')];
        expect(addressKey(a)).toBe(addressKey(b));
        const same = one.slice(0, 4).join() === other.slice(0, 4).join();
        expect(addressKey(a) === addressKey(other.join(':'))).toBe(same);
      }),
    );
  });

  test('is an IPv4 address itself, and ignores a zone', () => {
    expect(addressKey('203.0.113.9')).toBe('203.0.113.9');
    expect(addressKey('fe80::1%eth0')).toBe(addressKey('fe80::2'));
  });
});

describe('a list of networks', () => {
  test('contains the addresses that its prefix covers', () => {
    const bits = fc.integer({ min: 0, max: 32 });
    const number = (address: string): number =>
      address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
    fc.assert(
      fc.property(ipV4, bits, ipV4, (network, prefix, address) => {
        const size = 2 ** (32 - prefix);
        const inside = Math.floor(number(network) / size) === Math.floor(number(address) / size);
        expect(contains(parseCidrList([`${network}/${prefix}`]), address)).toBe(inside);
      }),
    );
  });

  test('matches an IPv4 address that came over an IPv6 socket', () => {
    expect(contains(parseCidrList(['127.0.0.0/8']), '::ffff:127.0.0.1')).toBe(true);
  });

  test.each([
    '10.0.0.0/33',
    '10.0.0',
    'example.org',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '::/129',
    '10.0.0.0/-1',
    '',
  ])('refuses %s', (entry) => {
    expect(() => parseCidrList([entry])).toThrow('not an address or CIDR');
  });
});
