import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface PaidEndpoint {
  readonly url: string;
  /** How often each idempotency key was charged. It charges every call: it does not help us to be right. */
  readonly charges: ReadonlyMap<string, number>;
  readonly close: () => Promise<void>;
}

/** The one that is paid: outside our processes, never killed, and it remembers. */
export async function startPaidEndpoint(): Promise<PaidEndpoint> {
  const charges = new Map<string, number>();
  const server = createServer((request, response) => {
    const key = String(request.headers['idempotency-key']);
    charges.set(key, (charges.get(key) ?? 0) + 1);
    void delay(200).then(() => response.end(JSON.stringify({ phrased: key })));
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    charges,
    close: async () => {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      server.closeAllConnections();
      await closed.promise;
    },
  };
}
