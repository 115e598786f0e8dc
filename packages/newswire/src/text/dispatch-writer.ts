import type { Article, Dispatch, Facts, Language, Role } from '../dispatch.ts';
import { reasons } from '../grammar/reason-copy.ts';
import type { Micros } from '../instant.ts';
import { isoMicros } from '../instant.ts';
import type { DispatchPlan } from '../plan/dispatch-plan.ts';
import type { Event } from '../plan/event.ts';
import { Events, statedFacts } from '../plan/event.ts';
import type { Planned } from '../plan/planner.ts';
import type { StoryPlan } from '../plan/story-plan.ts';
import { Random } from '../random.ts';
import { personName } from '../roster/roster.ts';
import { articleAddress } from '../site/article-address.ts';
import { RoundupWording } from './roundup-wording.ts';
import type { Sentence, Worded, WordingOptions } from './wording.ts';
import { Wording, joined } from './wording.ts';

/** How likely an editor is to select the dispatch that represents a group opened in this role. */
const selectionProbability: Readonly<Record<Role, number>> = {
  first: 0.62,
  reprint: 0.62,
  'follow-up': 0.2,
  contradiction: 0.4,
  correction: 0.15,
  confirmation: 0.3,
  companion: 0.1,
  roundup: 0.05,
  single: 0.09,
};

const newsValue: Readonly<Record<Role, number>> = {
  first: 22,
  reprint: 8,
  'follow-up': 14,
  contradiction: 18,
  correction: 10,
  confirmation: 16,
  companion: 6,
  roundup: 2,
  single: 4,
};

/** Writes the text of a planned dispatch: the title and summary, then the paragraphs of the article. */
interface Words {
  readonly words: () => Worded;
  readonly title: () => string;
  readonly paragraphs: (worded: Worded) => readonly (readonly Sentence[])[];
}

/** Turns plans into dispatches and articles. */
export class DispatchWriter {
  readonly seed: number;
  readonly events = new Events();

  constructor(seed: number) {
    this.seed = seed;
  }

  wording(planned: Planned, language: Language, options?: WordingOptions): Words {
    if (planned.story === undefined) return new RoundupWording(planned.roundup, this.events, language);
    return new Wording(this.events.of(planned.story), planned.story, planned.plan, language, options);
  }

  /** As a newsroom would show it. */
  dispatch(planned: Planned): Dispatch {
    const { key, plan, story } = planned;
    const { outlet } = plan;
    const shown = shownLanguage(plan);
    const wording = this.wording(planned, shown);
    const worded = wording.words();
    const title = worded.title.text;
    const originalTitle = plan.translated ? this.wording(planned, outlet.language).title() : null;
    const represents = story === undefined || representative(story, plan.group) === plan;
    return {
      key,
      outlet,
      url: this.address(planned, originalTitle ?? title),
      language: outlet.language,
      title,
      originalTitle,
      summary: joined(worded.sentences, shown),
      body: () => asText(wording.paragraphs(worded), shown),
      category: story?.kind.category ?? 'industry',
      publishedAt: plan.published === null ? null : isoMicros(plan.published),
      appearsAt: isoMicros(plan.appears),
      discoveredAt: isoMicros(plan.discovered),
      withdrawnAt: plan.changes.withdrawn === null ? null : isoMicros(plan.changes.withdrawn),
      score: scoreOf(plan, story?.dispatches.length ?? 3),
      role: plan.role,
      ...groupLabels(planned),
      facts: this.#facts(planned),
      representative: represents,
      ...selection(plan, openerOf(planned).role, represents),
    };
  }

  /** As its publisher has it online at a moment, in the publisher's language. */
  article(planned: Planned, at: Micros): Article {
    const { key, plan } = planned;
    const { outlet, changes } = plan;
    const edits = changes.edits.filter((edit) => edit.at <= at);
    const wording = this.wording(planned, outlet.language, { edits });
    const worded = wording.words();
    return {
      key,
      outlet,
      address: this.address(planned),
      language: outlet.language,
      title: worded.title.text,
      summary: joined(worded.sentences, outlet.language),
      paragraphs: wording.paragraphs(worded).map((sentences) => joined(sentences, outlet.language)),
      author: personName(new Random(plan.wording, 19), outlet.language)[outlet.language === 'en' ? 0 : 1],
      category: planned.story?.kind.category ?? 'industry',
      appearsAt: isoMicros(plan.appears),
      publishedAt: plan.published === null ? null : isoMicros(plan.published),
      editedAt: edits.map((edit) => isoMicros(edit.at)),
      withdrawn: changes.withdrawn !== null && changes.withdrawn <= at,
    };
  }

  /** The address of the article; made from its first headline. */
  address(planned: Planned, title?: string): string {
    const { code, plan } = planned;
    const { outlet } = plan;
    const first = title ?? this.wording(planned, outlet.language).title();
    return articleAddress(this.seed, outlet, { code, title: first, day: plan.published ?? plan.appears });
  }

  #facts(planned: Planned): Facts {
    if (planned.story !== undefined) {
      const opened = openerOf(planned).role;
      const disputes = opened === 'contradiction' || opened === 'correction';
      return statedFacts(this.events.of(planned.story), disputes);
    }
    const [first] = planned.roundup.stories;
    const subject = first?.cast.organization.name[0] ?? '';
    return { kind: 'roundup', subject, product: null, person: null, figures: [] };
  }
}

/** The event's own wording of a title or lead, without an outlet's edits: for digests. */
export function plainWording(
  event: Event,
  story: StoryPlan,
  plan: DispatchPlan,
  language: Language,
): { readonly title: string; readonly lead: string } {
  const { title, sentences } = new Wording(event, story, plan, language).words();
  return { title: title.text, lead: sentences[0]?.text ?? '' };
}

export function shownLanguage(plan: Pick<DispatchPlan, 'outlet' | 'translated'>): Language {
  const { language } = plan.outlet;
  if (!plan.translated) return language;
  return language === 'en' ? 'zh' : 'en';
}

function openerOf({ story, plan }: Planned): DispatchPlan {
  return story?.dispatches.find(({ index }) => index === plan.group) ?? plan;
}

/** Its group, story and storyline, and its relations to other dispatches. */
function groupLabels({
  key,
  plan,
  story,
  roundup,
}: Planned): Pick<
  Dispatch,
  'storyKey' | 'storylineKey' | 'groupKey' | 'contradicts' | 'twinOf' | 'mergesInto' | 'mentions'
> {
  if (story === undefined || story.position === null)
    return {
      storyKey: null,
      storylineKey: null,
      groupKey: `${key}-g`,
      ...(roundup === undefined ? {} : { mentions: roundup.stories.map((told) => told.key) }),
    };
  return {
    storyKey: story.key,
    storylineKey: story.storylineKey,
    groupKey: `${story.key}-g${plan.group}`,
    ...(plan.against === null ? {} : { contradicts: `${story.key}-r${plan.against}` }),
    ...(story.twinOf === null ? {} : { twinOf: story.twinOf }),
    ...(story.merges === null ? {} : { mergesInto: story.merges.into }),
  };
}

/** The dispatch that represents a reading group: the most trusted outlet, then the earliest. */
function representative(story: StoryPlan, group: number): DispatchPlan | undefined {
  let best: DispatchPlan | undefined;
  for (const plan of story.dispatches) {
    if (plan.group === group && (best === undefined || plan.outlet.weight > best.outlet.weight)) best = plan;
  }
  return best;
}

/** An editor's decision; made for the group, so that it does not depend on the representative. */
function selection(
  plan: DispatchPlan,
  opened: Role,
  represents: boolean,
): Pick<Dispatch, 'selected' | 'reason'> {
  const random = new Random(plan.shape, 10);
  if (!represents || !random.chance(selectionProbability[opened])) return { selected: false, reason: null };
  const reason = random.pick(reasons[plan.role]);
  return { selected: true, reason: reason[shownLanguage(plan) === 'en' ? 0 : 1] };
}

function scoreOf(plan: DispatchPlan, storySize: number): number {
  const noise = new Random(plan.shape, 11).between(-12, 12);
  const raw = 18 + plan.outlet.weight * 32 + newsValue[plan.role] + Math.min(20, storySize * 2.5) + noise;
  return Math.round(Math.min(100, Math.max(0, raw)));
}

function asText(paragraphs: readonly (readonly Sentence[])[], language: Language): string {
  return paragraphs.map((sentences) => joined(sentences, language)).join('\n\n');
}
