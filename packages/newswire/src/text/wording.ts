import type { Language, Outlet } from '../dispatch.ts';
import { colour } from '../grammar/colour-copy.ts';
import { laterCopy } from '../grammar/later-copy.ts';
import { fillSentence } from '../grammar/template.ts';
import type { Edit } from '../plan/changes-plan.ts';
import type { DispatchPlan } from '../plan/dispatch-plan.ts';
import type { Event } from '../plan/event.ts';
import type { StoryPlan } from '../plan/story-plan.ts';
import { Random } from '../random.ts';
import type { Outline, Part, WordingChoice } from './outline.ts';
import { makeOutline, namesAlike } from './outline.ts';

/** A sentence of a text. */
export interface Sentence {
  readonly text: string;
  readonly claim: string;
  /** The slots that were filled in it; empty unless requested. */
  readonly slots: ReadonlySet<string>;
}

export interface Worded {
  readonly title: Sentence;
  /** Those of the summary; the first is the lead. */
  readonly sentences: readonly Sentence[];
}

export interface WordingOptions {
  /** Edits that have been made. */
  readonly edits?: readonly Edit[];
  /** Whether sentences list their filled slots. */
  readonly collect?: boolean;
}

const none: ReadonlySet<string> = new Set();

/** Writes the text of one dispatch, in either language, after some of its edits. */
export class Wording {
  readonly #event: Event;
  readonly #plan: DispatchPlan;
  readonly #opener: DispatchPlan;
  readonly #how: WordingChoice;
  readonly #language: Language;
  readonly #edits: readonly Edit[];
  readonly #collect: boolean;

  constructor(
    event: Event,
    story: StoryPlan,
    plan: DispatchPlan,
    language: Language,
    { edits = [], collect = false }: WordingOptions = {},
  ) {
    this.#event = edits.some(({ change }) => change === 'figure') ? withOtherFigure(event) : event;
    this.#plan = plan;
    this.#opener = story.dispatches.find(({ index }) => index === plan.group) ?? plan;
    this.#how = {
      openerRole: this.#opener.role,
      ordinal: plan.ordinal,
      rumour: story.merges !== null,
      outletShape: plan.outlet.shape,
    };
    this.#language = language;
    this.#edits = edits;
    this.#collect = collect;
  }

  /** Title and summary. */
  words(): Worded {
    const outline = this.#outline();
    const words = new Random(this.#plan.wording, 8);
    const title = this.#fill(this.#headline(outline.title), words);
    const sentences = outline.parts.map((part) => this.#fill(part, words));
    if (this.#plan.role === 'reprint') this.#retouch(sentences, words);
    return { title, sentences: [...sentences, ...this.#notes(outline)] };
  }

  /** The title alone, which is cheaper. */
  title(): string {
    return this.#fill(this.#headline(this.#outline().title), new Random(this.#plan.wording, 8)).text;
  }

  /** A few paragraphs: the summary, then the remaining details. */
  paragraphs({ sentences }: Worded): readonly (readonly Sentence[])[] {
    const words = new Random(this.#plan.shape, 9);
    const { rest } = this.#outline();
    const notes = sentences.filter(({ claim }) => claim.startsWith('note'));
    const closing = sentences.filter(({ claim }) => claim.startsWith('form-closing'));
    const told = sentences.filter((sentence) => !notes.includes(sentence) && !closing.includes(sentence));
    const known = new Set(sentences.map(({ claim }) => claim.replace(/^note-/, '')));
    const fresh = (parts: readonly Part[], most: number): Sentence[] =>
      words
        .shuffled(parts.filter(({ claim }) => !known.has(claim)))
        .slice(0, most)
        .map((part) => this.#fill(part, words));
    const [details, voices, background] = [
      fresh(rest.details, 4),
      fresh(rest.voices, 2),
      fresh(rest.background, 3),
    ];
    return [
      told.slice(0, 2),
      [...told.slice(2), ...details.slice(0, 1)],
      details.slice(1, 3),
      voices.slice(0, 1),
      [...background.slice(0, 2), ...details.slice(3)],
      [...voices.slice(1), ...background.slice(2)],
      closing,
      notes,
    ].filter((sentencesOf) => sentencesOf.length > 0);
  }

  #outline(): Outline {
    return makeOutline(this.#event, this.#how, this.#language, new Random(this.#plan.shape, 7));
  }

  #fill({ claim, template }: Part, words: Random): Sentence {
    const used = this.#collect ? new Set<string>() : undefined;
    const text = fillSentence(template, this.#event, this.#language, words, used);
    return { claim, slots: used ?? none, text };
  }

  /** An edited headline uses another wording; without another wording it states that it was edited. */
  #headline(title: Part): Part {
    if (!this.#edits.some(({ change }) => change === 'headline')) return title;
    const { titles } = this.#event.kind[this.#language];
    const at = titles.indexOf(title.template);
    const other = at === -1 ? undefined : titles[(at + 1) % titles.length];
    return { ...title, template: other ?? `${laterCopy[this.#language].updated}${title.template}` };
  }

  /** The outlet's later addition: an update, or a note on the figure. */
  #notes({ parts, rest }: Outline): Sentence[] {
    const words = new Random(this.#plan.wording, 18);
    const later = laterCopy[this.#language];
    const choices = rest.details.filter(
      ({ claim, template }) =>
        !claim.startsWith('early') &&
        !parts.some((part) => part.claim === claim || namesAlike(part.template, template)),
    );
    return this.#edits.flatMap(({ change }, nth) => {
      if (change === 'headline') return [];
      if (change === 'figure')
        return [this.#fill({ claim: 'note-figure', template: later.figureNote }, words)];
      const added = choices[nth % Math.max(1, choices.length)];
      if (added === undefined) return [];
      return [this.#fill({ claim: `note-${added.claim}`, template: later.updated + added.template }, words)];
    });
  }

  /** An outlet's change to a dispatch that it reprints: none, a credit, or a sentence less. */
  #retouch(sentences: Sentence[], words: Random): void {
    const source: Outlet = this.#opener.outlet;
    const draw = words.unit();
    if (draw < 0.35 && sentences.length > 2) sentences.pop();
    else if (draw < 0.6 && sentences.length < 4 && source.language === this.#language) {
      const scene = { slots: { source: [source.name, source.name] as const }, turn: 0 };
      const text = fillSentence(colour[this.#language].credit, scene, this.#language, words);
      sentences.push({ claim: 'credit', text, slots: none });
    }
  }
}

/** After a correction the other figure takes the place of the first. */
function withOtherFigure(event: Event): Event {
  const { figure, other, slots } = event;
  return { ...event, figure: other, other: figure, slots: { ...slots, figure: other, other: figure } };
}

export function joined(sentences: readonly Sentence[], language: Language): string {
  return sentences.map(({ text }) => text).join(language === 'en' ? ' ' : '');
}
