import type { ProblemDefinition } from '../../foundation/problem.ts';
import { ProblemError } from '../../foundation/problem.ts';

export const logUnsigned: ProblemDefinition = {
  code: 'log_unsigned',
  kind: 'unavailable',
  title: 'No signed checkpoint',
  explanation:
    'The public log of this installation has no signed checkpoint, so no proofs are available. Either the operator has not configured a key, or the first checkpoint has not been written yet.',
};

export const notInCheckpoint: ProblemDefinition = {
  code: 'not_in_checkpoint',
  kind: 'unavailable',
  title: 'Not in a checkpoint yet',
  explanation:
    'The newest change is published, but no signed checkpoint of the public log contains it yet. Checkpoints are signed once a minute. Wait at least `Retry-After` seconds.',
};

const checkpointSeconds = 60;

export function noCheckpoint(): ProblemError {
  return new ProblemError(logUnsigned, 'This installation has not signed a checkpoint of its log.', {
    retryAfterSeconds: checkpointSeconds,
  });
}

export function pendingEntry(): ProblemError {
  return new ProblemError(notInCheckpoint, 'The newest change is not in a signed checkpoint yet.', {
    retryAfterSeconds: checkpointSeconds,
  });
}
