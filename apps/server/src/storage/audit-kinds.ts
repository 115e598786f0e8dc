import type { AuditKind } from '../audit/index.ts';
import { quotaChanged } from './files/change-quotas.ts';
import { versionDeleted, versionRestored } from './files/reuse-content.ts';
import { entryChanged, entryDeleted, entryRestored, folderCreated } from './folders/change-entries.ts';
import { fileInfected } from './inspection/inspect-blobs.ts';
import { linkCreated, linkRevoked } from './links/change-links.ts';
import {
  projectCreated,
  projectDeleted,
  projectRenamed,
  projectRestored,
} from './projects/change-projects.ts';
import { shareCreated, shareEnded } from './shares/change-shares.ts';
import { fileCopied, folderCopied } from './transfers/copy-entry.ts';
import { entryTransferred } from './transfers/move-entry.ts';
import { entryPurged, projectPurged, trashEmptied } from './trash/purge-entries.ts';
import { fileStored } from './uploads/complete-upload.ts';

/** Every kind of event that this domain raises. */
export const auditKinds: readonly AuditKind[] = [
  entryChanged,
  entryDeleted,
  entryPurged,
  entryRestored,
  entryTransferred,
  fileCopied,
  fileInfected,
  fileStored,
  folderCopied,
  folderCreated,
  linkCreated,
  linkRevoked,
  projectCreated,
  projectDeleted,
  projectPurged,
  projectRenamed,
  projectRestored,
  quotaChanged,
  shareCreated,
  shareEnded,
  trashEmptied,
  versionDeleted,
  versionRestored,
];
