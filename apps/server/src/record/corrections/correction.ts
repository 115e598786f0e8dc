import type { JsonValue } from '../../foundation/canonical-json.ts';
import type { Id } from '../../foundation/ids.ts';
import { isReadableName } from '../../foundation/readable-name.ts';

export const correctionActions = ['withdrawn', 'corrected', 'merged', 'split'] as const;
export type CorrectionAction = (typeof correctionActions)[number];

export const correctedKinds = ['item', 'story', 'daily', 'weekly', 'monthly'] as const;

/** The corrected subject: an item or a story by its id, an edition by its period. */
export interface CorrectedSubject {
  readonly kind: (typeof correctedKinds)[number];
  readonly id: string;
}

export interface CorrectionToRecord {
  readonly action: CorrectionAction;
  readonly subject: CorrectedSubject;
  /** Public. */
  readonly reason: string;
  /** The value before the correction; only its hash is stored. */
  readonly before: JsonValue;
  /** The story that it was merged into, or the story that was split off. */
  readonly otherStoryId?: Id<'story'>;
}

export type ReasonFault = 'invalid_reason';

export const reasonCharsMax = 500;

/** The reason shown where an item is withdrawn without one. */
export const unstatedReason = 'No reason was stated.';

/** One line of text under the rules for names: no invisible characters and no bidirectional controls. */
export function isReason(text: string): boolean {
  return Array.from(text).length <= reasonCharsMax && isReadableName(text);
}
