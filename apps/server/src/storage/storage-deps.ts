import type { FastifyRequest } from 'fastify';

import type { Access } from '../access/index.ts';
import { callers } from '../access/index.ts';
import { dayMs } from '../foundation/clock.ts';
import type { EpochMicroseconds } from '../foundation/instant.ts';
import { addMs } from '../foundation/instant.ts';
import { credentials } from '../identity/index.ts';
import type { Bucket } from './bucket/bucket.ts';
import type { QuotaSettings } from './files/usage-store.ts';
import type { ScannerAddress } from './inspection/clamd-scanner.ts';

export interface StorageSettings extends QuotaSettings {
  /** How long unreferenced bytes are retained: longer than any backup that may be restored. */
  readonly graceDays: number;
  /** Scans content before anyone except its uploader may read it; null without a scanner. */
  readonly scanner: ScannerAddress | null;
  /** Who can read content that the scanner could not read completely. */
  readonly unscannableFor: 'uploader' | 'readers';
  /** How much stored content is scanned again when the scanner has new signatures; 0: none. */
  readonly rescansPerHour: number;
  /** Web applications of other origins that may call the API from a browser. */
  readonly origins: readonly string[];
  /** A separate origin for rendered content; null for the origin of the pages. */
  readonly previewUrl: string | null;
  /** Of the nginx that reads downloads from the folder or the bucket itself; null: the api sends them. */
  readonly nginxToken: string | null;
}

/** Dependencies of the use cases of this domain. */
export interface StorageDeps extends Pick<
  Access,
  | 'database'
  | 'clock'
  | 'ids'
  | 'authorities'
  | 'cursorKeys'
  | 'recipientLimiter'
  | 'invitationLimiter'
  | 'linkPasswordLimiter'
  | 'hasher'
  | 'secretBox'
  | 'permissionsChanged'
> {
  readonly bucket: Bucket;
  readonly settings: StorageSettings;
}

/** The caller and the client. */
export interface StorageRequest {
  readonly caller: callers.Caller;
  readonly client: credentials.Client;
}

export function storageRequestOf(request: FastifyRequest): StorageRequest {
  const caller = callers.callerOfPrincipal(credentials.principalOf(request));
  return { caller, client: credentials.clientOf(request) };
}

/** How long deleted entries can be restored. */
const trashDays = 30;
/** Entries deleted at or before this time are removed. */
export function trashEndsBefore(now: EpochMicroseconds): EpochMicroseconds {
  return addMs(now, -trashDays * dayMs);
}
/** Bytes condemned at or before this time are removed. */
export function graceEndsBefore({
  clock,
  settings,
}: Pick<StorageDeps, 'clock' | 'settings'>): EpochMicroseconds {
  return addMs(clock.now(), -settings.graceDays * dayMs);
}
/** Of the versions beyond the limit, those of other accounts that were replaced since this time are retained. */
export function sparedSince(now: EpochMicroseconds): EpochMicroseconds {
  return trashEndsBefore(now);
}
/** How long a version is retained after it was replaced, and the number of versions of a file. */
export const versionDays = 90;
export const versionsMax = 20;
/** When an incomplete upload releases its quota. */
export const uploadHours = 24;
/** When the reservation of an open upload shrinks to the bytes that have arrived. */
export const idleReservationMs = 600_000;
/** How long bytes of an abandoned upload may still arrive in the bucket. */
export const lateBytesMs = 900_000;
/** For a direct upload: the size of all parts except the last. */
export const partBytes = 16 * 1024 ** 2;
/** The validity of a presigned URL. */
export const partAddressSeconds = 900;
export const contentAddressSeconds = 60;
/** The default and maximum validity of a link. */
export const linkDays = { default: 7, max: 90 } as const;
/** Of the password of a link: attempts are limited, and a link ends within 90 days. */
export const linkPasswordCharsMin = 8;
/** How long a link opens after its password was entered. It ends with the link. */
export const linkTicketHours = 12;
/** The maximum for one folder or file. */
export const linksMax = 100;
/** The maximum number of members and groups per shared resource. */
export const sharesMax = 200;
export const fileBytesMax = 5 * 1024 ** 3;
/** The maximum of an archive: its entries are listed in memory, its bytes are not. */
export const archiveEntriesMax = 10_000;
export const archiveBytesMax = 100 * 1024 ** 3;
