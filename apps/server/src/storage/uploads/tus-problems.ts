import type { ProblemDefinition } from '../../foundation/problem.ts';

export const offsetMismatch: ProblemDefinition = {
  code: 'offset_mismatch',
  kind: 'conflict',
  title: 'Wrong upload offset',
  explanation:
    '`Upload-Offset` does not match the bytes received so far. Send a `HEAD` request to get the current offset, and continue from there.',
};
export const uploadLocked: ProblemDefinition = {
  code: 'upload_locked',
  kind: 'locked',
  title: 'Upload locked',
  explanation:
    'Another request is writing to this upload. An interrupted request can hold the lock for up to 20 seconds. Wait `Retry-After` seconds, get the offset with `HEAD`, and continue.',
};
export const uploadGone: ProblemDefinition = {
  code: 'upload_gone',
  kind: 'gone',
  title: 'Upload cancelled',
  explanation:
    'The upload was cancelled, failed, or was not completed within 24 hours. Its reserved storage was released. Start a new upload.',
};
export const unsupportedTusVersion: ProblemDefinition = {
  code: 'unsupported_tus_version',
  kind: 'precondition-failed',
  title: 'Unsupported tus version',
  explanation: 'Send `Tus-Resumable: 1.0.0`, the only supported version.',
};
