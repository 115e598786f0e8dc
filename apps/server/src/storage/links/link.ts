import type { callers } from '../../access/index.ts';
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
  readonly createdAt: EpochMicroseconds;
  readonly expiresAt: EpochMicroseconds;
  readonly openedCount: number;
  readonly lastOpenedAt: EpochMicroseconds | null;
}
