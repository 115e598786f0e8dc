import type { Config } from '../../config/config.ts';
import { isLoopbackHost } from '../../foundation/http/loopback-host.ts';
import type { Check, Outcome } from './check.ts';
import { failed, messageOf, passed, skipped, warning } from './check.ts';

const bodyCharsMax = 10_000;

/** Through the public address, as a reader would come. */
export function edgeCheck(config: Config): Check {
  return { name: 'edge', run: (signal) => checkEdge(config, signal) };
}

async function checkEdge({ news: { baseUrl }, http }: Config, signal: AbortSignal): Promise<Outcome> {
  const { protocol, hostname } = new URL(baseUrl);
  if (isLoopbackHost(hostname) && protocol === 'http:')
    return skipped('DAYBOOK_BASE_URL is an address of this machine');
  const ask = (path: string): Promise<Response> => fetch(`${baseUrl}${path}`, { redirect: 'manual', signal });
  try {
    const alive = await ask('/livez');
    const body = (await alive.text()).slice(0, bodyCharsMax);
    if (alive.status !== 200 || !body.includes('"alive"'))
      return failed(
        `${baseUrl}/livez returns ${alive.status}`,
        'Configure the edge to forward this URL to the api processes, and start them.',
      );
    const open = await publicPaths(ask);
    if (open.length > 0)
      return failed(
        `the edge serves ${open.join(' and ')} to the public`,
        'Use deploy/nginx.conf.template, which returns 404 for them.',
      );
    return judgeTransport(protocol, alive.headers, http.trustedProxies);
  } catch (error) {
    return failed(`${baseUrl}: ${messageOf(error)}`, edgeAdvice(error));
  }
}

/** Of the addresses for operators alone. */
async function publicPaths(ask: (path: string) => Promise<Response>): Promise<readonly string[]> {
  const open: string[] = [];
  for (const path of ['/readyz', '/metrics']) {
    const { status, body } = await ask(path);
    await body?.cancel();
    // Not ready is an answer of the api too.
    if (status === 200 || status === 503) open.push(path);
  }
  return open;
}

function judgeTransport(protocol: string, headers: Headers, trustedProxies: readonly string[]): Outcome {
  if (protocol !== 'https:')
    return warning('the public address uses http', 'Set up TLS: see docs/guides/operating.md.');
  if (headers.get('strict-transport-security') === null)
    return warning(
      'the edge sends no Strict-Transport-Security',
      'Install deploy/nginx-tls-server.conf.template: see docs/guides/operating.md.',
    );
  if (trustedProxies.length === 0)
    return warning(
      'DAYBOOK_TRUSTED_PROXIES is empty: all clients count as one',
      'Set it to the address of the edge as the api sees it, such as 127.0.0.1/32.',
    );
  return passed('forwards requests over TLS and does not expose operator endpoints');
}

function edgeAdvice(error: unknown): string {
  const message = messageOf(error);
  if (/certificate|self.signed|issuer|altname/i.test(message))
    return 'Renew the certificate, or install the one for this name. For a private authority, set NODE_EXTRA_CA_CERTS.';
  if (/ENOTFOUND|EAI_AGAIN/.test(message))
    return 'Add a DNS record for this name, or correct DAYBOOK_BASE_URL.';
  return 'Start the edge, and open its port in the firewall.';
}
