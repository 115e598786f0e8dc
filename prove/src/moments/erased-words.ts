import type { EpochMicroseconds } from '../../../apps/server/src/foundation/instant.ts';

/** Values of an item that a correction puts in the place of all earlier ones. */
export type CorrectedFields = Readonly<Record<string, unknown>>;

/** What the suite knows of withdrawals and corrections, by its own notes. */
export interface Erasures {
  /** A word of this text was erased after it was published. */
  readonly isErased: (text: string) => boolean;
  readonly isWithdrawnSince: (itemId: string, moment: EpochMicroseconds) => boolean;
  /** Null if the item was not corrected since. */
  readonly correctedSince: (itemId: string, moment: EpochMicroseconds) => CorrectedFields | null;
}

interface Correction {
  readonly at: EpochMicroseconds;
  readonly fields: CorrectedFields;
}

const wordForm = /\bq\d+q\b/gu;

/** Every text of the suite contains a word of its own, so that its erasure can be searched for. */
export class ErasedWords implements Erasures {
  readonly #erased = new Set<string>();
  readonly #withdrawn = new Map<string, EpochMicroseconds>();
  readonly #corrected = new Map<string, Correction[]>();
  #words = 0;

  newWord(): string {
    this.#words += 1;
    return `q${this.#words}q`;
  }

  erase(words: Iterable<string>): void {
    for (const word of words) this.#erased.add(word);
  }

  noteWithdrawal(itemId: string, at: EpochMicroseconds): void {
    this.#withdrawn.set(itemId, at);
  }

  noteCorrection(itemId: string, correction: Correction): void {
    this.#corrected.set(itemId, [...(this.#corrected.get(itemId) ?? []), correction]);
  }

  get withdrawnCount(): number {
    return this.#withdrawn.size;
  }

  get correctedCount(): number {
    return [...this.#corrected.values()].flat().length;
  }

  isErased = (text: string): boolean => (text.match(wordForm) ?? []).some((word) => this.#erased.has(word));

  isWithdrawnSince = (itemId: string, moment: EpochMicroseconds): boolean =>
    (this.#withdrawn.get(itemId) ?? moment) > moment;

  correctedSince = (itemId: string, moment: EpochMicroseconds): CorrectedFields | null => {
    const since = (this.#corrected.get(itemId) ?? []).filter(({ at }) => at > moment);
    return since.length === 0 ? null : Object.assign({}, ...since.map(({ fields }) => fields));
  };
}
