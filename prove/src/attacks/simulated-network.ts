import { createServer } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo, LookupFunction, Server, Socket } from 'node:net';
import net, { isIP } from 'node:net';

import type { AddressAttack } from './address-attacks.ts';

interface ConnectOptions {
  readonly host: string;
  readonly port: number;
  readonly lookup?: LookupFunction;
}

export interface SimulatedNetwork {
  /** Requests that arrived, by the address they were sent to. */
  readonly arrived: readonly string[];
  readonly resolve: (hostname: string) => Promise<readonly string[]>;
  readonly end: () => Promise<void>;
}

/**
 * A network in which every address responds: connections that Node would open go to a canary on loopback instead,
 * and their sockets report the requested address. Names and redirects are those of the attack.
 */
export async function startNetwork(attack: AddressAttack): Promise<SimulatedNetwork> {
  const arrived: string[] = [];
  const addressByPort = new Map<number, string>();
  const canary = createServer((request, response) => {
    arrived.push(addressByPort.get(request.socket.remotePort ?? 0) ?? 'unknown');
    const location = attack.redirects?.[request.headers.host ?? ''];
    if (location === undefined) response.end('reached');
    // Written by hand: Node would refuse white space around the address.
    else response.socket?.end(`HTTP/1.1 302 Found\r\nLocation:${location}\r\nContent-Length: 0\r\n\r\n`);
  });
  const canaryPort = await listen(canary);
  const openReal = net.connect;
  net.connect = ((options: ConnectOptions) => {
    const socket = new net.Socket();
    const open = (asked: string): void => {
      const address = attack.connectsTo ?? asked;
      Object.defineProperty(socket, 'remoteAddress', { get: () => address });
      socket.once('connect', () => addressByPort.set(socket.localPort ?? 0, address));
      socket.connect({ host: '127.0.0.1', port: canaryPort });
    };
    connectAs(socket, options, open);
    return socket;
  }) as typeof net.connect;
  syncBuiltinESMExports();
  const lookUps = new Map<string, number>();
  return {
    arrived,
    resolve: async (hostname) => {
      const answers = attack.names?.[hostname] ?? [];
      const count = lookUps.get(hostname) ?? 0;
      lookUps.set(hostname, count + 1);
      return Promise.resolve(answers[Math.min(count, answers.length - 1)] ?? []);
    },
    end: async () => {
      net.connect = openReal;
      syncBuiltinESMExports();
      const { promise, resolve } = Promise.withResolvers<void>();
      canary.closeAllConnections();
      canary.close(() => resolve());
      await promise;
    },
  };
}

/** As `net.connect` does: an address as it is, a name through the look-up that was passed. */
function connectAs(socket: Socket, { host, lookup }: ConnectOptions, open: (address: string) => void): void {
  if (isIP(host) !== 0 || lookup === undefined) {
    open(host);
    return;
  }
  lookup(host, { all: false }, (error, address) => {
    if (error !== null) socket.destroy(error);
    else open(typeof address === 'string' ? address : (address[0]?.address ?? ''));
  });
}

async function listen(server: Server): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  return (server.address() as AddressInfo).port;
}
