import { reasons } from '../grammar/reason-copy.ts';
import { dayPath, isoMicros } from '../instant.ts';
import type { Event } from '../plan/event.ts';
import { makeEvent, statedFacts } from '../plan/event.ts';
import type { ReportPlan } from '../plan/report-plan.ts';
import type { StoryPlan } from '../plan/story-plan.ts';
import { Random } from '../random.ts';
import type { Language, Report, Role } from '../report.ts';
import { tell, tellAtLength, tellTitle } from './report-text.ts';

/** How likely an editor is to select the report that stands for a group opened in this role. */
const appeal: Readonly<Record<Role, number>> = {
  first: 0.62,
  reprint: 0.62,
  'follow-up': 0.2,
  contradiction: 0.4,
  correction: 0.15,
  roundup: 0.05,
  single: 0.09,
};

export function storyEvent(story: StoryPlan): Event {
  return makeEvent(new Random(...story.factSeed), story);
}

export function reportKey(story: StoryPlan, index: number): string {
  return `${story.key}-r${index}`;
}

export function shownLanguage(plan: Pick<ReportPlan, 'outlet' | 'translated'>): Language {
  const { language } = plan.outlet;
  if (!plan.translated) return language;
  return language === 'en' ? 'zh' : 'en';
}

/** The report that stands for a reading group: the most trusted outlet, then the earliest. */
function representative(story: StoryPlan, group: number): ReportPlan | undefined {
  let best: ReportPlan | undefined;
  for (const plan of story.reports) {
    if (plan.group === group && (best === undefined || plan.outlet.weight > best.outlet.weight)) best = plan;
  }
  return best;
}

export function storyReport(story: StoryPlan, plan: ReportPlan, event: Event): Report {
  const opener = story.reports.find(({ index }) => index === plan.group) ?? plan;
  const how = {
    role: plan.role,
    tells: opener.role,
    ordinal: plan.ordinal,
    shape: plan.shape,
    wording: plan.wording,
    source: plan === opener ? null : opener.outlet,
  };
  const disputes = opener.role === 'contradiction' || opener.role === 'correction';
  const represents = representative(story, plan.group) === plan;
  const key = reportKey(story, plan.index);
  return {
    ...composed(event, how, plan, key),
    score: scoreOf(plan, story.reports.length),
    role: plan.role,
    storyKey: story.key,
    storylineKey: story.storylineKey,
    groupKey: `${story.key}-g${plan.group}`,
    facts: statedFacts(event, disputes),
    representative: represents,
    ...selection(plan, opener.role, represents),
    ...(plan.against === null ? {} : { contradicts: reportKey(story, plan.against) }),
    ...(story.twinOf === null ? {} : { twinOf: story.twinOf }),
  };
}

type Composed = Pick<
  Report,
  | 'key'
  | 'outlet'
  | 'url'
  | 'language'
  | 'title'
  | 'originalTitle'
  | 'summary'
  | 'body'
  | 'category'
  | 'publishedAt'
  | 'discoveredAt'
>;

/** The parts of a report that depend on its wording, its outlet and its times alone. */
export function composed(
  event: Event,
  how: Parameters<typeof tell>[1],
  plan: Pick<ReportPlan, 'outlet' | 'translated' | 'discovered' | 'published' | 'shape'>,
  key: string,
): Composed {
  const language = shownLanguage(plan);
  const { title, summary } = tell(event, how, language);
  const { outlet } = plan;
  return {
    key,
    outlet,
    url: `https://${outlet.host}/${dayPath(plan.published ?? plan.discovered)}/${event.kind.name}-${key}`,
    language: outlet.language,
    title,
    originalTitle: plan.translated ? tellTitle(event, how, outlet.language) : null,
    summary,
    body: () => tellAtLength(event, summary, plan.shape, language),
    category: event.kind.category,
    publishedAt: plan.published === null ? null : isoMicros(plan.published),
    discoveredAt: isoMicros(plan.discovered),
  };
}

/** What an editor would make of it; decided by the group, so that it holds whoever stands for it. */
export function selection(
  plan: Pick<ReportPlan, 'role' | 'shape' | 'outlet' | 'translated'>,
  opened: Role,
  represents: boolean,
): Pick<Report, 'selected' | 'reason'> {
  const random = new Random(plan.shape, 10);
  if (!represents || !random.chance(appeal[opened])) return { selected: false, reason: null };
  const reason = random.pick(reasons[plan.role]);
  return { selected: true, reason: reason[shownLanguage(plan) === 'en' ? 0 : 1] };
}

export function scoreOf(plan: Pick<ReportPlan, 'role' | 'outlet' | 'shape'>, storySize: number): number {
  const noise = new Random(plan.shape, 11).between(-12, 12);
  const news = {
    first: 22,
    reprint: 8,
    'follow-up': 14,
    contradiction: 18,
    correction: 10,
    roundup: 2,
    single: 4,
  };
  const raw = 18 + plan.outlet.weight * 32 + news[plan.role] + Math.min(20, storySize * 2.5) + noise;
  return Math.round(Math.min(100, Math.max(0, raw)));
}
