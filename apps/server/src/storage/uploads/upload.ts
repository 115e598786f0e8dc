import type { callers } from '../../access/index.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { accounts } from '../../identity/index.ts';
import type { EntryName } from '../entry-name.ts';
import type { EntryId } from '../folders/entry.ts';
import type { ProjectId } from '../projects/project.ts';

export type UploadId = Id<'upload'>;
export type UploadState = 'open' | 'completing' | 'completed' | 'abandoned';

/** The result for a taken name: nothing is stored, the file gets a version, or the new file another name. */
export type UploadIfTaken = 'refuse' | 'version' | 'rename';

export interface Upload {
  readonly id: UploadId;
  readonly projectId: ProjectId;
  readonly organization: callers.Organization;
  /** Null for the project itself. */
  readonly folderId: EntryId | null;
  readonly name: EntryName;
  readonly size: number;
  readonly mediaType: string;
  readonly expectedSha256: Buffer | null;
  readonly ifTaken: UploadIfTaken;
  /** The required entity tag of the file; null for any. */
  readonly ifMatch: string | null;
  /** Whether its sender may replace any file of the folder; null in rows of an earlier release. */
  readonly mayReplace: boolean | null;
  /** The file of this name at the reservation, which its sender may replace. */
  readonly replaces: EntryId | null;
  readonly blobKey: string;
  readonly state: UploadState;
  /** The staged name of its bytes while it is completing, or of its parts while it is open. */
  readonly stagedName: string | null;
  /** The bytes that it reserves: its size, or what has arrived if no bytes arrived for a while. */
  readonly reserved: number;
  /** The last time when bytes arrived, or the reservation. */
  readonly activeAt: EpochMicroseconds;
  /** For an upload in pieces: the durable bytes. Null for other methods. */
  readonly received: number | null;
  /** For an upload in parts: the bytes in the bucket when it was last active. */
  readonly partsArrived: number;
  /** The tags of the parts in the bucket, in order. */
  readonly partTags: readonly string[];
  /** The hash of the received bytes; null until it is known. */
  readonly sha256: Buffer | null;
  readonly fileId: EntryId | null;
  readonly version: number | null;
  readonly createdBy: accounts.AccountId;
  readonly createdAt: EpochMicroseconds;
  readonly expiresAt: EpochMicroseconds;
}

/** It expires on time, also before the worker has updated the row. */
export function isAbandoned({ state, expiresAt }: Upload, now: EpochMicroseconds): boolean {
  return state === 'abandoned' || (state === 'open' && expiresAt <= now);
}

/**
 * The state of a staged name in the bucket: `waiting` for its upload to continue; `published`, if an S3 server died
 * before it ended an upload with an object; `left over` otherwise.
 */
export function stagedUploadAction(
  upload: Pick<Upload, 'state' | 'stagedName'> | null,
  name: string,
): 'waiting' | 'published' | 'left over' {
  if (upload?.state === 'open') return 'waiting';
  if (upload === null || upload.state === 'abandoned' || upload.stagedName !== name) return 'left over';
  return upload.state === 'completed' ? 'published' : 'waiting';
}
