import type { callers } from '../../access/index.ts';
import { sha256Bytes } from '../../foundation/hash.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { EntryId } from '../folders/entry.ts';
import type { ProjectId } from '../projects/project.ts';
import type { EntryKind } from '../storage-actions.ts';

export type LinkId = Id<'link'>;

/** Allows everyone with its secret to read a file, or a folder with everything below it. */
export interface Link {
  readonly id: LinkId;
  readonly projectId: ProjectId;
  readonly entryId: EntryId;
  readonly kind: EntryKind;
  /** The current name of the file or folder. */
  readonly name: string;
  readonly maker: Pick<callers.Caller, 'accountId' | 'username'>;
  /** The API key that created it, with which it ends. */
  readonly key: Parameters<typeof callers.callerOfLink>[1]['key'];
  readonly createdAt: EpochMicroseconds;
  readonly expiresAt: EpochMicroseconds;
  /** Null: the link opens without a password. */
  readonly passwordHash: string | null;
  readonly openedCount: number;
  readonly lastOpenedAt: EpochMicroseconds | null;
}

/** Links with a password have another hash: a process that does not ask for passwords does not find them. */
export function hashOfLinkSecret(secret: string, hasPassword: boolean): Buffer {
  return sha256Bytes(hasPassword ? `${secret} with a password` : secret);
}
