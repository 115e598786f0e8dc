import type { FastifyRequest } from 'fastify';

/** Where a request came from, as it is written down beside sessions and security events. */
export interface Client {
  readonly address: string;
  readonly userAgent: string;
}

const userAgentCharsMax = 512;

export function clientOf(request: FastifyRequest): Client {
  return {
    address: request.client?.address ?? '',
    userAgent: (request.client?.userAgent ?? '').slice(0, userAgentCharsMax),
  };
}

/** What an operator does at the machine itself. */
export const operatorClient: Client = { address: 'local', userAgent: 'daybook admin' };
