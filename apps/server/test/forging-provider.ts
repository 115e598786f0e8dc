import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { JWTPayload } from 'jose';
import { SignJWT, exportJWK, generateKeyPair } from 'jose';

type Reply = (response: ServerResponse) => void;

export interface ForgingProvider {
  readonly issuer: string;
  readonly settings: {
    readonly issuer: string;
    readonly clientId: string;
    readonly clientSecret: string;
    readonly name: string;
  };
  /** Replaces its response at a path from now on. */
  readonly answer: (path: string, reply: Reply) => void;
  readonly asked: (path: string) => number;
  /** Signs with the key it publishes. */
  readonly sign: (claims: JWTPayload) => Promise<string>;
  readonly stop: () => Promise<void>;
}

export const discoveryPath = '/.well-known/openid-configuration';

export const sendJson =
  (body: unknown): Reply =>
  (response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));

/** A provider with arbitrary, also invalid, responses. */
export async function startForgingProvider(): Promise<ForgingProvider> {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const replies = new Map<string, Reply>();
  const counts = new Map<string, number>();
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    counts.set(path, (counts.get(path) ?? 0) + 1);
    const reply = replies.get(path);
    if (reply === undefined) response.writeHead(404).end();
    else reply(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const answer: ForgingProvider['answer'] = (path, reply) => void replies.set(path, reply);
  answer(discoveryPath, sendJson(metadataOf(issuer)));
  answer(
    '/keys',
    sendJson({ keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }] }),
  );
  return {
    issuer,
    settings: {
      issuer,
      clientId: 'daybook',
      clientSecret: 'a secret of some length for HS256',
      name: 'Forger',
    },
    answer,
    asked: (path) => counts.get(path) ?? 0,
    sign: (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'one' }).sign(privateKey),
    stop: async () => {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}

export function metadataOf(issuer: string): Readonly<Record<string, unknown>> {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    userinfo_endpoint: `${issuer}/userinfo`,
    response_types_supported: ['code'],
    id_token_signing_alg_values_supported: ['ES256', 'HS256', 'none'],
  };
}
