import { readFileSync } from 'node:fs';

import { hanCharacter, stemOf } from '@daybook/grounding/text';

/** Words of one meaning have one concept: `~court` is a court, 法院 and 法庭. */
interface Glossary {
  /** By English stem. */
  readonly words: ReadonlyMap<string, readonly string[]>;
  /** By the first stem of an English phrase. */
  readonly phrases: ReadonlyMap<string, readonly Phrase[]>;
  /** By Chinese word in simplified characters. */
  readonly han: ReadonlyMap<string, readonly string[]>;
  /** By first character: the length of the longest Chinese word. */
  readonly hanChars: ReadonlyMap<string, number>;
  /** Concepts of places, and of other names. */
  readonly places: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
  /** The words of a concept, in basic form. */
  readonly entries: ReadonlyMap<string, readonly string[]>;
}

export interface Phrase {
  readonly stems: readonly string[];
  readonly concepts: readonly string[];
}

const files = ['business', 'people-and-work', 'law-and-accidents', 'health-science-tech', 'life'];
const placeFile = 'places';
const nameFile = 'names';

const irregularForms = `ate eaten eat|led lead|sold sell|bought buy|went gone go|began begun begin|rose risen rise|fell fallen fall|left leave|won win|lost lose|made make|took taken take|gave given give|came come|became become|knew known know|grew grown grow|held hold|brought bring|thought think|taught teach|caught catch|fought fight|sought seek|told tell|paid pay|built build|sent send|spent spend|met meet|ran run|saw seen see|spoke spoken speak|wrote written write|drove driven drive|chose chosen choose|broke broken break|stole stolen steal|shot shoot|struck strike|stood stand|found find|got gotten get|felt feel|dealt deal|meant mean|heard hear|drew drawn draw|threw thrown throw|flew flown fly|died die|born birth|men man|women woman|children child|people person|lent lend|swam swum swim|sang sung sing|sank sunk sink|wore worn wear|tore torn tear|swore sworn swear|hid hidden hide|rode ridden ride|shook shaken shake|woke woken wake|froze frozen freeze|bit bitten bite|beaten beat|forbade forbidden forbid|forgave forgiven forgive|forgot forgotten forget|fed feed|bled bleed|bred breed|fled flee|kept keep|slept sleep|wept weep|swept sweep|crept creep|dug dig|hung hang|stuck stick|swung swing|spun spin|wound wind|bound bind|ground grind|understood understand|withdrew withdrawn withdraw|overtook overtaken overtake|undertook undertaken undertake|oversaw overseen oversee|foresaw foreseen foresee|laid lay|lain lie|lit light|shone shine|slid slide|split split|mice mouse|feet foot|teeth tooth|geese goose|lives life|wives wife|knives knife|thieves thief|leaves leaf|wolves wolf`;

/** Forms that share no stem with their word. */
const irregular: ReadonlyMap<string, string> = new Map(
  irregularForms.split('|').flatMap((line) => {
    const forms = line.split(' ');
    const base = stemOf(forms.at(-1) ?? '');
    return forms.map((form) => [stemOf(form), base] as const);
  }),
);

/** One key for all forms of an English word. */
export function baseOf(stem: string): string {
  return irregular.get(stem) ?? stem;
}

export function parseGlossary(text: string, placeText = '', nameText = ''): Glossary {
  const words = new Map<string, string[]>();
  const phrases = new Map<string, Phrase[]>();
  const han = new Map<string, string[]>();
  const listed = new Map<string, readonly string[]>();
  for (const entries of [text, placeText, nameText].flatMap(linesOf)) {
    const concept = `~${entries[0] ?? ''}`;
    listed.set(concept, entries);
    for (const entry of entries) {
      if (hanCharacter.test(entry)) append(han, entry, concept);
      else {
        const stems = entry.split('_').map((word) => baseOf(stemOf(word)));
        const [first = ''] = stems;
        if (stems.length === 1) append(words, first, concept);
        else append(phrases, first, { stems, concepts: [concept] });
      }
    }
  }
  const hanChars = new Map<string, number>();
  for (const word of han.keys()) {
    const first = word.charAt(0);
    hanChars.set(first, Math.max(word.length, hanChars.get(first) ?? 0));
  }
  const namedIn = (lines: string): ReadonlySet<string> =>
    new Set(linesOf(lines).map(([first = '']) => `~${first}`));
  const [places, names] = [namedIn(placeText), namedIn(nameText)];
  return { words, phrases, han, hanChars, places, names, entries: listed };
}

function linesOf(text: string): string[][] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(' '));
}

function append<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}

let shipped: Glossary | undefined;

function shippedGlossary(): Glossary {
  const read = (name: string): string =>
    readFileSync(new URL(`glossary/${name}.txt`, import.meta.url), 'utf8');
  shipped ??= parseGlossary(files.map(read).join('\n'), read(placeFile), read(nameFile));
  return shipped;
}

export function isPlaceConcept(concept: string): boolean {
  return shippedGlossary().places.has(concept);
}

export function isNameConcept(concept: string): boolean {
  return isPlaceConcept(concept) || shippedGlossary().names.has(concept);
}

const none: readonly string[] = [];

export function conceptsOf(base: string): readonly string[] {
  return shippedGlossary().words.get(base) ?? none;
}

export function hanConceptsOf(word: string): readonly string[] {
  return shippedGlossary().han.get(word) ?? none;
}

/** The phrases that begin with a word of a sequence. */
export function phrasesAt(stems: readonly string[], at: number): readonly Phrase[] {
  const candidates = shippedGlossary().phrases.get(stems[at] ?? '');
  if (candidates === undefined) return [];
  return candidates.filter((one) => one.stems.every((stem, step) => stems[at + step] === stem));
}

/** A Chinese word of the glossary in a run, the longest at each place. */
export interface FoundWord {
  readonly text: string;
  readonly start: number;
}

export function findHanGlossaryWords(run: string): FoundWord[] {
  const { han, hanChars } = shippedGlossary();
  const found: FoundWord[] = [];
  let at = 0;
  while (at < run.length - 1) {
    let length = Math.max(1, Math.min(hanChars.get(run.charAt(at)) ?? 1, run.length - at));
    while (length > 1 && !han.has(run.slice(at, at + length))) length -= 1;
    if (length > 1) found.push({ text: run.slice(at, at + length), start: at });
    at += length;
  }
  return found;
}

const translationsMax = 2;

/** Words of the other language that are usual for a word or phrase, the most usual first. */
export function translationsOf(word: string): readonly string[] {
  const { entries, phrases, words } = shippedGlossary();
  const isHan = hanCharacter.test(word);
  const stems = isHan ? [] : word.split(' ').map((one) => baseOf(stemOf(one.toLowerCase())));
  const phrase = phrases.get(stems[0] ?? '')?.find((one) => one.stems.join(' ') === stems.join(' '));
  const concepts = isHan
    ? hanConceptsOf(word)
    : stems.length > 1
      ? (phrase?.concepts ?? none)
      : (words.get(stems[0] ?? '') ?? none);
  return concepts
    .slice(0, 1)
    .flatMap((concept) =>
      (entries.get(concept) ?? none).filter((entry) => hanCharacter.test(entry) !== isHan),
    )
    .filter((entry) => entry.length > 1)
    .slice(0, translationsMax)
    .map((entry) => entry.replaceAll('_', ' '));
}
