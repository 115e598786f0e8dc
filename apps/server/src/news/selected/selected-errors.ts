import type { ProblemDefinition } from '../../foundation/problem.ts';

export const snapshotRequired: ProblemDefinition = {
  code: 'snapshot_required',
  kind: 'conflict',
  title: 'Snapshot required',
  explanation:
    'The changes cursor is missing, malformed or belongs to another ledger, for example after a backup was restored. Download `/api/v1/selected/snapshot` from its first page, replace your copy, and continue with the cursor of the snapshot.',
};
