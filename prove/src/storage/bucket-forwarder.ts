import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';

export interface BucketForwarder {
  readonly url: string;
  /** Ends every open connection, whatever is on its way. */
  readonly cut: () => void;
  readonly close: () => Promise<void>;
}

/** A proxy between all clients and an S3 server, so that connections can be cut while the server runs. */
export async function startBucketForwarder(target: string): Promise<BucketForwarder> {
  const { hostname: host, port } = new URL(target);
  const open = new Set<Socket>();
  const keep = (socket: Socket, other: Socket): void => {
    open.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => {
      open.delete(socket);
      other.destroy();
    });
    socket.pipe(other);
  };
  const server = createServer((client) => {
    const upstream = connect({ host, port: Number(port) });
    keep(client, upstream);
    keep(upstream, client);
  });
  // Where bytes have yet to be read the other side sees a reset, else an end. Not `resetAndDestroy`: after it node may
  // wait for the handle for ever when the process ends.
  const cut = (): void => {
    for (const socket of open) socket.destroy();
  };
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    close: async () => {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      cut();
      await closed.promise;
    },
  };
}
