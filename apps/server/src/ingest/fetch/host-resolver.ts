import { Resolver } from 'node:dns/promises';

export type HostResolver = (hostname: string) => Promise<readonly string[]>;

const queryTimeoutMs = 3_000;
const tries = 2;
/** How long answers for IPv6 are waited for once those for IPv4 are there, as RFC 8305 has it. */
const secondFamilyMs = 50;

/**
 * Asks the name servers itself: the system's own call occupies one of four threads until it answers, so that a few
 * dead name servers would hold up every file and hash of the process.
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
