import type { Language, OutletShape, Role } from '../dispatch.ts';
import { colour } from '../grammar/colour-copy.ts';
import type { FormCopy } from '../grammar/companion-copy.ts';
import { companionCopy } from '../grammar/companion-copy.ts';
import type { Telling } from '../grammar/event-kind.ts';
import { laterCopy } from '../grammar/later-copy.ts';
import { themeWords } from '../grammar/theme-words.ts';
import type { Event } from '../plan/event.ts';
import type { Random } from '../random.ts';

/** One sentence before it is filled, and which claim about the event it makes. */
export interface Part {
  readonly claim: string;
  readonly template: string;
}

/** The content of a dispatch: its headline, the sentences of its summary, and the rest for its paragraphs. */
export interface Outline {
  readonly title: Part;
  readonly parts: readonly Part[];
  readonly rest: Rest;
}

interface Rest {
  readonly details: readonly Part[];
  readonly voices: readonly Part[];
  readonly background: readonly Part[];
}

/** The inputs of the outline of a dispatch, apart from the event. */
export interface WordingChoice {
  /** The role of the dispatch that opened the reading group: a reprint has the content of that dispatch. */
  readonly openerRole: Role;
  /** Which of the follow-ups of a story it is or reprints, from 0. */
  readonly ordinal: number;
  /** Published before the organization is named. */
  readonly rumour: boolean;
  readonly outletShape: OutletShape;
}

/** One dispatch in a thousand for each uncommon word, one in ten thousand for each rare one. */
const themeShares: Readonly<Record<Language, readonly [uncommon: number, rare: number]>> = {
  en: [0.042, 0.0042],
  zh: [0.05, 0.005],
};

/** Draws alike in both languages, so that a translation has the content of its original. */
export function makeOutline(event: Event, how: WordingChoice, language: Language, shape: Random): Outline {
  const form = companionCopy[language][how.outletShape]?.(event.kind);
  if (form !== undefined) return formOutline(event, form, how, language, shape);
  if (how.rumour) return rumourOutline(event, language, shape);
  const { claim, telling } = chooseTelling(event, how, language, shape);
  const copy = event.kind[language];
  const details = eventDetails(event, language, how.openerRole);
  const voices = numbered('voice', copy.voices);
  const background = numbered('background', copy.background);
  const parts = [{ claim, template: telling.lead }, ...oneOrTwo(details, shape)];
  if (shape.chance(0.78)) {
    const last = shape.pick(shape.chance(0.4) ? voices : background);
    if (!parts.some(({ template }) => namesAlike(template, last.template))) parts.push(last);
  }
  const theme = chooseTheme(event, language, shape);
  if (theme !== null) parts.splice(3, 1, theme);
  return { title: { claim, template: telling.title }, parts, rest: { details, voices, background } };
}

/** Two sentences that introduce the same person or quote the same analyst read clumsily together. */
export function namesAlike(one: string, other: string): boolean {
  return (
    (other.includes('{job}') && one.includes('{job}')) ||
    (other.includes('{analyst}') && one.includes('{analyst}'))
  );
}

const nothingMore: readonly Part[] = [];

function formOutline(
  event: Event,
  form: FormCopy,
  how: WordingChoice,
  language: Language,
  shape: Random,
): Outline {
  const details =
    form.details === undefined
      ? eventDetails(event, language, how.openerRole)
      : numbered('form-detail', form.details);
  return {
    title: shape.pick(numbered('form-title', form.titles)),
    parts: [
      shape.pick(numbered('form-lead', form.leads)),
      ...oneOrTwo(details, shape),
      shape.pick(numbered('form-closing', form.closings)),
    ],
    rest: { details, voices: nothingMore, background: nothingMore },
  };
}

function rumourOutline(event: Event, language: Language, shape: Random): Outline {
  const { title, lead } = shape.pick(event.kind[language].rumour?.tellings ?? []);
  const details = numbered('rumour-detail', laterCopy[language].rumourDetails);
  return {
    title: { claim: 'rumour', template: title },
    parts: [{ claim: 'rumour', template: lead }, ...oneOrTwo(details, shape)],
    rest: { details, voices: nothingMore, background: nothingMore },
  };
}

interface Told {
  readonly claim: string;
  readonly telling: Telling;
}

function chooseTelling(event: Event, how: WordingChoice, language: Language, shape: Random): Told {
  const copy = event.kind[language];
  const later = laterCopy[language];
  if (how.openerRole === 'contradiction')
    return { claim: 'other-figure', telling: shape.pick(later.disputes) };
  if (how.openerRole === 'correction')
    return { claim: 'other-figure', telling: shape.pick(later.corrections) };
  if (how.openerRole === 'follow-up') return nthFollowUp(event, language, how.ordinal);
  if (how.openerRole === 'confirmation' && copy.rumour !== undefined)
    return { claim: 'who', telling: copy.rumour.confirmation };
  return { claim: 'event', telling: { title: shape.pick(copy.titles), lead: shape.pick(copy.leads) } };
}

/** No two follow-ups of a story have the same content. */
function nthFollowUp(event: Event, language: Language, ordinal: number): Told {
  const own = event.kind[language].followUps;
  const general = laterCopy[language].followUps[event.kind.tone];
  const at = (event.turn + ordinal) % (own.length + general.length);
  const telling = own[at] ?? general[at - own.length];
  if (telling === undefined) throw new RangeError(`${event.kind.name} has no follow-ups`);
  return { claim: `development-${at}`, telling };
}

function oneOrTwo(choices: readonly Part[], shape: Random): Part[] {
  const at = shape.below(choices.length);
  const second = (at + 1 + shape.below(choices.length - 1)) % choices.length;
  const chosen = shape.chance(0.5) ? [choices[at], choices[second]] : [choices[at]];
  return chosen.filter((part) => part !== undefined);
}

/** Details that are true of the event; those that are true only at first are for first and single dispatches. */
export function eventDetails(event: Event, language: Language, openerRole: Role): readonly Part[] {
  const { details, early } = event.kind[language];
  const all = numbered('detail', details);
  if (early === undefined || (openerRole !== 'first' && openerRole !== 'single')) return all;
  return [...all, ...numbered('early', early)];
}

const numberedLists = new WeakMap<readonly string[], readonly Part[]>();

/** Each list is numbered once: the lists are few and never change. */
function numbered(claim: string, templates: readonly string[]): readonly Part[] {
  let parts = numberedLists.get(templates);
  if (parts === undefined) {
    parts = templates.map((template, at) => ({ claim: `${claim}-${at}`, template }));
    numberedLists.set(templates, parts);
  }
  return parts;
}

function chooseTheme(event: Event, language: Language, shape: Random): Part | null {
  const [uncommon, rare] = themeShares[language];
  const draw = shape.unit();
  if (draw > uncommon + rare) return null;
  const theme = shape.pick(themeWords[language][draw < uncommon ? 'uncommon' : 'rare']);
  const template = shape.pick(colour[language].themes[event.kind.tone]).replace('{theme}', theme);
  return { claim: 'theme', template };
}
