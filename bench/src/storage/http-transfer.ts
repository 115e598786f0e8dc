import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';

export interface TransferAnswer {
  readonly status: number;
  /** The number of received bytes; only the first kilobytes are stored. */
  readonly bytes: number;
  readonly text: string;
  /** Empty if the response names none. */
  readonly location: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const bodyPrefixBytes = 16_384;

/** Sends a body from memory and reads the response, as the SDK does, over keep-alive connections. */
export async function transfer(
  url: string,
  options: {
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: Buffer;
  } = {},
): Promise<TransferAnswer> {
  const { method = 'GET', headers = {}, body } = options;
  const length = body === undefined ? {} : { 'content-length': String(body.length) };
  const request = httpRequest(url, { method, agent, headers: { ...headers, ...length } });
  // A refusal may arrive before the whole body was sent.
  request.on('error', () => {});
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let bytes = 0;
  let text = '';
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (bytes < bodyPrefixBytes) text += chunk.toString('utf8', 0, bodyPrefixBytes);
    bytes += chunk.length;
  }
  const { location = '' } = response.headers;
  return { status: response.statusCode ?? 0, bytes, text, location };
}
