import { BlockList, isIP } from 'node:net';

/** Parses `10.0.0.0/8`, `::1/128` or a bare address into a searchable list. Throws on invalid input. */
export function parseCidrList(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', prefix, ...more] = entry.trim().split('/');
    const version = isIP(address);
    const bitsMax = version === 6 ? 128 : 32;
    const bits = prefix === undefined ? bitsMax : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
    if (version === 0 || !(bits <= bitsMax) || more.length > 0) {
      throw new Error(`not an address or CIDR: ${entry}`);
    }
    list.addSubnet(address, bits, version === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}

export function contains(list: BlockList, address: string): boolean {
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4');
}

export interface AddressResolver {
  /** The client's address: the socket's, or the one from trusted proxies, walked from the right. */
  readonly resolve: (socketAddress: string | undefined, forwardedFor: string | undefined) => string;
}

/**
 * Any client can send X-Forwarded-For; only a listed proxy is trusted, and only as far as the chain of listed
 * proxies reaches. A header from elsewhere is ignored, and logged once, since it usually means a forgotten setting.
 */
export function createAddressResolver(
  trusted: BlockList,
  onIgnored: (socketAddress: string) => void,
): AddressResolver {
  let reported = false;
  const hopsMax = 32;
  return {
    resolve: (socketAddress, forwardedFor) => {
      const socket = plainAddress(socketAddress ?? '');
      if (forwardedFor === undefined) return socket;
      if (!contains(trusted, socket)) {
        if (!reported) onIgnored(socket);
        reported = true;
        return socket;
      }
      let client = socket;
      for (const hop of forwardedFor.split(',').slice(-hopsMax).reverse()) {
        const address = plainAddress(hop.trim());
        if (isIP(address) === 0) return client;
        client = address;
        if (!contains(trusted, address)) return client;
      }
      return client;
    },
  };
}

/** An IPv4 address that came over an IPv6 socket is the IPv4 address. */
function plainAddress(address: string): string {
  const mapped = address.startsWith('::ffff:') ? address.slice(7) : address;
  return isIP(mapped) === 4 ? mapped : address;
}

/** The network of an address, within which its owner may change addresses: /24 for IPv4, /64 for IPv6. */
export function addressBlock(address: string): string | null {
  const version = isIP(address);
  if (version === 6) return addressKey(address);
  return version === 4 ? `${address.split('.').slice(0, 3).join('.')}.0/24` : null;
}

/** The rate-limit key of a client. One IPv6 customer has a whole /64, so its addresses count as one. */
export function addressKey(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const left = head === '' ? [] : head.split(':');
  const rightLength =
    tail === undefined || tail === '' ? 0 : tail.split(':').length + (tail.includes('.') ? 1 : 0);
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - left.length - rightLength;
  const groups = [...left, ...Array.from({ length: Math.max(0, zeros) }, () => '0'), ...right].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
