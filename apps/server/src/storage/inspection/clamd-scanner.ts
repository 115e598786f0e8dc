import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import type { Readable } from 'node:stream';

export type ScannerAddress =
  | { readonly host: string; readonly port: number }
  /** For a local socket. */
  | { readonly path: string };

export type ScanResult =
  | { readonly state: 'clean' }
  /** With the scanner's name for the finding. */
  | { readonly state: 'infected'; readonly finding: string }
  /** The scanner could not read all of it: too large, too deep or encrypted. */
  | { readonly state: 'unscannable'; readonly finding: string };

export interface ScannedContent {
  readonly size: number;
  readonly open: (signal: AbortSignal) => Promise<Readable>;
}

/** Rejects unless the scanner has reported a result for the whole content. */
export type Scan = (content: ScannedContent, signal: AbortSignal) => Promise<ScanResult>;

/** The connection failed: this says nothing about the content. */
export class ScannerUnreachable extends Error {
  override readonly name = 'ScannerUnreachable';
}

/** It answers, but not as its settings must make it: this says nothing about the content either. */
export class ScannerMisconfigured extends ScannerUnreachable {}

/** What clamd says of content that it has not read completely; the first, of a stream that is too long. */
const incomplete =
  /^(?:INSTREAM size limit exceeded\. ERROR|Heuristics\.(?:Limits\.Exceeded|Encrypted)\b.*)$/s;

const replyCharsMax = 4_096;
const findingCharsMax = 200;
const versionMs = 10_000;

/**
 * ClamAV's daemon with its command INSTREAM (`man clamd`): each chunk after its length in four bytes, an empty one at
 * the end. The bucket is read no faster than the daemon accepts bytes.
 */
export function createClamdScanner(
  address: ScannerAddress,
  /** For connecting, and for idle connections: the daemon itself abandons a file after two minutes. */
  { connectMs = 10_000, silenceMs = 180_000 } = {},
): Scan {
  return async (content, signal) => {
    const socket = await openSocket(address, connectMs, signal);
    socket.setTimeout(silenceMs);
    try {
      return await exchange(socket, content, signal);
    } finally {
      socket.destroy();
    }
  };
}

async function openSocket(address: ScannerAddress, connectMs: number, signal: AbortSignal): Promise<Socket> {
  signal.throwIfAborted();
  const socket = connect({ ...address, signal });
  keepReading(socket);
  socket.on('error', () => {});
  socket.on('timeout', () => socket.destroy(new Error('The scanner did not answer in time.')));
  socket.setTimeout(connectMs);
  try {
    await once(socket, 'connect');
    return socket;
  } catch (cause) {
    socket.destroy();
    signal.throwIfAborted();
    throw new ScannerUnreachable('the scanner cannot be reached', { cause });
  }
}

/** Sockets whose other end is closed: what is written to them is lost. */
const closedByPeer = new WeakSet<Socket>();

/**
 * The daemon answers content beyond its limit before the end and closes. A write that fails because of that must not
 * destroy the socket: the answer may not be read yet.
 */
function keepReading(socket: Socket): void {
  type Done = (error?: Error | null) => void;
  const unlessClosed =
    (done: Done): Done =>
    (error) => {
      const { code } = (error ?? {}) as NodeJS.ErrnoException;
      const isClosed = code === 'EPIPE' || code === 'ECONNRESET';
      if (isClosed) closedByPeer.add(socket);
      done(isClosed ? null : error);
    };
  const write = socket._write.bind(socket);
  socket._write = (chunk, encoding, done) => write(chunk, encoding, unlessClosed(done));
  const writev = socket._writev?.bind(socket);
  if (writev === undefined) return;
  socket._writev = (chunks, done) => writev(chunks, unlessClosed(done));
}

/** The version of the program and of its signatures. */
export async function readClamdVersion(address: ScannerAddress): Promise<string> {
  const socket = await openSocket(address, versionMs, new AbortController().signal);
  try {
    socket.write('zVERSION\0');
    return printable(await readReply(socket));
  } finally {
    socket.destroy();
  }
}

async function exchange(socket: Socket, content: ScannedContent, signal: AbortSignal): Promise<ScanResult> {
  let fault: unknown = null;
  const fail = (error: unknown): null => {
    fault ??= error;
    socket.destroy();
    return null;
  };
  const answered = new AbortController();
  const sending = sendContent(socket, content, AbortSignal.any([signal, answered.signal])).catch(fail);
  const reply = await readReply(socket)
    .catch(fail)
    .finally(() => answered.abort());
  const sentBytes = await sending;
  if (reply === null) throw fault;
  const [, found] = /^stream: (.+) FOUND$/s.exec(reply) ?? [];
  const [unread] = incomplete.exec(found ?? reply) ?? [];
  if (unread !== undefined) return { state: 'unscannable', finding: printable(unread) };
  if (found !== undefined) return { state: 'infected', finding: printable(found) };
  if (reply === 'stream: OK' && sentBytes === content.size && !closedByPeer.has(socket))
    return { state: 'clean' };
  throw new Error(`the scanner did not scan the whole content: ${printable(reply)}`, { cause: fault });
}

/**
 * Returns how many bytes were sent to the daemon. Writes to a closed socket end at once, so content that never waits
 * would let the process read no answer: sending ends with the first of them.
 */
async function sendContent(socket: Socket, content: ScannedContent, signal: AbortSignal): Promise<number> {
  let sent = 0;
  socket.write('zINSTREAM\0');
  for await (const chunk of (await content.open(signal)) as AsyncIterable<Buffer>) {
    if (chunk.length === 0) continue;
    sent += chunk.length;
    socket.write(lengthOf(chunk));
    if (!socket.write(chunk)) await once(socket, 'drain', { signal });
    if (closedByPeer.has(socket)) return sent;
  }
  signal.throwIfAborted();
  socket.write(lengthOf(Buffer.alloc(0)));
  return sent;
}

function lengthOf(chunk: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(chunk.length);
  return length;
}

async function readReply(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    text += chunk.toString('latin1');
    const end = text.indexOf('\0');
    if (end >= 0) return text.slice(0, end);
    if (text.length > replyCharsMax) break;
  }
  throw new Error('the scanner ended without an answer');
}

function printable(text: string): string {
  return text.slice(0, findingCharsMax).replaceAll(/[^\x20-\x7e]/g, '_');
}
