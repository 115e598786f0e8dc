import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A TCP proxy between clients and one server, whose connections a suite cuts, slows and holds. */
export interface FaultyRoute {
  readonly port: number;
  /** Ends every connection and refuses new ones until the returned function is called. */
  readonly cut: () => () => void;
  /** Passes each piece of data on after a pause. */
  readonly slow: (pauseMs: number) => () => void;
  /** Passes nothing on, without ending a connection. */
  readonly hold: () => () => void;
  readonly close: () => Promise<void>;
}

interface RouteState {
  isCut: boolean;
  pauseMs: number;
  released: Promise<void>;
}

/** Data in one direction, in order. */
function pass(from: Socket, to: Socket, state: Readonly<RouteState>): void {
  const send = async (piece: Buffer): Promise<void> => {
    if (state.pauseMs > 0) await delay(state.pauseMs);
    await state.released;
    if (!to.destroyed) to.write(piece);
    from.resume();
  };
  from.on('error', () => {});
  from.once('close', () => to.destroy());
  from.once('end', () => to.end());
  from.on('data', (piece: Buffer) => {
    from.pause();
    void send(piece);
  });
}

export async function startFaultyRoute(target: {
  readonly host: string;
  readonly port: number;
}): Promise<FaultyRoute> {
  const open = new Set<Socket>();
  const state: RouteState = { isCut: false, pauseMs: 0, released: Promise.resolve() };
  const server = createServer({ allowHalfOpen: true }, (client) => {
    if (state.isCut) {
      client.on('error', () => {}).destroy();
      return;
    }
    const onward = connect({ ...target, allowHalfOpen: true });
    for (const socket of [client, onward]) {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
    }
    pass(client, onward, state);
    pass(onward, client, state);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endAll = (): void => {
    for (const socket of open) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      state.isCut = true;
      endAll();
      return () => (state.isCut = false);
    },
    slow: (pauseMs) => {
      state.pauseMs = pauseMs;
      return () => (state.pauseMs = 0);
    },
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      state.released = promise;
      return resolve;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      endAll();
      await closed;
    },
  };
}
