import type { ProblemDefinition } from '../../foundation/problem.ts';

export const offsetMismatch: ProblemDefinition = {
  code: 'offset_mismatch',
  kind: 'conflict',
  title: 'Not where the upload ends',
  explanation:
    'The bytes do not begin where those end that have arrived. Ask with `HEAD` for `Upload-Offset` and send what follows.',
};
export const uploadLocked: ProblemDefinition = {
  code: 'upload_locked',
  kind: 'locked',
  title: 'Another request writes to this upload',
  explanation:
    'One request at a time sends bytes of an upload; one that broke off may count for up to 20 seconds. Wait `Retry-After` seconds, ask with `HEAD` how far it is, and go on.',
};
export const uploadGone: ProblemDefinition = {
  code: 'upload_gone',
  kind: 'gone',
  title: 'The upload was abandoned',
  explanation:
    'It was ended, did not become a file, or was not sent within its 24 hours; its room has been given back. Begin another.',
};
export const unsupportedTusVersion: ProblemDefinition = {
  code: 'unsupported_tus_version',
  kind: 'precondition-failed',
  title: 'Another version of tus',
  explanation: 'Send `Tus-Resumable: 1.0.0`, the only version that is spoken here.',
};
