import type { LookupFunction } from 'node:net';
import { connect, isIP, Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { callbackify } from 'node:util';

import type { HostResolver } from './host-resolver.ts';

export interface GuardOptions {
  readonly isAllowed: (address: string) => boolean;
  readonly resolve: HostResolver;
  /** Development only: `*.example` is a server on this port of loopback, and nothing else is exempt. */
  readonly examplePort: number | null;
}

export interface SocketTarget {
  readonly protocol: string;
  readonly hostname: string;
  readonly port: string;
}

export interface OpeningSocket {
  readonly socket: Socket;
  /** The event after which requests may be written. */
  readonly readyEvent: 'connect' | 'secureConnect';
}

/** The request would have connected to an address that is not public. */
export class ForbiddenAddress extends Error {}
export class UnknownHost extends Error {}

/**
 * Opens connections to allowed addresses only. A name is resolved once, and the connection uses the resolved address, so
 * a second look-up cannot return a different one. The remote address of the connected socket is checked again.
 */
export function createSocketOpener(options: GuardOptions): (target: SocketTarget) => OpeningSocket {
  const lookup = guardedLookup(options);
  return ({ protocol, hostname, port }) => {
    if (options.examplePort !== null && isExampleHost(hostname)) {
      // Plain HTTP for both schemes: the simulated publishers have no certificates.
      return { socket: connect({ host: '127.0.0.1', port: options.examplePort }), readyEvent: 'connect' };
    }
    const host = hostname.replace(/^\[|\]$/gu, '');
    // An IP address needs no look-up, so the check in `lookup` would not run.
    if (isIP(host) !== 0 && !options.isAllowed(host))
      return { socket: new Socket().destroy(new ForbiddenAddress(host)), readyEvent: 'connect' };
    const isTls = protocol === 'https:';
    const target = { host, port: Number(port || (isTls ? 443 : 80)), lookup, autoSelectFamily: true };
    const socket = isTls
      ? connectTls({ ...target, ALPNProtocols: ['http/1.1'], ...(isIP(host) === 0 && { servername: host }) })
      : connect(target);
    socket.once('connect', () => {
      const { remoteAddress = '' } = socket;
      if (!options.isAllowed(remoteAddress)) socket.destroy(new ForbiddenAddress(remoteAddress));
    });
    return { socket: socket.setNoDelay(true), readyEvent: isTls ? 'secureConnect' : 'connect' };
  };
}

/** Calls back with the socket once it is ready, as undici connects. */
export function awaitSocket(
  { socket, readyEvent }: OpeningSocket,
  callback: (error: Error | null, socket: Socket | null) => void,
): Socket {
  let failure: Error | null = null;
  const remember = (error: Error): void => {
    failure = error;
  };
  const fail = (): void => callback(failure ?? new Error('connection closed'), null);
  socket.once('error', remember);
  socket.once('close', fail);
  socket.once(readyEvent, () => {
    socket.off('error', remember);
    socket.off('close', fail);
    callback(null, socket);
  });
  return socket;
}

function guardedLookup({ resolve, isAllowed }: GuardOptions): LookupFunction {
  const lookUp = callbackify(async (hostname: string) => {
    const addresses = await resolve(hostname).catch(() => []);
    const allowed = addresses.filter(isAllowed).map((address) => ({ address, family: isIP(address) }));
    if (allowed.length > 0) return allowed;
    throw addresses.length === 0 ? new UnknownHost(hostname) : new ForbiddenAddress(addresses[0]);
  });
  return (hostname, { all }, callback) => {
    lookUp(hostname, (error, addresses) => {
      if (error !== null) callback(error, '');
      else if (all === true) callback(null, addresses);
      else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
    });
  };
}

function isExampleHost(hostname: string): boolean {
  return hostname === 'example' || hostname.endsWith('.example');
}
