import type { Readable } from 'node:stream';

import type { ByteRange } from '../../foundation/http/byte-range.ts';

/** The size and hash of received content. */
export interface Received {
  readonly size: number;
  readonly sha256: Buffer;
}

/** An object in the bucket, as listed for `verify`. */
export interface StoredObject {
  readonly key: string;
  readonly size: number;
}

/** One of the parts of a content. */
export interface Part {
  /** From 1. */
  readonly number: number;
  readonly size: number;
}

/** Direct transfers between a client and the bucket, by presigned URLs. */
export interface DirectTransfer {
  /** Returns the staged name for parts of this key. */
  readonly begin: (key: string) => Promise<string>;
  readonly arrivedParts: (name: string) => Promise<readonly Part[]>;
  /** For PUT of exactly this many bytes, with this MD5 if given; invalid once the name is published. */
  readonly signPart: (
    name: string,
    part: Part & { readonly md5: string | null },
    seconds: number,
  ) => Promise<string>;
  /** For GET. */
  readonly signRead: (key: string, disposition: string, seconds: number) => Promise<string>;
}

export interface ProxiedReads {
  /** What the proxy must be configured for. */
  readonly kind: 'folder' | 's3';
  /** The path below its internal location, with a query that authorizes one read. */
  readonly pathOf: (key: string) => Promise<string>;
}

/** The part size of appended content: at most this much waits for the rest of its part. */
export const appendedPartBytes = 8 * 1024 ** 2;
/** The maximum size of one saved piece, which never crosses a multiple of it. */
export const tailPieceBytes = 256 * 1024;

/** Durable progress, also after a power cut. */
export type Kept =
  /** The bucket has all bytes before `size`. The tag is of the added part, null if the bucket has no parts. */
  | { readonly kind: 'stored'; readonly size: number; readonly tag: string | null }
  /** Too few bytes for a part: the caller saves them until the next `stored` includes them. */
  | { readonly kind: 'tail'; readonly size: number; readonly bytes: Buffer };

export interface AppendedContent {
  readonly body: AsyncIterable<Buffer>;
  /** Offsets in the whole content: start of the body, end of the body, and total size. */
  readonly from: number;
  readonly to: number;
  readonly total: number;
  /** The saved bytes before `from` that are not stored in the bucket yet. */
  readonly tail: () => AsyncIterable<Buffer>;
  /** Called in order and awaited. After a rejection nothing more is written. */
  readonly keep: (kept: Kept) => Promise<void>;
}

/** Content that arrives in several consecutive requests, possibly through several processes. */
export interface Appending {
  /** Returns the staged name for bytes of this key. */
  readonly begin: (key: string) => Promise<string>;
  /**
   * For when the last writer may still be running: returns the name to continue under. Its first bytes are the same;
   * later writes of the old writer are not published.
   */
  readonly takeOver: (name: string, size: number) => Promise<string>;
  /** If the body breaks off, as much of it as possible is saved before this rejects. */
  readonly append: (name: string, content: AppendedContent, signal: AbortSignal) => Promise<void>;
}

/** The key has an object already. */
export class TakenKey extends Error {}

/** A part is not the saved one: a writer that lost its lease has replaced it. */
export class ReplacedPart extends Error {}

/**
 * Stores bytes. Staged content is unreadable; publishing makes it readable under its key, permanently. The database
 * decides which of both should exist: the bucket knows no names, files or owners.
 */
export interface Bucket {
  /**
   * Receives bytes for a key as fast as they can be stored, and returns their staged name. The body has exactly the
   * size; any other body ends with its own error. Rejects, and leaves nothing, when the body or the signal ends.
   */
  readonly stage: (
    key: string,
    content: { readonly body: Readable; readonly size: number },
    signal: AbortSignal,
  ) => Promise<Received & { readonly name: string }>;
  /**
   * Stores all bytes of a key at once, without staging; raises `TakenKey` if the key has an object. For a key that only one writer
   * knows: if this rejects after the last byte was sent, whether the object exists is only known once no more bytes can arrive.
   */
  readonly put: (
    key: string,
    content: { readonly body: Readable; readonly size: number },
    signal: AbortSignal,
  ) => Promise<Received>;
  readonly appending: Appending;
  /**
   * Durable when it returns, also after a power cut; idempotent. Never overwrites. Appended content is published with
   * the tags of its parts; other parts raise `ReplacedPart`.
   */
  readonly publish: (name: string, tags?: readonly string[]) => Promise<void>;
  /** Removes all of it; does nothing if it does not exist. */
  readonly discard: (name: string) => Promise<void>;
  /** The same for a published name: the object stays, with its own copy of the bytes. */
  readonly discardPublished: (name: string) => Promise<void>;
  readonly open: (key: string, range: ByteRange | null, signal: AbortSignal) => Promise<Readable>;
  /** For a proxy in front of the api that reads content itself (`send-content.ts`). */
  readonly proxied: ProxiedReads;
  readonly remove: (key: string) => Promise<void>;
  /** Null if the object does not exist. */
  readonly sizeOf: (key: string) => Promise<number | null>;
  /** Ordered by key. */
  readonly objects: () => AsyncIterable<StoredObject>;
  readonly staged: () => AsyncIterable<string>;
  /** Null if clients cannot reach the bucket. */
  readonly direct: DirectTransfer | null;
}

const keyForm = /^[0-9a-f]{32}$/;

/** Keys are generated here and validated, so that none points outside of the bucket. */
export function checkedKey(key: string): string {
  if (!keyForm.test(key)) throw new RangeError(`${key} is not a key that we have made`);
  return key;
}

/** A staged name for a key; a key can have several. */
export function stagedName(key: string, attempt: string): string {
  return `${checkedKey(key)}.${attempt}`;
}

export function partsOfStaged(name: string): { readonly key: string; readonly attempt: string } {
  const dot = name.indexOf('.');
  return { key: checkedKey(name.slice(0, Math.max(dot, 0))), attempt: name.slice(dot + 1) };
}
