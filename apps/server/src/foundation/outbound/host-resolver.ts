import { Resolver } from 'node:dns/promises';

export type HostResolver = (hostname: string) => Promise<readonly string[]>;

const queryTimeoutMs = 3_000;
const tries = 2;
/** How long to wait for AAAA answers after the A answers (RFC 8305 section 3). */
const secondFamilyMs = 50;

/**
 * Queries the name servers directly: `getaddrinfo` blocks one of four threads until it answers, so a few dead name
 * servers would block all file access and hashing of the process.
 */
export const resolveHost: HostResolver = async (hostname) => {
  const resolver = new Resolver({ timeout: queryTimeoutMs, tries });
  const ipv4 = resolver.resolve4(hostname).catch(nothing);
  const ipv6 = resolver.resolve6(hostname).catch(nothing);
  const first = await ipv4;
  const second = first.length === 0 ? await ipv6 : await Promise.race([ipv6, afterMs(secondFamilyMs)]);
  if (second === null) resolver.cancel();
  return [...first, ...(second ?? [])];
};

function nothing(): readonly string[] {
  return [];
}

async function afterMs(milliseconds: number): Promise<null> {
  const { promise, resolve } = Promise.withResolvers<null>();
  setTimeout(resolve, milliseconds, null).unref();
  return promise;
}
