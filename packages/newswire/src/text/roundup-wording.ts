import type { Language } from '../dispatch.ts';
import { roundupCopy } from '../grammar/roundup-copy.ts';
import type { Slots } from '../grammar/template.ts';
import { fillSentence } from '../grammar/template.ts';
import type { Events } from '../plan/event.ts';
import type { RoundupPlan } from '../plan/roundup-plan.ts';
import { Random } from '../random.ts';
import type { Sentence, Worded } from './wording.ts';

const places = ['one', 'two', 'three'] as const;

/** Writes the text of one roundup. */
export class RoundupWording {
  readonly #roundup: RoundupPlan;
  readonly #events: Events;
  readonly #language: Language;

  constructor(roundup: RoundupPlan, events: Events, language: Language) {
    this.#roundup = roundup;
    this.#events = events;
    this.#language = language;
  }

  words(): Worded {
    const { titles, summaries } = roundupCopy[this.#language];
    const random = new Random(this.#roundup.plan.shape, 7);
    return {
      title: this.#fill(random.pick(titles), random),
      sentences: [this.#fill(random.pick(summaries), random)],
    };
  }

  title(): string {
    return this.words().title.text;
  }

  /** The summary, then a paragraph for each story. */
  paragraphs({ sentences }: Worded): readonly (readonly Sentence[])[] {
    const random = new Random(this.#roundup.plan.shape, 9);
    const leads = this.#roundup.stories.map((story): Sentence[] => {
      const event = this.#events.of(story);
      const slots = new Set<string>();
      const { leads: templates } = story.kind[this.#language];
      const text = fillSentence(random.pick(templates), event, this.#language, random, slots);
      return [{ claim: `mentions-${story.key}`, slots, text }];
    });
    return [sentences, ...leads];
  }

  #fill(template: string, random: Random): Sentence {
    const briefs = this.#roundup.stories.map(
      (story) => this.#events.of(story).slots['brief'] ?? (['', ''] as const),
    );
    const slots = Object.fromEntries(places.map((place, at) => [place, briefs[at] ?? ['', '']])) as Slots;
    const text = fillSentence(template, { slots, turn: 0 }, this.#language, random);
    return { claim: 'roundup', slots: new Set(), text };
  }
}
