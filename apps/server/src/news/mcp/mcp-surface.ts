import type { FastifyRequest } from 'fastify';

import { isLoopbackHost } from '../../foundation/http/loopback-host.ts';
import type { Surface } from '../../foundation/http/surface.ts';
import type { ProblemDefinition } from '../../foundation/problem.ts';
import { ProblemError } from '../../foundation/problem.ts';

const foreignPage: ProblemDefinition = {
  code: 'foreign_page',
  kind: 'forbidden',
  title: 'Origin or host not allowed',
  explanation:
    'The `Host` header does not match this server, or the `Origin` header names another site. Use the public URL of the server, and do not send `Origin` from programs.',
};

/**
 * The anonymous surface with its limits, but for programs alone: a page whose host name resolves to this machine (DNS
 * rebinding) is refused by Host, any other page by Origin, as the protocol requires.
 */
export function createMcpSurface(
  anonymous: Surface,
  baseUrl: string,
  isOwnHost: (host: string) => boolean,
): Surface {
  const own = new URL(baseUrl);
  const isOwnOrigin = (origin: string): boolean =>
    origin === own.origin ||
    (isLoopbackHost(own.hostname) && URL.canParse(origin) && isLoopbackHost(new URL(origin).hostname));
  return {
    ...anonymous,
    name: 'mcp',
    cors: null,
    problems: [...anonymous.problems, foreignPage],
    authenticate: ({ raw: { headers } }: FastifyRequest) => {
      const { host = '', origin } = headers;
      if (!isOwnHost(host))
        throw new ProblemError(foreignPage, 'The Host header does not match this server.');
      if (origin !== undefined && !isOwnOrigin(origin))
        throw new ProblemError(foreignPage, 'The Origin header names another site.');
    },
  };
}

const knownHostsMax = 100;

/** Whether Host names this server. Caches matches: parsing an address takes longer than a lookup. */
export function ownHostCheck(baseUrl: string): (host: string) => boolean {
  const own = new URL(baseUrl);
  const known = new Set<string>();
  return (host) => {
    if (known.has(host)) return true;
    const hostname = hostnameOf(host);
    const isOwn = hostname !== null && (hostname === own.hostname || isLoopbackHost(hostname));
    if (isOwn && known.size < knownHostsMax) known.add(host);
    return isOwn;
  };
}

function hostnameOf(host: string): string | null {
  const address = `http://${host}`;
  return URL.canParse(address) ? new URL(address).hostname : null;
}
