import type { CalendarDay } from './calendar-day.ts';
import { dayParts } from './dates.ts';
import { hanCharacter } from './language/han-text.ts';
import { once } from './language/once.ts';
import { normalizeText } from './language/plain-text.ts';
import type { NameIndex } from './latin-names.ts';
import { indexNames } from './latin-names.ts';
import { findWords } from './latin-words.ts';
import type { Passage } from './passages.ts';
import { keyWeights, passagesOf } from './passages.ts';
import { quotable } from './quotations.ts';
import type { StatedFacts } from './stated-facts.ts';
import { statedFacts } from './stated-facts.ts';
import type { Slot } from './value-slots.ts';
import { slotsOf } from './value-slots.ts';

/** A citable text, parsed once for all sentences that cite it. */
export interface GroundingSource {
  readonly facts: StatedFacts;
  readonly published: ReturnType<typeof dayParts> | null;
  /** The text and the aliases of the names in it. */
  readonly nameText: string;
  readonly knownHanNames: readonly string[];
  readonly names: () => NameIndex;
  readonly quotable: () => string;
  readonly statements: () => Statements;
}

/** The sentences of a text with their numbers, and the weight of each word. */
export interface Statements {
  readonly passages: readonly Passage[];
  readonly slots: () => readonly Slot[];
  readonly weightOf: (key: string) => number;
}

export interface SourceOptions {
  /** The publication day, which resolves "on Tuesday". */
  readonly published?: CalendarDay | null;
  /** Names of one entity, in any language: a sentence may use another one than the text. */
  readonly aliases?: readonly (readonly string[])[];
}

/** Longer texts are read up to here: later parts are not cited, and the work must be bounded. */
const textCharsMax = 60_000;

export function readSource(text: string, options: SourceOptions = {}): GroundingSource {
  const facts = statedFacts(text.slice(0, textCharsMax));
  const aliases = (options.aliases ?? []).map((names) => names.map(normalizeText));
  const present = aliases.filter((names) => names.some((name) => mentions(facts.text, name)));
  const nameText = [facts.text, ...present.map((names) => names.join('\n'))].join('\n');
  return {
    facts,
    published: options.published ? dayParts(options.published) : null,
    nameText,
    knownHanNames: aliases.flat().filter((name) => hanCharacter.test(name)),
    names: once(() => indexNames(findWords(nameText))),
    quotable: once(() => quotable(facts.text)),
    statements: once(() => statementsOf(facts)),
  };
}

function statementsOf(facts: StatedFacts): Statements {
  const passages = passagesOf(facts);
  const slots = once(() => passages.flatMap((passage, at) => slotsOf(facts.text, passage, passages[at - 1])));
  return { passages, slots, weightOf: keyWeights(passages) };
}

/** In any case; a name in letters must not be a part of a longer word. */
function mentions(text: string, name: string): boolean {
  if (hanCharacter.test(name)) return text.includes(name);
  const literal = name.replaceAll(/[\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  return new RegExp(`(?<![\\p{Script=Latin}\\d])${literal}(?![\\p{Script=Latin}\\d])`, 'iu').test(text);
}
