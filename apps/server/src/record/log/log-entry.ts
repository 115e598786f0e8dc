import { randomBytes } from 'node:crypto';

import type { JsonValue } from '../../foundation/canonical-json.ts';
import { canonicalJson } from '../../foundation/canonical-json.ts';
import { sha256Bytes } from '../../foundation/hash.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMilliseconds } from '../../foundation/instant.ts';

export type LoggedKind = 'item' | 'story' | 'ranking' | 'daily' | 'weekly' | 'monthly' | 'correction';
export type LoggedAction = 'published' | 'revised' | 'withdrawn' | 'opened' | 'merged' | 'split';

/** Values that a change replaced, by the name of their column. */
export type FormerValues = Readonly<Record<string, JsonValue>>;

/** What a decision changed in public. */
export interface LogChange {
  readonly kind: LoggedKind;
  readonly action: LoggedAction;
  /** The id of an item, story, ranking or correction; the period of an edition. */
  readonly subject: string;
  /** The public content after the change; null if it was withdrawn. Only its hash is stored. */
  readonly body: JsonValue | null;
  /** Stored, so that the content before the change can still be read; absent for new content. */
  readonly was?: FormerValues;
}

/** A change with the hash of its salted body. */
export interface LogEntryToWrite extends Omit<LogChange, 'body'> {
  readonly at: EpochMicroseconds;
  readonly bodyHash: Buffer | null;
  readonly salt: Buffer | null;
}

export const saltBytes = 32;

/** The hash says nothing about the body to readers without the salt. */
export function saltedHash(salt: Uint8Array, body: string): Buffer {
  return sha256Bytes(Buffer.concat([salt, Buffer.from(body)]));
}

/** Several changes of a subject in one decision are one entry, from the values before the first to the last body. */
export function entriesOf(changes: readonly LogChange[], at: EpochMicroseconds): readonly LogEntryToWrite[] {
  const merged = new Map<string, LogChange>();
  for (const change of changes) {
    const key = `${change.action} ${change.kind} ${change.subject}`;
    const was = { ...change.was, ...merged.get(key)?.was };
    merged.set(key, Object.keys(was).length === 0 ? change : { ...change, was });
  }
  return [...merged.values()].map(({ body, ...change }) => {
    if (body === null) return { ...change, at, bodyHash: null, salt: null };
    const salt = randomBytes(saltBytes);
    return { ...change, at, bodyHash: saltedHash(salt, canonicalJson(body)), salt };
  });
}

/** An entry as the log contains it. */
export interface LogEntry {
  readonly kind: LoggedKind;
  readonly action: LoggedAction;
  readonly subject: string;
  readonly revision: number;
  readonly at: EpochMicroseconds;
  readonly bodyHash: Buffer | null;
}

/** The form of an entry; raised with every change of its fields or of the bodies. */
const entryVersion = 1;

export function entryJson({ kind, action, subject, revision, at, bodyHash }: LogEntry) {
  return {
    version: entryVersion,
    kind,
    action,
    id: subject,
    revision,
    at: isoMilliseconds(at),
    bodyHash: bodyHash?.toString('hex') ?? null,
  };
}

/** The bytes of the leaf. */
export function entryBytes(entry: LogEntry): Buffer {
  return Buffer.from(canonicalJson(entryJson(entry)));
}
