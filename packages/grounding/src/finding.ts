/**
 * What a finding is about. `value`: the sources state the number of something else; `period`: of another time;
 * `certainty`: as a plan, an expectation or a suspicion; `role`: of another name.
 */
export type FindingKind =
  | 'name'
  | 'number'
  | 'unit'
  | 'date'
  | 'version'
  | 'quotation'
  | 'negation'
  | 'value'
  | 'bound'
  | 'opposite'
  | 'certainty'
  | 'period'
  | 'ordinal'
  | 'speaker'
  | 'role';

/** A statement of a sentence that none of its cited sources supports. */
export interface Finding {
  readonly kind: FindingKind;
  /** As written in the sentence, in normalised spelling. */
  readonly text: string;
}
