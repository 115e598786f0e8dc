import { tilePath, tileWidth } from './tiles.ts';
import type { ReadTile } from './tiles.ts';

/** A log that a server serves as files. Nothing of it is trusted. */
export interface LogSource {
  /** The newest signed checkpoint. */
  readonly checkpoint: () => Promise<string>;
  readonly tile: ReadTile;
  /** A bundle of entries, by its path. */
  readonly bundle: (path: string) => Promise<Uint8Array>;
}

export interface LogServer {
  /** The address of the server, without a path. */
  readonly baseUrl: string;
  /** `fetch`, or one with limits of its own. */
  readonly fetch?: (url: string, init?: { readonly signal?: AbortSignal }) => Promise<Response>;
}

/** An epoch of a log: after a restore it continues under another name. */
export interface LogEpoch {
  readonly epoch: number;
  /** The name of the log. */
  readonly origin: string;
  /** Where its files are. */
  readonly path: string;
  /** Null for the first. */
  readonly statement: string | null;
}

const timeoutMs = 30_000;
const textBytesMax = 1_000_000;
const hashBytes = 32;
/** An entry has at most 64 KB. */
const bundleBytesMax = tileWidth * (65_535 + 2);

/** The files of one epoch, at a path such as `/log`. */
export function httpLog(server: LogServer, path = '/log'): LogSource {
  return {
    checkpoint: async () => text(await readFile(server, `${path}/checkpoint`, textBytesMax)),
    tile: (tile) => readFile(server, `${path}/${tilePath(tile)}`, tile.width * hashBytes),
    bundle: (bundle) => readFile(server, `${path}/${bundle}`, bundleBytesMax),
  };
}

/** The keys that a server states, one per line: to be compared with keys that are known from elsewhere. */
export async function fetchLogKeys(server: LogServer): Promise<readonly string[]> {
  const lines = text(await readFile(server, '/log/keys', textBytesMax)).split('\n');
  return lines.map((line) => line.trim()).filter((line) => line !== '');
}

/** In order. */
export async function fetchLogEpochs(server: LogServer): Promise<readonly LogEpoch[]> {
  const { epochs } = JSON.parse(text(await readFile(server, '/log/epochs', textBytesMax))) as {
    readonly epochs?: unknown;
  };
  return Array.isArray(epochs) ? epochs.filter(isEpoch) : [];
}

function isEpoch(value: unknown): value is LogEpoch {
  const { epoch, origin, path, statement } = (value ?? {}) as Record<string, unknown>;
  return (
    Number.isSafeInteger(epoch) &&
    typeof origin === 'string' &&
    typeof path === 'string' &&
    /^\/log(?:\/\d{1,6})?$/u.test(path) &&
    (statement === null || typeof statement === 'string')
  );
}

/** A server that does not serve a file that its log must have. */
export class LogFileError extends Error {
  readonly status: number;
  constructor(url: string, status: number) {
    super(`${url} answered with ${status}`);
    this.status = status;
  }
}

/** Never more than these bytes, whatever the server sends. */
async function readFile(server: LogServer, path: string, bytesMax: number): Promise<Uint8Array> {
  const url = `${server.baseUrl}${path}`;
  const send = server.fetch ?? fetch;
  const answer = await send(url, { signal: AbortSignal.timeout(timeoutMs) });
  if (!answer.ok) throw new LogFileError(url, answer.status);
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = answer.body?.getReader();
  for (let read = await reader?.read(); read?.value !== undefined; read = await reader?.read()) {
    parts.push(read.value);
    length += read.value.length;
    if (length > bytesMax) {
      await reader?.cancel();
      throw new LogFileError(`${url} (more than ${bytesMax} bytes)`, answer.status);
    }
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
