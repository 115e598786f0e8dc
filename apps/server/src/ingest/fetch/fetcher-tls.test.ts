import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

import { expect, onTestFinished, test } from 'vitest';

import { systemClock } from '../../foundation/clock.ts';
import type { FetchOutcome } from './fetch-outcome.ts';
import { createFetcher } from './fetcher.ts';

/** For `site.test`, until 2126; its key protects nothing. */
const cert = `-----BEGIN CERTIFICATE-----
MIIBmjCCAUGgAwIBAgIULR9W3Cll6w4XSQq75lWvdbSmLs0wCgYIKoZIzj0EAwIw
FzEVMBMGA1UEAwwMRGF5Ym9vayB0ZXN0MCAXDTI2MTExNTEyNTUwNloYDzIxMjYx
MDIyMTI1NTA2WjAXMRUwEwYDVQQDDAxEYXlib29rIHRlc3QwWTATBgcqhkjOPQIB
BggqhkjOPQMBBwNCAASu6M3Y07KVSGdKAwyQZaG7efV7KPRnvPOBJaIhpK+t15Sr
68efWmee6HzOT7oEGr6d6BdKBsH8R8EO7hRaMUwCo2kwZzAdBgNVHQ4EFgQUk+RN
hNiowYjelWVWd6Ih7Y6x+Y4wHwYDVR0jBBgwFoAUk+RNhNiowYjelWVWd6Ih7Y6x
+Y4wDwYDVR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglzaXRlLnRlc3QwCgYIKoZI
zj0EAwIDRwAwRAIgZh8/6xSuN5H8M9pJ9uwVifIdNwkX3Z6fzNhb7mxd0ogCIDuR
oZWdx72W7ChABNbu3Ydog2Bf14gmPypCcChiTtLC
-----END CERTIFICATE-----
`;
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgPq8dWg23qpTyfZnR
7NzzcSf1uUM1/1OCFtqdQNsOAeahRANCAASu6M3Y07KVSGdKAwyQZaG7efV7KPRn
vPOBJaIhpK+t15Sr68efWmee6HzOT7oEGr6d6BdKBsH8R8EO7hRaMUwC
-----END PRIVATE KEY-----
`;

async function ask(host: string): Promise<FetchOutcome> {
  const server = createServer({ cert, key }, (_, response) => response.end('hello'));
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const { port } = server.address() as AddressInfo;
  const fetcher = createFetcher({
    userAgent: 'Daybook/test',
    clock: systemClock,
    examplePort: null,
    resolve: async () => Promise.resolve(['127.0.0.1']),
    isAllowedAddress: (address) => address === '127.0.0.1',
  });
  onTestFinished(async () => {
    await fetcher.close();
    server.closeAllConnections();
    server.close();
  });
  return fetcher.fetch({ url: `https://${host}:${port}/`, accept: '*/*', bytesMax: 100, deadlineMs: 5_000 });
}

test('refuses a certificate without a trusted issuer', async () => {
  expect(await ask('site.test')).toMatchObject({ kind: 'failed', reason: 'tls' });
});

test('accepts a certificate only for the names in it', async () => {
  const trusted = getCACertificates('default');
  setDefaultCACertificates([...trusted, cert]);
  onTestFinished(() => setDefaultCACertificates(trusted));
  expect(await ask('site.test')).toMatchObject({ kind: 'document' });
  expect(await ask('other.test')).toMatchObject({ kind: 'failed', reason: 'tls' });
  expect(await ask('127.0.0.1')).toMatchObject({ kind: 'failed', reason: 'tls' });
});
