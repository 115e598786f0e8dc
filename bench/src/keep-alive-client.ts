import { once } from 'node:events';
import { connect } from 'node:net';

export interface KeepAliveClient {
  /** The body of a 200, all of it read, and overwritten by the next; anything else is an error. */
  readonly read: (path: string) => Promise<Buffer>;
  readonly close: () => void;
}

/**
 * One client on one connection, one request after the other. It keeps its buffers: what is measured is the server,
 * and a client that throws a megabyte away with each page spends more time on collecting it than on reading.
 */
export function createKeepAliveClient(address: string): KeepAliveClient {
  const { hostname, port, host } = new URL(address);
  const answer = new AnswerBuffer();
  let waiting: PromiseWithResolvers<void> | null = null;
  const socket = connect({
    host: hostname,
    port: Number(port),
    noDelay: true,
    onread: {
      buffer: Buffer.alloc(65_536),
      callback: (length, chunk) => {
        if (answer.add(chunk.subarray(0, length))) waiting?.resolve();
        return true;
      },
    },
  });
  socket.on('close', () => waiting?.reject(new Error(`${address} closed the connection`)));
  socket.on('error', (error) => waiting?.reject(error));
  return {
    read: async (path) => {
      if (socket.connecting) await once(socket, 'connect');
      waiting = Promise.withResolvers<void>();
      answer.clear();
      socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
      await waiting.promise;
      waiting = null;
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.body().toString()}`);
      return answer.body();
    },
    close: () => socket.destroy(),
  };
}

/** Grows to the largest answer so far. Only answers that say their length are understood. */
class AnswerBuffer {
  status = 0;
  #bytes = Buffer.alloc(65_536);
  #length = 0;
  #bodyAt = 0;
  #end = Infinity;

  clear(): void {
    [this.status, this.#length, this.#bodyAt, this.#end] = [0, 0, 0, Infinity];
  }

  /** Whether the answer is complete. */
  add(chunk: Uint8Array): boolean {
    if (this.#length + chunk.length > this.#bytes.length)
      this.#bytes = Buffer.concat([this.#bytes, Buffer.alloc(this.#bytes.length + chunk.length)]);
    this.#bytes.set(chunk, this.#length);
    this.#length += chunk.length;
    if (this.#bodyAt === 0) this.#readHead();
    return this.#length >= this.#end;
  }

  body(): Buffer {
    return this.#bytes.subarray(this.#bodyAt, this.#end);
  }

  #readHead(): void {
    const headEnd = this.#bytes.subarray(0, this.#length).indexOf('\r\n\r\n');
    if (headEnd === -1) return;
    const head = this.#bytes.toString('latin1', 0, headEnd);
    const length = /^content-length: (\d+)$/im.exec(head)?.[1];
    if (length === undefined) throw new Error(`an answer without its length: ${head}`);
    this.status = Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length));
    this.#bodyAt = headEnd + 4;
    this.#end = this.#bodyAt + Number(length);
  }
}
