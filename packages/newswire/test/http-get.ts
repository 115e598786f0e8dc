import type { Agent, IncomingHttpHeaders } from 'node:http';
import { request } from 'node:http';

export interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly text: string;
}

/** One request to a publisher: the address keeps its `.example` name, the connection goes to loopback. */
export async function httpGet(
  port: number,
  address: string,
  headers: Readonly<Record<string, string>> = {},
  agent?: Agent,
): Promise<Got> {
  const { host, pathname, search } = new URL(address);
  const { promise, resolve, reject } = Promise.withResolvers<Got>();
  const options = { host: '127.0.0.1', port, path: pathname + search, headers: { host, ...headers } };
  request({ ...options, ...(agent === undefined ? {} : { agent }) }, (response) => {
    const chunks: Buffer[] = [];
    response
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('error', reject)
      .on('end', () => {
        const body = Buffer.concat(chunks);
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body, text: body.toString() });
      });
  })
    .on('error', reject)
    .end();
  return promise;
}
