import type { Agent } from 'node:http';
import { request as httpRequest } from 'node:http';

export interface AskedRequest {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly token?: string;
  readonly body?: unknown;
  /** False: the response is not JSON. */
  readonly parse?: false;
}

export interface Answered {
  /** Null when the connection failed. */
  readonly status: number | null;
  readonly text: string;
}

/** Sends a request to this machine over a connection of the agent. Never throws. */
export async function sendRequest(
  agent: Agent,
  port: number,
  { method = 'GET', path, token, body }: AskedRequest,
): Promise<Answered> {
  const { promise, resolve } = Promise.withResolvers<Answered>();
  const bytes = body === undefined ? '' : JSON.stringify(body);
  const headers = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(bytes === ''
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(bytes) }),
  };
  const request = httpRequest({ host: '127.0.0.1', port, path, method, agent, headers }, (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    response.on('error', (error) => resolve({ status: null, text: error.message }));
    response.on('end', () => resolve({ status: response.statusCode ?? null, text }));
  });
  request.on('error', (error) => resolve({ status: null, text: error.message }));
  request.end(bytes);
  return promise;
}
