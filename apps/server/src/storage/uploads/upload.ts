import type { callers } from '../../access/index.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { accounts } from '../../identity/index.ts';
import type { EntryName } from '../entry-name.ts';
import type { EntryId } from '../folders/entry.ts';
import type { ProjectId } from '../projects/project.ts';

export type UploadId = Id<'upload'>;
export type UploadState = 'open' | 'completing' | 'completed' | 'abandoned';

/** What becomes of a name that is taken: nothing is stored, the file gets a version, or the new one another name. */
export type UploadIfTaken = 'refuse' | 'version' | 'rename';

export interface Upload {
  readonly id: UploadId;
  readonly projectId: ProjectId;
  readonly organization: callers.Organization;
  /** Null: the project itself. */
  readonly folderId: EntryId | null;
  readonly name: EntryName;
  readonly size: number;
  readonly mediaType: string;
  readonly expectedSha256: Buffer | null;
  readonly ifTaken: UploadIfTaken;
  /** The entity tag that the file must still have; null where any will do. */
  readonly ifMatch: string | null;
  readonly blobKey: string;
  readonly state: UploadState;
  /** Under which its bytes lie in the bucket while it is completing, or its parts wait while it is open. */
  readonly stagedName: string | null;
  /** Of one that is sent in pieces: how many bytes are certain. Null where another method is used. */
  readonly received: number | null;
  /** Of the parts that lie in the bucket, in their order. */
  readonly partTags: readonly string[];
  /** Of what arrived; null until that is known. */
  readonly sha256: Buffer | null;
  readonly fileId: EntryId | null;
  readonly version: number | null;
  readonly createdBy: accounts.AccountId;
  readonly createdAt: EpochMicroseconds;
  readonly expiresAt: EpochMicroseconds;
}

/** It gives up waiting when its time is over, also before the worker has said so in the row. */
export function isAbandoned({ state, expiresAt }: Upload, now: EpochMicroseconds): boolean {
  return state === 'abandoned' || (state === 'open' && expiresAt <= now);
}

/**
 * What becomes of a name that the bucket calls staged: `waiting` for its upload to go on; `published`, where a server
 * that speaks S3 died before it had ended what it had made an object of; nobody's.
 */
export function stagedUploadAction(
  upload: Pick<Upload, 'state' | 'stagedName'> | null,
  name: string,
): 'waiting' | 'published' | 'left over' {
  if (upload?.state === 'open') return 'waiting';
  if (upload === null || upload.state === 'abandoned' || upload.stagedName !== name) return 'left over';
  return upload.state === 'completed' ? 'published' : 'waiting';
}
