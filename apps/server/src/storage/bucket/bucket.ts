import type { Readable } from 'node:stream';

import type { ByteRange } from '../../foundation/http/byte-range.ts';

/** What was received: how much, and what it was. */
export interface Received {
  readonly size: number;
  readonly sha256: Buffer;
}

/** One thing that lies in the bucket, as `verify` finds it. */
export interface StoredObject {
  readonly key: string;
  readonly size: number;
}

/** One of the pieces that a content is sent in. */
export interface Part {
  /** From 1. */
  readonly number: number;
  readonly size: number;
}

/** Bytes that go past us, between a client and the bucket, by addresses that are good for a while. */
export interface DirectTransfer {
  /** Answers the name under which parts for this key will wait. */
  readonly begin: (key: string) => Promise<string>;
  readonly arrivedParts: (name: string) => Promise<readonly Part[]>;
  /** For PUT of exactly so many bytes, of this MD5 where one is given; worth nothing once the name is published. */
  readonly signPart: (
    name: string,
    part: Part & { readonly md5: string | null },
    seconds: number,
  ) => Promise<string>;
  /** For GET. */
  readonly signRead: (key: string, disposition: string, seconds: number) => Promise<string>;
}

/** Of what is appended: more than this never waits for the part it belongs to. */
export const appendedPartBytes = 8 * 1024 ** 2;
/** The most that is given to be kept at once, and never across a multiple of it. */
export const tailPieceBytes = 256 * 1024;

/** What has become certain, also after a power cut. */
export type Kept =
  /** All before `size` lies in the bucket. The tag is of the part that was added, null where there are no parts. */
  | { readonly kind: 'stored'; readonly size: number; readonly tag: string | null }
  /** Too few bytes for a part: whoever appends keeps them, until the next `stored` has them. */
  | { readonly kind: 'tail'; readonly size: number; readonly bytes: Buffer };

export interface AppendedContent {
  readonly body: AsyncIterable<Buffer>;
  /** Of the whole content: where the body begins, where it ends, and where all ends. */
  readonly from: number;
  readonly to: number;
  readonly total: number;
  /** The bytes before `from` that were given to be kept and not stored since. */
  readonly tail: () => AsyncIterable<Buffer>;
  /** In order, each waited for. Where it rejects nothing more is written. */
  readonly keep: (kept: Kept) => Promise<void>;
}

/** Content that comes in several requests, one after the other, perhaps through several processes. */
export interface Appending {
  /** Answers the name under which bytes for this key will wait. */
  readonly begin: (key: string) => Promise<string>;
  /**
   * Where the last writer may still be alive: the name to go on under. Its first bytes are the same; whatever that writer
   * still writes does not become part of what is published.
   */
  readonly takeOver: (name: string, size: number) => Promise<string>;
  /** Where the body breaks off, as much as possible of it has been kept before this rejects. */
  readonly append: (name: string, content: AppendedContent, signal: AbortSignal) => Promise<void>;
}

/** Something lies under the key already. */
export class TakenKey extends Error {}

/** A part is not the one that was kept: somebody who was taken over has sent another in its place. */
export class ReplacedPart extends Error {}

/**
 * Where bytes lie. What is staged can be read by nobody; publishing makes it readable under its key, once and for all.
 * Which of both there should be is for the database to say: the bucket knows no names, no files and no owners.
 */
export interface Bucket {
  /**
   * Takes bytes for a key as fast as they can be kept, and says under which name they wait. The body has exactly the
   * size; one that has not ends with an error of its own. Rejects, and leaves nothing, when the body or the signal ends.
   */
  readonly stage: (
    key: string,
    content: { readonly body: Readable; readonly size: number },
    signal: AbortSignal,
  ) => Promise<Received & { readonly name: string }>;
  /**
   * Takes all bytes of a key at once, past staging; a `TakenKey` where something lies there already. For a key that one writer alone
   * knows: where this rejects after the last byte was sent, whether they lie there is only known once none can arrive
   * any more.
   */
  readonly put: (
    key: string,
    content: { readonly body: Readable; readonly size: number },
    signal: AbortSignal,
  ) => Promise<Received>;
  readonly appending: Appending;
  /**
   * Done when it returns, also after a power cut; a second time changes nothing. Never overwrites. What was appended is
   * published with the tags of its parts; other parts are a `ReplacedPart`.
   */
  readonly publish: (name: string, tags?: readonly string[]) => Promise<void>;
  /** Nothing is left of it; also where there was nothing. */
  readonly discard: (name: string) => Promise<void>;
  /** The same for a name that was published: the object stays, with bytes that are its own. */
  readonly discardPublished: (name: string) => Promise<void>;
  readonly open: (key: string, range: ByteRange | null, signal: AbortSignal) => Promise<Readable>;
  readonly remove: (key: string) => Promise<void>;
  /** Null where there is none. */
  readonly sizeOf: (key: string) => Promise<number | null>;
  /** In the order of their keys. */
  readonly objects: () => AsyncIterable<StoredObject>;
  readonly staged: () => AsyncIterable<string>;
  /** Null where clients cannot reach it themselves. */
  readonly direct: DirectTransfer | null;
}

const keyForm = /^[0-9a-f]{32}$/;

/** Keys are made by us and held to their form, so that none leads out of the bucket. */
export function checkedKey(key: string): string {
  if (!keyForm.test(key)) throw new RangeError(`${key} is not a key that we have made`);
  return key;
}

/** What waits to be published under a key; several tries may. */
export function stagedName(key: string, attempt: string): string {
  return `${checkedKey(key)}.${attempt}`;
}

export function partsOfStaged(name: string): { readonly key: string; readonly attempt: string } {
  const dot = name.indexOf('.');
  return { key: checkedKey(name.slice(0, Math.max(dot, 0))), attempt: name.slice(dot + 1) };
}
