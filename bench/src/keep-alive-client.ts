import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, get } from 'node:http';

export interface KeepAliveClient {
  /** The body of a 200; any other status is an error. */
  readonly read: (path: string) => Promise<Buffer>;
  readonly close: () => void;
}

/** One client on one connection, one request after the other. */
export function createKeepAliveClient(address: string): KeepAliveClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    read: async (path) => {
      const [response] = (await once(get(address + path, { agent }), 'response')) as [IncomingMessage];
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks);
      if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode} ${body.toString()}`);
      return body;
    },
    close: () => agent.destroy(),
  };
}
