import type { Id } from '../../foundation/ids.ts';
import { isReadableName } from '../../foundation/readable-name.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';

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
  /** The story that it was merged into, or the story that was split off. */
  readonly otherStoryId?: Id<'story'>;
}

export type ReasonFault = 'invalid_reason';

export const reasonCharsMax = 500;

/** Reasons that Daybook states itself. The record stores the English text. */
const reasons = {
  'withdrawn-by-publisher': { en: 'Its publisher withdrew it.', zh: '发布者已撤回该报道。' },
  unstated: { en: 'No reason was stated.', zh: '未说明原因。' },
} as const satisfies Readonly<Record<string, Readonly<Record<ReaderLanguage, string>>>>;

export type CorrectionReasonCode = keyof typeof reasons;

/** As stored. */
export function correctionReason(code: CorrectionReasonCode): string {
  return reasons[code].en;
}

/** A stored reason in a language; the text of an editor has no code and stays as it is. */
export function wordCorrectionReason(
  text: string,
  language: ReaderLanguage,
): { readonly reason: string; readonly reasonCode: CorrectionReasonCode | null } {
  const codes = Object.keys(reasons) as CorrectionReasonCode[];
  const reasonCode = codes.find((code) => reasons[code].en === text) ?? null;
  return { reason: reasonCode === null ? text : reasons[reasonCode][language], reasonCode };
}

/** One line of text under the rules for names: no invisible characters and no bidirectional controls. */
export function isReason(text: string): boolean {
  return Array.from(text).length <= reasonCharsMax && isReadableName(text);
}
