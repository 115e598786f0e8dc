import type { JsonValue } from '../../foundation/canonical-json.ts';
import { toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMilliseconds } from '../../foundation/instant.ts';
import type { DecisionContext } from '../decision.ts';
import { readNewestBodyHash } from '../log/log-store.ts';
import type { CorrectionToRecord } from './correction.ts';

/** Runs in the transaction of the corrected change, whose decision purges copies of the wrong text. */
export async function recordCorrection(
  context: DecisionContext,
  { action, subject, reason, otherStoryId }: CorrectionToRecord,
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
      before_hash: await readNewestBodyHash(context.database, subject.kind, subject.id),
    })
    .execute();
  context.log.push({
    kind: 'correction',
    action: 'published',
    subject: id,
    body: loggedCorrection({
      id,
      at: context.now,
      action,
      subject,
      reason,
      otherStoryId: otherStoryId ?? null,
    }),
  });
  return id;
}

export interface LoggedCorrection extends Pick<CorrectionToRecord, 'action' | 'subject' | 'reason'> {
  readonly id: Id<'correction'>;
  readonly at: EpochMicroseconds;
  readonly otherStoryId: Id<'story'> | null;
}

/** The content of a correction in the public log. */
export function loggedCorrection({
  id,
  at,
  action,
  subject,
  reason,
  otherStoryId,
}: LoggedCorrection): JsonValue {
  return { id, at: isoMilliseconds(at), action, subject: { ...subject }, otherStory: otherStoryId, reason };
}
