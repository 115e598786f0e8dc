import { isIP } from 'node:net';

import { contains, parseCidrList } from '../http/client-address.ts';

/** Addresses that IANA lists as not globally reachable, and addresses that embed others. */
const specialIpv4 = parseCidrList([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10', // carrier-grade NAT; a cloud's metadata service too
  '127.0.0.0/8',
  '168.63.129.16', // a cloud's metadata service on a public address
  '169.254.0.0/16', // link-local; most clouds' metadata services
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);

/** The range of IPv6 for public use. IPv4-mapped, NAT64, private and link-local addresses are outside it. */
const globalIpv6 = parseCidrList(['2000::/3']);
const specialIpv6 = parseCidrList([
  '2001::/23', // Teredo, benchmarks, ORCHID
  '2001:db8::/32',
  '2002::/16', // 6to4: an IPv4 address inside
  '3fff::/20',
]);

/** Whether this address is on the public internet. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !contains(specialIpv4, address);
  // A zone names an interface of this machine.
  if (version !== 6 || address.includes('%')) return false;
  return contains(globalIpv6, address) && !contains(specialIpv6, address);
}
