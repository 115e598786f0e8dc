import type { ProblemDefinition } from '../../foundation/problem.ts';

export const snapshotRequired: ProblemDefinition = {
  code: 'snapshot_required',
  kind: 'conflict',
  title: 'A new snapshot is required',
  explanation:
    'The changes cursor is missing, cannot be read, or belongs to another ledger, as after a restored backup. Read `/api/v1/selected/snapshot` from its first page, replace the copy, and go on with the cursor it gives.',
};
