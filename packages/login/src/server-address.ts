import type { LoginHost } from './login-host.ts';
import { LoginUsageError } from './login-host.ts';

const defaultAddress = 'http://localhost:8080';

/** The server as `--url` or DAYBOOK_URL names it, in the form under which credentials are stored. */
export function serverAddress(host: Pick<LoginHost, 'env'>, flag: string | undefined): string {
  const written = flag ?? host.env['DAYBOOK_URL']?.trim();
  const url = URL.parse(written === undefined || written === '' ? defaultAddress : written);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new LoginUsageError(`"${written}" is not a server URL; use a URL such as https://daybook.example`);
  if (url.protocol === 'http:' && !/^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname))
    throw new LoginUsageError(
      `${url.origin} does not use TLS, so tokens would be sent unencrypted; use https`,
    );
  if (url.search !== '' || url.hash !== '' || url.username !== '')
    throw new LoginUsageError('the server URL must not have a query, fragment or user');
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}
