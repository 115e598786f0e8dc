import { randomBytes } from 'node:crypto';

import type { JsonValue } from '../../foundation/canonical-json.ts';
import { canonicalJson } from '../../foundation/canonical-json.ts';
import { sha256Bytes } from '../../foundation/hash.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMilliseconds } from '../../foundation/instant.ts';

export type LoggedKind = 'item' | 'story' | 'ranking' | 'daily' | 'weekly' | 'monthly' | 'correction';
export type LoggedAction = 'published' | 'revised' | 'withdrawn' | 'opened' | 'merged' | 'split';

/** What a decision changed in public. */
export interface LogChange {
  readonly kind: LoggedKind;
  readonly action: LoggedAction;
  /** The id of an item, story, ranking or correction; the period of an edition. */
  readonly subject: string;
  /** The public content after the change; null if it was withdrawn. */
  readonly body: JsonValue | null;
  /** The body is composed again from other rows, so only its salt is stored. */
  readonly isComposed?: boolean;
}

/** A change with the hash of its salted body. */
export interface LogEntryToWrite extends Omit<LogChange, 'body' | 'isComposed'> {
  readonly at: EpochMicroseconds;
  readonly bodyHash: Buffer | null;
  readonly salt: Buffer | null;
  /** Null if it is not stored. */
  readonly body: string | null;
}

export const saltBytes = 32;

/** The hash says nothing about the body to readers without the salt. */
export function saltedHash(salt: Uint8Array, body: string): Buffer {
  return sha256Bytes(Buffer.concat([salt, Buffer.from(body)]));
}

/** Several changes of a subject in one decision are one entry, with the last body. */
export function entriesOf(changes: readonly LogChange[], at: EpochMicroseconds): readonly LogEntryToWrite[] {
  const last = new Map(
    changes.map((change) => [`${change.action} ${change.kind} ${change.subject}`, change]),
  );
  return [...last.values()].map(({ kind, action, subject, body, isComposed = false }) => {
    if (body === null) return { kind, action, subject, at, bodyHash: null, salt: null, body: null };
    const salt = randomBytes(saltBytes);
    const text = canonicalJson(body);
    const bodyHash = saltedHash(salt, text);
    return { kind, action, subject, at, bodyHash, salt, body: isComposed ? null : text };
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
