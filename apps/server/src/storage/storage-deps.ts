import type { FastifyRequest } from 'fastify';

import type { Access } from '../access/index.ts';
import { callers } from '../access/index.ts';
import { dayMs } from '../foundation/clock.ts';
import type { EpochMicroseconds } from '../foundation/instant.ts';
import { addMs } from '../foundation/instant.ts';
import { credentials } from '../identity/index.ts';
import type { Bucket } from './bucket/bucket.ts';
import type { ScannerAddress } from './inspection/clamd-scanner.ts';

export interface StorageSettings {
  /** Of an organization that has no quota of its own. */
  readonly quotaBytes: number;
  /** How long the bytes that nothing refers to any more are kept: longer than any backup that may be restored. */
  readonly graceDays: number;
  /** Looks into what is stored before others than its uploader may read it; null: there is none. */
  readonly scanner: ScannerAddress | null;
  /** Another origin, on which alone content is shown; null: that of the pages. */
  readonly previewUrl: string | null;
}

/** What the use cases of this domain ask for. */
export interface StorageDeps extends Pick<
  Access,
  | 'database'
  | 'clock'
  | 'ids'
  | 'authorities'
  | 'cursorKeys'
  | 'engine'
  | 'recipientLimiter'
  | 'invitationLimiter'
> {
  readonly bucket: Bucket;
  readonly settings: StorageSettings;
}

/** Who asks, and from where. */
export interface StorageRequest {
  readonly caller: callers.Caller;
  readonly client: credentials.Client;
}

export function storageRequestOf(request: FastifyRequest): StorageRequest {
  const caller = callers.callerOfPrincipal(credentials.principalOf(request));
  return { caller, client: credentials.clientOf(request) };
}

/** What is deleted can be restored for so long. */
const trashDays = 30;
/** What was deleted then or before is no longer restored: it is removed. */
export function trashEndsBefore(now: EpochMicroseconds): EpochMicroseconds {
  return addMs(now, -trashDays * dayMs);
}
/** What was condemned then or before is no longer kept for backups: its bytes are removed. */
export function graceEndsBefore({
  clock,
  settings,
}: Pick<StorageDeps, 'clock' | 'settings'>): EpochMicroseconds {
  return addMs(clock.now(), -settings.graceDays * dayMs);
}
/** Versions before the current one are kept for so long, and so many of a file. */
export const versionDays = 90;
export const versionsMax = 20;
/** An upload that is not completed gives its quota back after so long. */
export const uploadHours = 24;
/** Bytes of an upload that was given up may still arrive in the bucket for so long at most. */
export const lateBytesMs = 900_000;
/** Of a direct upload: all parts but the last have so many bytes. */
export const partBytes = 16 * 1024 ** 2;
/** How long an address is good for. */
export const partAddressSeconds = 900;
export const contentAddressSeconds = 60;
/** How long a link is good for where nobody says, and at most. */
export const linkDays = 7;
export const linkDaysMax = 90;
/** Of one folder or file, at a time. */
export const linksMax = 100;
/** With so many members and groups one thing is shared at most. */
export const sharesMax = 200;
export const fileBytesMax = 5 * 1024 ** 3;
/** Of an archive: its entries are listed in memory, its bytes never are. */
export const archiveEntriesMax = 10_000;
export const archiveBytesMax = 100 * 1024 ** 3;
