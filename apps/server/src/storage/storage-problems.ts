import { conflict, invalidField } from '../foundation/http/http-problems.ts';
import type { FieldError, ProblemDefinition } from '../foundation/problem.ts';
import { ProblemError } from '../foundation/problem.ts';
import type { Bucket, DirectTransfer } from './bucket/bucket.ts';
import type { EntryName } from './entry-name.ts';
import { entryNameFaults, parseEntryName } from './entry-name.ts';

export const nameTaken: ProblemDefinition = {
  code: 'name_taken',
  kind: 'conflict',
  title: 'The name is taken',
  explanation:
    'Beside it there is something of this name; small and capital letters make no difference. Choose another name, or ask for one with a number where the address offers it.',
};
export const quotaExceeded: ProblemDefinition = {
  code: 'quota_exceeded',
  kind: 'conflict',
  title: 'Not enough room',
  explanation:
    'The organization has less room left than this needs. `GET /api/v1/usage` tells how much; older versions and the trash count until they are gone. `DELETE /api/v1/projects/{project}/trash` empties the trash.',
};
export const preconditionFailed: ProblemDefinition = {
  code: 'precondition_failed',
  kind: 'precondition-failed',
  title: 'It has changed meanwhile',
  explanation:
    'The content is not the one that `If-Match` names. Read the file again, bring your change into it, and send that.',
};
export const checksumMismatch: ProblemDefinition = {
  code: 'checksum_mismatch',
  kind: 'invalid',
  title: 'The bytes are not those announced',
  explanation: 'Size or SHA-256 of what arrived differ from what was announced. Send it again.',
};

export const directNotOffered: ProblemDefinition = {
  code: 'direct_not_offered',
  kind: 'conflict',
  title: 'Not offered here',
  explanation:
    'This installation keeps its files where clients cannot reach them. Send and read bytes through the API: `PUT /api/v1/uploads/{upload}/content`, `GET /api/v1/files/{id}/content`.',
};

export const notScanned: ProblemDefinition = {
  code: 'not_scanned',
  kind: 'conflict',
  title: 'Not scanned yet',
  explanation:
    'A scanner for malware has not looked into this content yet. Until then only whoever stored it can read it, and through the API alone. Try again in a minute.',
};
export const infectedContent: ProblemDefinition = {
  code: 'infected',
  kind: 'conflict',
  title: 'Infected',
  explanation:
    'The scanner found malware in this content: nobody can read or copy it. Delete the file, or store another content as its next version.',
};

export const archiveTooLarge: ProblemDefinition = {
  code: 'archive_too_large',
  kind: 'conflict',
  title: 'Too much for one archive',
  explanation:
    'An archive holds 10,000 folders and files and 100 GiB. Ask for the folders below, one by one.',
};

export function requireEntryName(text: string, place: FieldError['in'] = 'body'): EntryName {
  const name = parseEntryName(text);
  if (!name.ok) throw invalidField('name', entryNameFaults[name.reason], place);
  return name.value;
}

export function raiseNameTaken(name: string, cause?: unknown): never {
  throw new ProblemError(nameTaken, `there is something called ${name}`, { cause });
}

export function requireDirect({ direct }: Bucket): DirectTransfer {
  if (direct === null) throw new ProblemError(directNotOffered, 'clients cannot reach the bucket');
  return direct;
}

export function contradicts(detail: string): ProblemError {
  return new ProblemError(conflict, detail);
}
