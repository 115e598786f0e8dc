import type { JsonValue } from '../../foundation/canonical-json.ts';
import type { Id } from '../../foundation/ids.ts';
import { isReadableName } from '../../foundation/readable-name.ts';

export const correctionActions = ['withdrawn', 'corrected', 'merged', 'split'] as const;
export type CorrectionAction = (typeof correctionActions)[number];

export const correctedKinds = ['item', 'story', 'daily', 'weekly', 'monthly'] as const;

/** What was wrong: an item or a story by its id, an edition by its period. */
export interface CorrectedSubject {
  readonly kind: (typeof correctedKinds)[number];
  readonly id: string;
}

export interface CorrectionToRecord {
  readonly action: CorrectionAction;
  readonly subject: CorrectedSubject;
  /** Shown to everyone. */
  readonly reason: string;
  /** What stood before; only its hash is kept. */
  readonly before: JsonValue;
  /** The story that it was merged into, or that was split off. */
  readonly otherStoryId?: Id<'story'>;
}

export type ReasonFault = 'invalid_reason';

export const reasonCharsMax = 500;

/** Said where an item is withdrawn and nobody says why. */
export const unstatedReason = 'No reason was stated.';

/** One line of text, held to what a name is held to: nothing that cannot be seen or turns what follows. */
export function isReason(text: string): boolean {
  return Array.from(text).length <= reasonCharsMax && isReadableName(text);
}
