import { canonicalJson } from '../../foundation/canonical-json.ts';
import { toTimestamptz } from '../../foundation/database/timestamptz.ts';
import { sha256Bytes } from '../../foundation/hash.ts';
import type { Id } from '../../foundation/ids.ts';
import type { DecisionContext } from '../decision.ts';
import type { CorrectionToRecord } from './correction.ts';

/** Runs in the transaction of the corrected change, whose decision purges copies of the wrong text. */
export async function recordCorrection(
  context: DecisionContext,
  { action, subject, reason, before, otherStoryId }: CorrectionToRecord,
): Promise<Id<'correction'>> {
  const id = context.ids.next<'correction'>();
  await context.database
    .insertInto('record.correction')
    .values({
      id,
      at: toTimestamptz(context.now),
      action,
      subject_kind: subject.kind,
      subject: subject.id,
      other_story_id: otherStoryId ?? null,
      reason,
      before_hash: sha256Bytes(canonicalJson(before)),
    })
    .execute();
  return id;
}
