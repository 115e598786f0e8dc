import { colour } from '../grammar/colour-copy.ts';
import type { Telling } from '../grammar/event-kind.ts';
import { laterCopy } from '../grammar/later-copy.ts';
import { fillSentence } from '../grammar/template.ts';
import { themeWords } from '../grammar/theme-words.ts';
import type { Event } from '../plan/event.ts';
import { Random } from '../random.ts';
import type { Language, Outlet, Role } from '../report.ts';

/** What decides the wording of a report, apart from the event. */
export interface Wording {
  readonly role: Role;
  /** The role of the report that opened the reading group: a reprint tells what that one told. */
  readonly tells: Role;
  readonly shape: number;
  readonly wording: number;
  /** Which of the follow-ups of a story it is or reprints, from 0. */
  readonly ordinal: number;
  /** Where a reprint comes from. */
  readonly source: Outlet | null;
}

/** One report in a thousand for each uncommon word, one in ten thousand for each rare one. */
const themeShares: Readonly<Record<Language, readonly [uncommon: number, rare: number]>> = {
  en: [0.042, 0.0042],
  zh: [0.05, 0.005],
};

export function tell(
  event: Event,
  how: Wording,
  language: Language,
): { title: string; lead: string; summary: string } {
  const shape = new Random(how.shape, 7);
  const words = new Random(how.wording, 8);
  const telling = chooseTelling(event, how, language, shape);
  const title = fillSentence(telling.title, event, language, words);
  const sentences = [fillSentence(telling.lead, event, language, words)];
  for (const template of supports(event, how.tells, language, shape))
    sentences.push(fillSentence(template, event, language, words));
  const theme = chooseTheme(event, language, shape);
  if (theme !== null) sentences.splice(3, 1, theme);
  if (how.role === 'reprint') retouch(sentences, how.source, language, words);
  return { title, lead: sentences[0] ?? '', summary: sentences.join(language === 'en' ? ' ' : '') };
}

/** The headline alone, as it stands above the whole text. */
export function tellTitle(event: Event, how: Wording, language: Language): string {
  const telling = chooseTelling(event, how, language, new Random(how.shape, 7));
  return fillSentence(telling.title, event, language, new Random(how.wording, 8));
}

function chooseTelling(event: Event, how: Wording, language: Language, shape: Random): Telling {
  const { tells } = how;
  const copy = event.kind[language];
  const later = laterCopy[language];
  if (tells === 'contradiction') return shape.pick(later.disputes);
  if (tells === 'correction') return shape.pick(later.corrections);
  if (tells === 'follow-up') return nthFollowUp(event, language, how.ordinal);
  return { title: shape.pick(copy.titles), lead: shape.pick(copy.leads) };
}

/** No two follow-ups of a story tell the same. */
function nthFollowUp(event: Event, language: Language, ordinal: number): Telling {
  const own = event.kind[language].followUps;
  const general = laterCopy[language].followUps[event.kind.tone];
  const at = (event.turn + ordinal) % (own.length + general.length);
  const telling = own[at] ?? general[at - own.length];
  if (telling === undefined) throw new RangeError(`${event.kind.name} has no follow-ups`);
  return telling;
}

/** One to three sentences after the lead, none twice. */
function supports(event: Event, tells: Role, language: Language, shape: Random): string[] {
  const { details, early = [] } = event.kind[language];
  const choices = details.length + (tells === 'first' || tells === 'single' ? early.length : 0);
  const detail = (at: number): string => details[at] ?? early[at - details.length] ?? '';
  const at = shape.below(choices);
  const chosen = [detail(at)];
  if (shape.chance(0.5)) chosen.push(detail((at + 1 + shape.below(choices - 1)) % choices));
  if (shape.chance(0.78)) {
    const { voices, background } = colour[language];
    const around = (shape.chance(0.36) ? voices : background)[event.kind.tone];
    const last = shape.pick(around);
    if (!chosen.some((sentence) => namesAlike(sentence, last))) chosen.push(last);
  }
  return chosen;
}

/** Two sentences that introduce the same person or quote the same analyst read clumsily together. */
function namesAlike(one: string, other: string): boolean {
  return (
    (other.includes('{job}') && one.includes('{job}')) ||
    (other.includes('{analyst}') && one.includes('{analyst}'))
  );
}

function chooseTheme(event: Event, language: Language, shape: Random): string | null {
  const [uncommon, rare] = themeShares[language];
  const draw = shape.unit();
  if (draw > uncommon + rare) return null;
  const theme = shape.pick(themeWords[language][draw < uncommon ? 'uncommon' : 'rare']);
  const { themes, essayThemes } = colour[language];
  return shape.pick(event.kind.tone === 'essay' ? essayThemes : themes).replace('{theme}', theme);
}

/** What an outlet does to a report that it takes over: nothing, a credit, or a sentence less. */
function retouch(sentences: string[], source: Outlet | null, language: Language, words: Random): void {
  const draw = words.unit();
  if (draw < 0.35 && sentences.length > 2) sentences.pop();
  else if (draw < 0.6 && sentences.length < 4 && source?.language === language) {
    const scene = { slots: { source: [source.name, source.name] as const }, turn: 0 };
    sentences.push(fillSentence(colour[language].credit, scene, language, words));
  }
}

/** A few paragraphs: the summary, then what it left out. */
export function tellAtLength(event: Event, summary: string, shapeSeed: number, language: Language): string {
  const words = new Random(shapeSeed, 9);
  const { details } = event.kind[language];
  const voices = colour[language].voices[event.kind.tone];
  const background = colour[language].background[event.kind.tone];
  const glue = language === 'en' ? ' ' : '';
  const paragraph = (templates: readonly string[]): string =>
    templates
      .map((template) => fillSentence(template, event, language, words))
      .filter((sentence) => !summary.includes(sentence))
      .join(glue);
  return [
    summary,
    paragraph(words.shuffled(details).slice(0, 4)),
    paragraph([words.pick(voices), words.pick(background)]),
    paragraph([words.pick(background)]),
  ]
    .filter((text, index, all) => text !== '' && all.indexOf(text) === index)
    .join('\n\n');
}
