import { conflict, invalidField } from '../foundation/http/http-problems.ts';
import type { FieldError, ProblemDefinition } from '../foundation/problem.ts';
import { ProblemError } from '../foundation/problem.ts';
import type { Bucket, DirectTransfer } from './bucket/bucket.ts';
import type { EntryName } from './entry-name.ts';
import { entryNameFaults, parseEntryName } from './entry-name.ts';

export const nameTaken: ProblemDefinition = {
  code: 'name_taken',
  kind: 'conflict',
  title: 'Name taken',
  explanation:
    'The folder already contains an entry with this name. Names are not case-sensitive. Choose another name, or request a numbered name where the endpoint supports it.',
};
export const quotaExceeded: ProblemDefinition = {
  code: 'quota_exceeded',
  kind: 'conflict',
  title: 'Quota exceeded',
  explanation:
    'The organization does not have enough storage left. `GET /api/v1/usage` returns its usage, which includes earlier versions and the trash. `DELETE /api/v1/projects/{project}/trash` empties the trash.',
};
export const preconditionFailed: ProblemDefinition = {
  code: 'precondition_failed',
  kind: 'precondition-failed',
  title: 'Content has changed',
  explanation:
    'The content does not match `If-Match`. Read the file again, apply your change to it and retry.',
};
export const checksumMismatch: ProblemDefinition = {
  code: 'checksum_mismatch',
  kind: 'invalid',
  title: 'Content mismatch',
  explanation:
    'The size or SHA-256 of the received content differs from the declared value. Send the content again.',
};

export const directNotOffered: ProblemDefinition = {
  code: 'direct_not_offered',
  kind: 'conflict',
  title: 'Not supported',
  explanation:
    'Clients cannot access the storage of this installation directly. Upload and download content through the API: `PUT /api/v1/uploads/{upload}/content`, `GET /api/v1/files/{id}/content`.',
};

export const linkPasswordRequired: ProblemDefinition = {
  code: 'link_password_required',
  kind: 'unauthenticated',
  title: 'Password required',
  explanation:
    'This link is protected by a password. Ask the person who shared it for the password. `POST /api/v1/shared/{secret}/ticket` with the password returns a ticket; send it as `ticket` with the other requests of the link. Tickets are valid for 12 hours.',
};
export const wrongLinkPassword: ProblemDefinition = {
  code: 'wrong_link_password',
  kind: 'unauthenticated',
  title: 'Wrong password',
  explanation: 'This is not the password of the link. A link accepts 20 attempts in 15 minutes.',
};

export const notScanned: ProblemDefinition = {
  code: 'not_scanned',
  kind: 'conflict',
  title: 'Not scanned yet',
  explanation:
    'This content has not been scanned for malware yet. Until then, only the uploader can read it, and only through the API. Try again in a minute.',
};
export const infectedContent: ProblemDefinition = {
  code: 'infected',
  kind: 'conflict',
  title: 'Infected',
  explanation:
    'The scanner found malware in this content. It cannot be read or copied. Delete the file, or upload a new version.',
};

export const unscannableContent: ProblemDefinition = {
  code: 'unscannable',
  kind: 'conflict',
  title: 'Not scannable',
  explanation:
    'The malware scanner could not read all of this content: it is too large, nested too deeply or encrypted. Only the uploader can read it, and only through the API. Upload it without a password, or its parts separately.',
};

export const tooManyEntries: ProblemDefinition = {
  code: 'too_many_entries',
  kind: 'conflict',
  title: 'Too many entries',
  explanation:
    'At most 10,000 folders and files can be copied or moved at once. Copy or move subfolders separately.',
};

export const archiveTooLarge: ProblemDefinition = {
  code: 'archive_too_large',
  kind: 'conflict',
  title: 'Archive too large',
  explanation:
    'An archive can contain at most 10,000 folders and files and 100 GiB. Download subfolders separately.',
};

export function requireEntryName(text: string, place: FieldError['in'] = 'body'): EntryName {
  const name = parseEntryName(text);
  if (!name.ok) throw invalidField('name', entryNameFaults[name.reason], place);
  return name.value;
}

export function raiseNameTaken(name: string, cause?: unknown): never {
  throw new ProblemError(nameTaken, `“${name}” already exists.`, { cause });
}

export function requireDirect({ direct }: Bucket): DirectTransfer {
  if (direct === null) throw new ProblemError(directNotOffered, 'Clients cannot access the bucket directly.');
  return direct;
}

export function contradicts(detail: string): ProblemError {
  return new ProblemError(conflict, detail);
}
