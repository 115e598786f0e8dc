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
  /** Done when it returns, also after a power cut; a second time changes nothing. Never overwrites. */
  readonly publish: (name: string) => Promise<void>;
  /** Nothing is left of it; also where there was nothing. */
  readonly discard: (name: string) => Promise<void>;
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
