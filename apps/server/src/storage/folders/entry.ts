import type { callers } from '../../access/index.ts';
import { sha256Bytes } from '../../foundation/hash.ts';
import { matchesEntityTag } from '../../foundation/http/entity-tag.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { epochMicroseconds } from '../../foundation/instant.ts';
import type { accounts } from '../../identity/index.ts';
import type { EntryName } from '../entry-name.ts';
import type { ProjectId } from '../projects/project.ts';
import type { EntryKind } from '../storage-actions.ts';

export type EntryId = Id<'entry'>;

/** `waiting` for a scanner; `unscanned` if stored without one. */
export type ScanState = 'unscanned' | 'waiting' | 'clean' | 'infected' | 'unscannable';

/** The current content of a file. */
export interface FileContent {
  readonly version: number;
  readonly size: number;
  /** As stated by its sender. */
  readonly mediaType: string;
  /** As detected from its bytes; null until a worker has inspected it. */
  readonly detectedMediaType: string | null;
  readonly scanState: ScanState;
  readonly storedBy: accounts.AccountId;
  /** Null until a worker has read content that no api process has hashed. */
  readonly sha256: Buffer | null;
  readonly blobKey: string;
}

/** A folder or a file. */
export interface Entry {
  readonly id: EntryId;
  readonly projectId: ProjectId;
  readonly organization: callers.Organization;
  /** Null: in the project itself. */
  readonly parentId: EntryId | null;
  readonly kind: EntryKind;
  readonly name: EntryName;
  /** Null: a folder. */
  readonly content: FileContent | null;
  readonly createdAt: EpochMicroseconds;
  readonly updatedAt: EpochMicroseconds;
  readonly trashedAt: EpochMicroseconds | null;
}

/** The parent folders, nearest first. */
export interface Lineage {
  readonly folders: readonly EntryId[];
  /** One of them, or the project, is in the trash. */
  readonly trashed: boolean;
  /** One of them was purged, and its content is not removed yet. */
  readonly purged: boolean;
}

export const depthMax = 64;

/** `trashedAt` of purged entries that are not removed yet: expired by every clock. */
export const purgedMark = epochMicroseconds(0n);

/** Equal tags mean equal bytes: the content of a key never changes. The key itself is internal. */
export function entityTagOf({ blobKey }: Pick<FileContent, 'blobKey'>): string {
  return `"${sha256Bytes(blobKey).toString('base64url')}"`;
}

/** `If-Match` may be a list of tags, or `*` for any content. */
export function isMatch(ifMatch: string, content: Pick<FileContent, 'blobKey'>): boolean {
  return matchesEntityTag(ifMatch, entityTagOf(content));
}

/** What happens if a name is taken. */
export type IfTaken = 'refuse' | 'rename';
