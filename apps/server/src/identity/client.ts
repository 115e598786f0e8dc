import type { FastifyRequest } from 'fastify';

/** The client of a request, as stored with sessions and security events. */
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

/** The client of commands that an operator runs on the machine. */
export const operatorClient: Client = { address: 'local', userAgent: 'daybook admin' };
