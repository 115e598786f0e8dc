import { hanCharacter } from '../language/han-text.ts';
import { normalizeText } from '../language/plain-text.ts';
import { splitSentences } from '../language/sentences.ts';
import { dayParts } from './dates.ts';
import type { NameIndex } from './latin-names.ts';
import { indexNames } from './latin-names.ts';
import { findWords } from './latin-words.ts';
import type { Polarity } from './negation.ts';
import { polarityOf } from './negation.ts';
import { quotable } from './quotations.ts';
import type { StatedFacts } from './stated-facts.ts';
import { statedFacts } from './stated-facts.ts';

/** A citable text, parsed once for all sentences that cite it. */
export interface GroundingSource {
  readonly facts: StatedFacts;
  readonly published: ReturnType<typeof dayParts> | null;
  /** The text and the aliases of the names in it. */
  readonly nameText: string;
  readonly knownHanNames: readonly string[];
  readonly names: () => NameIndex;
  readonly quotable: () => string;
  readonly polarities: () => readonly Polarity[];
}

export interface SourceOptions {
  /** The publication day, which resolves "on Tuesday". */
  readonly published?: Temporal.PlainDate | null;
  /** Names of one entity, in any language: a sentence may use another one than the text. */
  readonly aliases?: readonly (readonly string[])[];
}

/** Longer texts are read up to here: later parts are not cited, and the work must be bounded. */
const textCharsMax = 60_000;

export function readSource(text: string, options: SourceOptions = {}): GroundingSource {
  const facts = statedFacts(text.slice(0, textCharsMax));
  const { aliases = [] } = options;
  const present = aliases.filter((names) => names.some((name) => mentions(facts.text, name)));
  const nameText = [facts.text, ...present.map((names) => names.map(normalizeText).join('\n'))].join('\n');
  return {
    facts,
    published: options.published ? dayParts(options.published) : null,
    nameText,
    knownHanNames: aliases.flat().filter((name) => hanCharacter.test(name)),
    names: once(() => indexNames(findWords(nameText))),
    quotable: once(() => quotable(facts.text)),
    polarities: once(() => splitSentences(facts.text).map(polarityOf)),
  };
}

function mentions(text: string, name: string): boolean {
  const at = text.indexOf(name);
  if (at === -1 || hanCharacter.test(name)) return at !== -1;
  const isLetter = (character: string | undefined): boolean => /[\p{Script=Latin}\d]/u.test(character ?? '');
  for (let from = at; from !== -1; from = text.indexOf(name, from + 1)) {
    if (!isLetter(text[from - 1]) && !isLetter(text[from + name.length])) return true;
  }
  return false;
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
